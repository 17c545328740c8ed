import type { ContractCall, Wallet, WalletToken } from '../schema/index.js'
import { transactionChains } from '../schema/members.js'
import type { SendParams } from './transactionStep.js'

/** Parameters of {@link createTransfer}. */
export type CreateTransferParameters = {
  /** As `useWalletTokens` lists it. */
  token: Pick<WalletToken, 'chain' | 'contractAddress' | 'tokenId' | 'tokenStandard'>
  /** The wallet that holds it. */
  from: Pick<Wallet, 'type' | 'address'>
  /** The address that is to have it. */
  to: string
  /** How many of an ERC-1155 token; 1 by default. */
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
 * What a wallet is asked for, to send a token on: the call that the token's standard has for it, as a wallet of its
 * type takes it. The safe form fails at a contract that would not know what to do with a token, instead of losing it
 * there.
 *
 * @returns What `send` of `useTransaction` takes; undefined for a token that wallets do not send: of another kind of
 * chain, or of one that they send nothing on.
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
