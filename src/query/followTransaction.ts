import { isAddressEqual, isHash, TransactionNotFoundError, TransactionReceiptNotFoundError } from 'viem'
import { getTransaction, getTransactionCount, getTransactionReceipt } from 'viem/actions'
import { isKassaError, KassaError } from '../api/index.js'
import { findCalls } from './findCalls.js'
import { findPayment } from './findPayment.js'
import { findReplacement } from './findReplacement.js'
import { getNode } from './node.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { getRevertReason } from './revertReason.js'
import { uncertain } from './uncertain.js'

// A transaction that no node has known for so long will hardly come by itself.
const forgottenMs = 2 * 60_000

/** A wait that can be given up. */
export type Following = { promise: Promise<string>; stop(): void }

const ifKnown = (error: unknown): undefined => {
  if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError)
    return undefined
  throw error
}

/**
 * Follows a sent transaction until it is in a block: through speed-ups, also while nobody looked, and through a
 * node that is away. A contract wallet's own identifier is followed by what the payment leaves on chain.
 *
 * @param onMoved - Hears of the same payment under another hash, and of what is learned about it.
 * @returns The hash it has in its block; rejects with `pay.reverted`, `pay.cancelled`, `pay.replaced` or
 * `pay.dropped`.
 */
export const followTransaction = (
  context: PayContext,
  sent: SentAttempt,
  onMoved: (attempt: SentAttempt, isRepriced: boolean) => void,
): Following => {
  const { config, now } = context
  const node = getNode(config, sent.chainId)
  let attempt = sent
  let isStopped = false
  let lastKnownMs = now()
  let looksInVain = 0

  const move = (next: SentAttempt, isRepriced: boolean): void => {
    attempt = next
    looksInVain = 0
    if (!isStopped) onMoved(next, isRepriced)
  }

  /** The payment by another name than its hash: a contract wallet's, or one sped up while nobody looked. */
  const lookElsewhere = async (): Promise<void> => {
    const { callsId } = attempt
    const isNamedByWallet = attempt.isContractWallet || callsId !== undefined
    const inCalls = callsId === undefined ? undefined : await findCalls(config, callsId)
    const txId = inCalls ?? (await findPayment(config, attempt)).txId
    if (txId !== undefined && txId !== attempt.txId) move({ ...attempt, txId }, !isNamedByWallet)
  }

  /** The nonce is used up and the payment is not there: something took its place. */
  const findOut = async (nonce: number): Promise<void> => {
    const replacement = await findReplacement(config, { ...attempt, nonce })
    // It is there after all, and only its receipt is late.
    if (replacement?.txId === attempt.txId) return
    if (replacement?.kind === 'repriced') return move({ ...attempt, txId: replacement.txId }, true)
    looksInVain += 1
    // Not believed the first time: behind one address stand nodes of which one may lag.
    if (looksInVain < 2) return
    const txId = replacement?.txId ?? attempt.txId
    throw new KassaError(replacement?.kind === 'cancelled' ? 'pay.cancelled' : 'pay.replaced', { txId })
  }

  const look = async (): Promise<string | undefined> => {
    const { txId: hash, payerAddress: address } = attempt
    if (!isHash(hash) || hash === attempt.callsId) {
      await lookElsewhere()
      return undefined
    }
    const [receipt, known, used] = await Promise.all([
      getTransactionReceipt(node, { hash }).catch(ifKnown),
      getTransaction(node, { hash }).catch(ifKnown),
      getTransactionCount(node, { address, blockTag: 'latest' }),
    ])
    if (receipt?.status === 'reverted') {
      const reason = await getRevertReason(config, attempt, receipt, known?.gas)
      throw new KassaError('pay.reverted', { txId: hash, reason })
    }
    if (receipt) return hash
    if (known) {
      lastKnownMs = now()
      looksInVain = 0
      // Another account than the one that was asked may have signed: its nonce is the one to watch.
      const isLearned = known.nonce !== attempt.nonce || !isAddressEqual(known.from, address)
      if (isLearned) move({ ...attempt, nonce: known.nonce, payerAddress: known.from }, false)
      return undefined
    }
    await lookElsewhere()
    if (attempt.txId !== hash || attempt.isContractWallet) return undefined
    if (attempt.nonce !== undefined && used > attempt.nonce) await findOut(attempt.nonce)
    else if (now() - lastKnownMs > forgottenMs) throw uncertain({ ...attempt, isDropped: true })
    return undefined
  }

  const follow = async (): Promise<string> => {
    while (!isStopped) {
      try {
        const txId = await look()
        if (txId !== undefined) return txId
      } catch (error) {
        // Anything else comes from a node that is away, which says nothing about the payment.
        if (isKassaError(error)) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, node.pollingInterval))
    }
    return attempt.txId
  }

  return {
    promise: follow(),
    stop: () => {
      isStopped = true
    },
  }
}
