import type { Abi, ContractFunctionArgs, ContractFunctionName } from 'viem'
import type { ContractCall } from '../../schema/index.js'

type Writes = 'nonpayable' | 'payable'

/** Parameters of {@link contractCall}. */
export type ContractCallParameters<
  abi extends Abi | readonly unknown[] = Abi,
  name extends ContractFunctionName<abi, Writes> = ContractFunctionName<abi, Writes>,
> = {
  /** The contract's address. */
  address: string
  /**
   * The contract's ABI. A constant one, such as `parseAbi` returns, gives the functions and arguments their
   * types.
   */
  abi: abi
  functionName: name
  args: ContractFunctionArgs<abi, Writes, name> & readonly unknown[]
  /** The value to send. @units wei */
  value?: bigint | undefined
}

/**
 * Creates a contract call in the form that wallets take, type-checked against the contract's ABI.
 *
 * @example
 * ```ts
 * import { contractCall, type SendParams } from 'kassa/wallet'
 * import { erc20Abi } from 'viem'
 *
 * export const createPayout = (token: string, to: `0x${string}`, units: bigint): SendParams => ({
 *   chain: 'base-sepolia',
 *   calls: [contractCall({ address: token, abi: erc20Abi, functionName: 'transfer', args: [to, units] })],
 * })
 * ```
 */
export const contractCall = <const abi extends Abi, name extends ContractFunctionName<abi, Writes>>({
  address,
  abi,
  functionName,
  args,
  value,
}: ContractCallParameters<abi, name>): ContractCall => ({
  address,
  // Of a long ABI only the function and the possible errors are sent, because bodies have a size limit.
  abi: abi.filter(
    (entry) =>
      entry.type === 'error' ||
      (entry.type === 'function' && entry.name === functionName && entry.inputs.length === args.length),
  ),
  functionName,
  args,
  ...(value !== undefined && { value: String(value) }),
})
