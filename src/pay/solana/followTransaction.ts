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

/**
 * Follows a sent payment until a confirmed block has it, or no block can take it in any more. A transaction of a
 * wallet that only signs is sent again until then.
 *
 * @returns Its signature. Rejects with `pay.reverted`, `pay.expired` or `pay.uncertain`.
 */
export const followTransaction = (
  node: SolanaNode,
  sent: SentSolanaAttempt,
  { onMoved, onKnown }: FollowListener,
): Wait<string> => {
  let attempt = sent
  let isStopped = false
  let misses = 0
  let isLimited = false

  const move = (txId: string): void => {
    attempt = { ...attempt, txId }
    misses = 0
    if (!isStopped) onMoved(attempt, false)
  }

  const setLastBlock = (height: bigint): void => {
    if (String(height) === attempt.lastBlockHeight) return
    attempt = { ...attempt, lastBlockHeight: String(height) }
    if (!isStopped) onMoved(attempt, false)
  }

  /** A wallet has answered before now, so what it sent names a block that exists by now. */
  const limitLife = async (): Promise<void> => {
    if (isLimited) return
    const { lastBlockHeight } = await node.getTip(BigInt(attempt.fromSlot))
    isLimited = true
    // The wallet's own node may be ahead of the app's.
    const last = lastBlockHeight + lagBlocks
    if (last < BigInt(attempt.lastBlockHeight)) setLastBlock(last)
  }

  /**
   * Handles a payment that is not in the transaction that the wallet has answered with.
   *
   * @param isProposal - Whether the payer's wallet has sent something else, which may lead to the payment later.
   */
  const searchElsewhere = async (isProposal: boolean): Promise<void> => {
    if (isProposal) setLastBlock(noLastBlock)
    else await limitLife()
    const { txId, isOver } = await findPayment(node, attempt)
    if (txId !== undefined && txId !== attempt.txId) return move(txId)
    if (attempt.signedTransaction !== undefined) {
      await node.send(attempt.signedTransaction).catch(() => undefined)
    }
    misses = isOver ? misses + 1 : 0
    // Requires two misses, because of several nodes behind one address one may lag.
    if (misses >= 2) throw payError('pay.expired', {})
  }

  const look = async (): Promise<string | undefined> => {
    const { txId } = attempt
    const status = await node.getStatus(txId)
    if (!status) {
      await searchElsewhere(false)
      return undefined
    }
    if (status.commitment === 'processed') {
      misses = 0
      return undefined
    }
    const known = await node.getTransaction(txId)
    if (!known) return undefined
    // The signature alone proves nothing: a wallet may have answered with another transaction's.
    if (!isAttempted(attempt, known.message)) {
      // A wallet that is a program, such as one of several owners, answers with a proposal to them.
      const isProposal = namesAccount(known.message, attempt.payerAddress)
      await searchElsewhere(isProposal)
      const isFinal = status.commitment === 'finalized' && attempt.txId === txId
      if (isProposal && isFinal) throw uncertain(attempt)
      return undefined
    }
    misses = 0
    if (!isStopped) onKnown()
    if (status.err === null) return txId
    // Until its block is final, another block may take in the same transaction, and there it may succeed.
    if (status.commitment !== 'finalized') return undefined
    const found = await findPayment(node, attempt)
    if (found.txId !== undefined) {
      move(found.txId)
      return undefined
    }
    throw payError('pay.reverted', { txId, reason: describeFailure(status.err, known.logs) })
  }

  const follow = async (): Promise<string> =>
    (await keepLooking(look, { pauseMs: pollMs, isStopped: () => isStopped })) ?? attempt.txId

  return {
    promise: follow(),
    stop: () => {
      isStopped = true
    },
  }
}
