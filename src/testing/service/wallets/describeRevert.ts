import { type Hex, isHex, parseAbi } from 'viem'
import { RpcError } from '../../../chain/evm/rpcError.js'
import { decodeRevert, describeRevert as describe, failedCall } from '../../../engine/evm/revert.js'
import type { Revert, TransactionError } from '../../../schema/transaction.js'
import type { CallTransaction, EvmUserWallet } from '../testWorld.js'

/** What the contracts on the test chains refuse with. */
const known = parseAbi([
  'error QuoteExpired(uint256 deadline)',
  'error NothingPaid()',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
])

/** A revert in the interface's words: the line for people, and the form for programs. */
export type ToldRevert = TransactionError & { message: string; revert: Revert }

/** Whether the contract that was called said nothing. */
export const isSilent = ({ revert: { reasonData = failedCall } }: ToldRevert): boolean =>
  reasonData === failedCall

/** Describes calls that revert, for a reason that is known. */
export const tellRevert = (reason: string, data?: Hex): ToldRevert => ({
  reason: 'execution_reverted',
  ...describe('contract_call', reason, data),
})

/** What is done, by which type of wallet. */
type Attempt = Pick<CallTransaction, 'calls'> & { wallet: Pick<EvmUserWallet, 'type'> }

/** Tells of calls that revert with some data. */
export const describeRevert = (data: Hex | undefined, { wallet, calls }: Attempt): ToldRevert => {
  const hasReason = data !== undefined && data !== '0x'
  const answer = hasReason || wallet.type === 'evm-mpc-wallet' ? data : failedCall
  const errors = calls.flatMap((call) => call.errors ?? [])
  return tellRevert(decodeRevert(answer, errors, known), answer)
}

/** Tells of what a test chain threw at calls; undefined where it was no refusal of a contract's. */
export const readRevert = (error: unknown, attempt: Attempt): ToldRevert | undefined =>
  error instanceof RpcError ? describeRevert(isHex(error.data) ? error.data : undefined, attempt) : undefined
