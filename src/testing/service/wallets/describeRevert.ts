import { type Hex, isHex, parseAbi } from 'viem'
import { RpcError } from '../../../chain/evm/rpcError.js'
import { decodeRevert, failedCall, toRevertError } from '../../../engine/evm/revert.js'
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

/** The error of calls that revert. */
export type RevertError = ReturnType<typeof toRevertError>

/** Whether the contract that was called said nothing. */
export const isSilent = ({ revert: { reasonData = failedCall } }: RevertError): boolean =>
  reasonData === failedCall

/** What is done, by which type of wallet. */
type Attempt = Pick<CallTransaction, 'calls'> & { wallet: Pick<EvmUserWallet, 'type'> }

/** Tells of calls that revert with some data. */
export const describeRevert = (data: Hex | undefined, { wallet, calls }: Attempt): RevertError => {
  const hasReason = data !== undefined && data !== '0x'
  const answer = hasReason || wallet.type === 'evm-mpc-wallet' ? data : failedCall
  const errors = calls.flatMap((call) => call.errors ?? [])
  return toRevertError('contract_call', decodeRevert(answer, errors, known), answer)
}

/** Tells of what a test chain threw at calls; undefined where it was no refusal of a contract's. */
export const readRevert = (error: unknown, attempt: Attempt): RevertError | undefined =>
  error instanceof RpcError ? describeRevert(isHex(error.data) ? error.data : undefined, attempt) : undefined
