import { type Abi, decodeErrorResult, type Hex, isHex, parseAbi, size, slice } from 'viem'
import { RpcError } from '../../../chain/rpcError.js'
import { readAbiErrors } from '../../../engine/evm/readAbi.js'
import type { Revert, TransactionError } from '../../../schema/transaction.js'
import type { TestUserWallet } from './testUserWallet.js'
import type { WalletTransaction } from './walletTransaction.js'

const noReason = 'reverted without a reason'
/** What a smart wallet answers when a contract that it called gave no reason: `FailedCall()`. */
const failedCall: Hex = '0xd6bda275'

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

const decodeBy = (abi: Abi, data: Hex): string | undefined => {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data })
    return errorName === 'Error' ? String(args[0]) || noReason : `${errorName}(${args.join(', ')})`
  } catch {
    return undefined
  }
}

/** What a revert says, by the errors that the caller described and those of the test chains' own contracts. */
const decodeRevert = (data: Hex | undefined, errors: readonly unknown[]): string =>
  !data || size(data) < 4 || data === failedCall
    ? noReason
    : (decodeBy(readAbiErrors(errors), data) ??
      decodeBy(known, data) ??
      `an unknown error, ${slice(data, 0, 4)}`)

/** A revert in the interface's words: the line for people, and the form for programs. */
export type ToldRevert = TransactionError & { message: string; revert: Revert }

/** Whether the contract that was called said nothing. */
export const isSilent = ({ revert: { reasonData = failedCall } }: ToldRevert): boolean =>
  reasonData === failedCall

/** Tells of calls that revert, for a reason that is known. */
export const tellRevert = (reason: string, data?: Hex): ToldRevert => ({
  reason: 'execution_reverted',
  message: `The transaction reverted during execution: ${reason}`,
  revert: {
    type: 'contract_call',
    reason,
    ...(data !== undefined && data !== '0x' && { reasonData: data }),
  },
})

/** What is done, by which type of wallet. */
type Attempt = Pick<WalletTransaction, 'calls'> & { wallet: Pick<TestUserWallet, 'type'> }

/** Tells of calls that revert with some data. */
export const describeRevert = (data: Hex | undefined, { wallet, calls }: Attempt): ToldRevert => {
  const hasReason = data !== undefined && data !== '0x'
  const answer = hasReason || wallet.type === 'evm-mpc-wallet' ? data : failedCall
  const errors = calls.flatMap((call) => call.errors ?? [])
  return tellRevert(decodeRevert(answer, errors), answer)
}

/** Tells of what a test chain threw at calls; undefined where it was no refusal of a contract's. */
export const readRevert = (error: unknown, attempt: Attempt): ToldRevert | undefined =>
  error instanceof RpcError ? describeRevert(isHex(error.data) ? error.data : undefined, attempt) : undefined
