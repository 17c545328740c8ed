import type { Abi, ContractFunctionArgs, ContractFunctionName } from 'viem'
import type { ContractCall } from '../schema/index.js'

type Writes = 'nonpayable' | 'payable'

/** Parameters of {@link contractCall}. */
export type ContractCallParameters<
  abi extends Abi | readonly unknown[] = Abi,
  name extends ContractFunctionName<abi, Writes> = ContractFunctionName<abi, Writes>,
> = {
  /** The contract's. */
  address: string
  /** Its interface; one that is constant, such as `parseAbi` gives, says which functions and arguments there are. */
  abi: abi
  functionName: name
  args: ContractFunctionArgs<abi, Writes, name> & readonly unknown[]
  /** What is paid with it. @units wei */
  value?: bigint | undefined
}

/**
 * Writes a call of a contract's function as wallets take it, and has the compiler hold it against the interface.
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
  // Of a long interface the function alone, since bodies have a limit, and the errors that it may be refused with.
  abi: abi.filter(
    (entry) =>
      entry.type === 'error' ||
      (entry.type === 'function' && entry.name === functionName && entry.inputs.length === args.length),
  ),
  functionName,
  args,
  ...(value !== undefined && { value: String(value) }),
})
