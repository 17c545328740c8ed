import type { SolanaPaymentAttempt } from '../../chain/index.js'
import { namesAccount } from '../../chain/solana/transfer.js'
import { payError } from '../../errors/payError.js'
import type { FollowListener } from '../family.js'
import { keepLooking } from '../keepLooking.js'
import { uncertain } from '../uncertain.js'
import type { Wait } from '../wait.js'
import { findPayment, isAttempted, lagBlocks, noLastBlock } from './findPayment.js'
import type { SolanaNode } from './node.js'
import { describeFailure } from './simulatePayment.js'

/** An attempt whose signature is known. */
export type SentSolanaAttempt = SolanaPaymentAttempt & { txId: string }

/** How often a node is asked. A slot takes less than half of it. */
export const pollMs = 1_000

/** A payment that is followed, and what its looks have shown. */
type Followed = {
  node: SolanaNode
  listener: FollowListener
  attempt: SentSolanaAttempt
  isStopped: boolean
  /** How many looks in a row have found that no block can take the payment in any more. */
  misses: number
  /** Whether a block was found after which none can take in what the wallet sent. */
  isLimited: boolean
}

const move = (followed: Followed, txId: string): void => {
  followed.attempt = { ...followed.attempt, txId }
  followed.misses = 0
  if (!followed.isStopped) followed.listener.onMoved(followed.attempt, false)
}

const setLastBlock = (followed: Followed, height: bigint): void => {
  if (String(height) === followed.attempt.lastBlockHeight) return
  followed.attempt = { ...followed.attempt, lastBlockHeight: String(height) }
  if (!followed.isStopped) followed.listener.onMoved(followed.attempt, false)
}

/** A wallet has answered before now, so what it sent names a block that exists by now. */
const limitLife = async (followed: Followed): Promise<void> => {
  if (followed.isLimited) return
  const { lastBlockHeight } = await followed.node.getTip(BigInt(followed.attempt.fromSlot))
  followed.isLimited = true
  // The wallet's own node may be ahead of the app's.
  const last = lastBlockHeight + lagBlocks
  if (last < BigInt(followed.attempt.lastBlockHeight)) setLastBlock(followed, last)
}

/**
 * Handles a payment that is not in the transaction that the wallet has answered with.
 *
 * @param isProposal - Whether the payer's wallet has sent something else, which may lead to the payment later.
 */
const searchElsewhere = async (followed: Followed, isProposal: boolean): Promise<void> => {
  if (isProposal) setLastBlock(followed, noLastBlock)
  else await limitLife(followed)
  const { node, attempt } = followed
  const { txId, isOver } = await findPayment(node, attempt)
  if (txId !== undefined && txId !== attempt.txId) return move(followed, txId)
  if (attempt.signedTransaction !== undefined) {
    await node.send(attempt.signedTransaction).catch(() => undefined)
  }
  followed.misses = isOver ? followed.misses + 1 : 0
  // Requires two misses, because of several nodes behind one address one may lag.
  if (followed.misses >= 2) throw payError('pay.expired', {})
}

/**
 * Looks for the payment once.
 *
 * @returns Its signature, if a block has it.
 */
const look = async (followed: Followed): Promise<string | undefined> => {
  const { node } = followed
  const { txId } = followed.attempt
  const status = await node.getStatus(txId)
  if (!status) {
    await searchElsewhere(followed, false)
    return undefined
  }
  if (status.commitment === 'processed') {
    followed.misses = 0
    return undefined
  }
  const known = await node.getTransaction(txId)
  if (!known) return undefined
  // The signature alone proves nothing: a wallet may have answered with another transaction's.
  if (!isAttempted(followed.attempt, known.message)) {
    // A wallet that is a program, such as one of several owners, answers with a proposal to them.
    const isProposal = namesAccount(known.message, followed.attempt.payerAddress)
    await searchElsewhere(followed, isProposal)
    const isFinal = status.commitment === 'finalized' && followed.attempt.txId === txId
    if (isProposal && isFinal) throw uncertain(followed.attempt)
    return undefined
  }
  followed.misses = 0
  if (!followed.isStopped) followed.listener.onKnown()
  if (status.err === null) return txId
  // Until its block is final, another block may take in the same transaction, and there it may succeed.
  if (status.commitment !== 'finalized') return undefined
  const found = await findPayment(node, followed.attempt)
  if (found.txId !== undefined) {
    move(followed, found.txId)
    return undefined
  }
  throw payError('pay.reverted', { txId, reason: describeFailure(status.err, known.logs) })
}

/**
 * Follows a sent payment until a confirmed block has it, or no block can take it in any more. A transaction of a
 * wallet that only signs is sent again until then.
 *
 * @returns Its signature. Rejects with `pay.reverted`, `pay.expired` or `pay.uncertain`.
 */
export const followTransaction = (
  node: SolanaNode,
  sent: SentSolanaAttempt,
  listener: FollowListener,
): Wait<string> => {
  const followed: Followed = {
    node,
    listener,
    attempt: sent,
    isStopped: false,
    misses: 0,
    isLimited: false,
  }
  const follow = async (): Promise<string> =>
    (await keepLooking(() => look(followed), { pauseMs: pollMs, isStopped: () => followed.isStopped })) ??
    followed.attempt.txId
  return {
    promise: follow(),
    stop: () => {
      followed.isStopped = true
    },
  }
}
