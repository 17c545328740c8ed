import { type Address, type Hash, isAddress, isHash } from 'viem'
import {
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
  type ReplacementReturnType,
  waitForTransactionReceipt,
} from 'viem/actions'
import { isKassaError, KassaError } from '../api/index.js'
import { getNode } from './node.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { uncertain } from './uncertain.js'

// A wait for a block is taken up anew this often, so that it ends soon after nobody wants it any more.
const patienceMs = 15_000
const pauseMs = 2_000
// No pool of waiting transactions keeps one it has forgotten this long.
const forgottenMs = 10 * 60_000

/** A wait that can be given up. */
export type Following = { promise: Promise<string>; stop(): void }

const none = (): undefined => undefined

/**
 * Follows a sent transaction until it is in a block, through speed-ups, and through a node that is away.
 *
 * @param onRepriced - Hears of a speed-up: the same payment under another hash.
 * @returns The hash it has in its block; rejects with `pay.reverted`, `pay.cancelled` (replaced by something
 * else, also while nobody looked) or `pay.uncertain` (forgotten by the network).
 */
export const followTransaction = (
  context: PayContext,
  attempt: SentAttempt,
  onRepriced: (txId: Hash) => void,
): Following => {
  const { config, ledger, now } = context
  let isStopped = false
  let { nonce } = attempt
  let looksInVain = 0

  const waitOnce = async (hash: Hash): Promise<string> => {
    let replacedFor: ReplacementReturnType['reason'] | undefined
    const receipt = await waitForTransactionReceipt(getNode(config, attempt.chainId), {
      hash,
      timeout: patienceMs,
      onReplaced: ({ reason, transaction }) => {
        replacedFor = reason
        if (reason === 'repriced' && !isStopped) onRepriced(transaction.hash)
      },
    })
    const txId = receipt.transactionHash
    if (replacedFor === 'cancelled' || replacedFor === 'replaced')
      throw new KassaError('pay.cancelled', { txId })
    if (receipt.status === 'reverted') throw new KassaError('pay.reverted', { txId })
    return txId
  }

  /** Looks for a transaction that does not come: it may have been replaced while nobody watched, or dropped. */
  const lookForLoss = async (hash: Hash, payer: Address): Promise<void> => {
    const node = getNode(config, attempt.chainId)
    const used = await getTransactionCount(node, { address: payer, blockTag: 'latest' })
    const [known, receipt] = await Promise.all([
      getTransaction(node, { hash }).catch(none),
      getTransactionReceipt(node, { hash }).catch(none),
    ])
    if (known || receipt) {
      nonce = known?.nonce ?? nonce
      if (nonce !== attempt.nonce) ledger.put({ ...attempt, nonce })
      looksInVain = 0
      return
    }
    looksInVain += 1
    // Not believed the first time: behind one address stand nodes of which one may lag.
    if (nonce !== undefined && used > nonce && looksInVain > 1)
      throw new KassaError('pay.cancelled', { txId: hash })
    if (now() - attempt.attemptedAtMs > forgottenMs) throw uncertain(attempt)
  }

  const follow = async (): Promise<string> => {
    const { txId, payerAddress } = attempt
    // A contract wallet may answer with an identifier of its own, which no node knows: the order alone tells.
    if (!isHash(txId) || !isAddress(payerAddress, { strict: false }))
      return new Promise<string>(() => undefined)
    while (!isStopped) {
      try {
        await lookForLoss(txId, payerAddress)
        return await waitOnce(txId)
      } catch (error) {
        // Anything else comes from a node that is away, which says nothing about the payment.
        if (isKassaError(error)) {
          if (!isStopped && error.code !== 'pay.uncertain') ledger.remove(attempt.orderId)
          throw error
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
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
