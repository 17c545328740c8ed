import type { ContractCall, Wallet, WalletToken } from '../schema/index.js'
import { transactionChains } from '../schema/members.js'
import type { SendParams } from './transactionStep.js'

/** Parameters of {@link createTransfer}. */
export type CreateTransferParameters = {
  /** The token, from `useWalletTokens`. */
  token: Pick<WalletToken, 'chain' | 'contractAddress' | 'tokenId' | 'tokenStandard'>
  /** The wallet that holds it. */
  from: Pick<Wallet, 'type' | 'address'>
  /** The recipient's address. */
  to: string
  /** The quantity of an ERC-1155 token. By default 1. */
  quantity?: bigint | number | undefined
}

const createAbi = (...types: string[]): ContractCall['abi'] => [
  {
    type: 'function',
    name: 'safeTransferFrom',
    stateMutability: 'nonpayable',
    inputs: types.map((type) => ({ name: '', type })),
    outputs: [],
  },
]

/**
 * Creates the request that transfers a token: the call that the token's standard defines, in the form of the
 * wallet's type. It uses the safe form, which reverts at a contract that cannot handle tokens, instead of
 * losing the token there.
 *
 * @returns The argument for `send` of `useTransaction`; undefined for a token on a kind of chain, or on a
 * chain, where wallets do not send.
 * @example
 * ```tsx
 * import type { Wallet, WalletToken } from 'kassa/schema'
 * import { createTransfer, useTransaction } from 'kassa/wallet'
 *
 * export function Give({ token, wallet, to }: { token: WalletToken; wallet: Wallet; to: string }) {
 *   const { step, send } = useTransaction({ walletLocator: `me:${wallet.type}`, name: token.locator })
 *   const params = createTransfer({ token, from: wallet, to })
 *   if (!params) return <p>This token cannot be sent on.</p>
 *   return <button onClick={() => send(params)}>{step.status}</button>
 * }
 * ```
 */
export const createTransfer = ({
  token: { contractAddress, tokenId, tokenStandard, ...token },
  from,
  to,
  quantity = 1,
}: CreateTransferParameters): SendParams | undefined => {
  const chain = transactionChains.find((name) => name === token.chain)
  if (!chain || !contractAddress || tokenId === undefined) return undefined
  const parts = [from.address, to, tokenId]
  const isMultiple = tokenStandard === 'ERC-1155'
  const call: ContractCall = {
    address: contractAddress,
    functionName: 'safeTransferFrom',
    abi: isMultiple
      ? createAbi('address', 'address', 'uint256', 'uint256', 'bytes')
      : createAbi('address', 'address', 'uint256'),
    args: isMultiple ? [...parts, String(quantity), '0x'] : parts,
  }
  return from.type === 'evm-smart-wallet' ? { calls: [call], chain } : { call, chain }
}
