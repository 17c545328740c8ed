import {
  isAddressEqual,
  isHash,
  type Transaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { call, getTransaction, getTransactionCount, getTransactionReceipt } from 'viem/actions'
import type { Config } from 'wagmi'
import { readRevert } from '../../chain/evm/revert.js'
import { isRevert } from '../../chain/evm/walletError.js'
import type { EvmPaymentAttempt } from '../../chain/index.js'
import { payError } from '../../errors/payError.js'
import type { FollowListener } from '../family.js'
import { keepLooking } from '../keepLooking.js'
import type { ChainAccess } from '../payContext.js'
import { uncertain } from '../uncertain.js'
import type { Wait } from '../wait.js'
import { findCalls } from './findCalls.js'
import { findPayment, isAsked } from './findPayment.js'
import { findReplacement } from './findReplacement.js'
import { getNode, hasNode } from './node.js'
import { getPaymentLog, isPaymentLog } from './paymentLog.js'

/** Finds the reason of a revert by simulating the transaction on the block in which it reverted. */
const getRevertReason = async (
  config: Config,
  { chainId, to, data, valueWei }: EvmPaymentAttempt,
  receipt: Pick<TransactionReceipt, 'from' | 'blockNumber'>,
  gas: bigint | undefined,
): Promise<string> => {
  try {
    await call(getNode(config, chainId), {
      account: receipt.from,
      to,
      data,
      value: BigInt(valueWei),
      blockNumber: receipt.blockNumber,
      ...(gas !== undefined && { gas }),
    })
    return 'it would pass now'
  } catch (error) {
    return isRevert(error) ? readRevert(error) : 'the network gives no reason'
  }
}

// A transaction that no node has known for this long is unlikely to appear.
const forgottenMs = 2 * 60_000
// The owners of a contract wallet, or its bundler, take longer.
const contractWalletMs = 10 * 60_000

/** An attempt whose transaction is known. */
export type SentEvmAttempt = EvmPaymentAttempt & { txId: string }

const ifKnown = (error: unknown): undefined => {
  if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError)
    return undefined
  throw error
}

/** Whether a mined transaction is this payment. Neither its hash nor its success proves that. */
const isPayment = (
  receipt: TransactionReceipt,
  known: Transaction | undefined,
  attempt: SentEvmAttempt,
): boolean => {
  const wanted = getPaymentLog(attempt)
  if (wanted) return receipt.logs.some((log) => isPaymentLog(log, wanted))
  return known !== undefined && isAsked(known, attempt)
}

/**
 * Follows a sent transaction until the payment is in a block. It handles speed-ups, also those made while the
 * page was closed, and unavailable nodes. A contract wallet's own identifier is followed by the payment's
 * log.
 *
 * @returns The hash it has in its block. Rejects with `pay.reverted`, `pay.cancelled`, `pay.replaced`,
 * `pay.dropped`, or `pay.uncertain` for a contract wallet's payment that has not arrived.
 */
export const followTransaction = (
  { config, now }: Pick<ChainAccess, 'config' | 'now'>,
  sent: SentEvmAttempt,
  { onMoved, onKnown }: FollowListener,
): Wait<string> => {
  let attempt = sent
  let isStopped = false
  let lastKnownMs = now()
  let looksInVain = 0
  const isNamedByWallet = sent.isContractWallet === true || sent.callsId !== undefined

  const move = (next: SentEvmAttempt, isRepriced: boolean): void => {
    attempt = next
    looksInVain = 0
    if (!isStopped) onMoved(next, isRepriced)
  }

  /** Handles a used nonce without the payment: another transaction has replaced it. */
  const findOut = async (nonce: number): Promise<void> => {
    const replacement = await findReplacement(config, { ...attempt, nonce })
    // Either the node has no history that far back, or the payment was mined and its receipt is late.
    if (!replacement || replacement.txId === attempt.txId) return
    if (replacement.kind === 'repriced') return move({ ...attempt, txId: replacement.txId }, true)
    looksInVain += 1
    // Requires several misses, because of several nodes behind one address one may lag.
    if (looksInVain < 2) return
    const { kind, txId } = replacement
    throw payError(kind === 'cancelled' ? 'pay.cancelled' : 'pay.replaced', { txId })
  }

  /** Handles a payment whose hash no node knows. */
  const lookElsewhere = async (used: number, isForeign: boolean): Promise<void> => {
    const { txId } = await findPayment(config, attempt)
    if (txId !== undefined && txId !== attempt.txId) return move({ ...attempt, txId }, !isNamedByWallet)
    // Throws when the wallet has abandoned the bundle.
    if (attempt.callsId !== undefined) await findCalls(config, attempt.callsId)
    const { txId: before, nonce } = attempt
    if (!isNamedByWallet && nonce !== undefined && used > nonce) await findOut(nonce)
    const patienceMs = isNamedByWallet ? contractWalletMs : forgottenMs
    if (attempt.txId === before && now() - lastKnownMs > patienceMs) {
      // The hash of another, mined transaction says nothing about the payment.
      throw uncertain(isForeign ? { ...attempt, txId: undefined } : { ...attempt, isDropped: true })
    }
  }

  const look = async (): Promise<string | undefined> => {
    const node = getNode(config, attempt.chainId)
    const { txId: hash, payerAddress: address } = attempt
    const isOnChain = isHash(hash) && hash !== attempt.callsId
    const [receipt, known, used] = await Promise.all([
      isOnChain ? getTransactionReceipt(node, { hash }).catch(ifKnown) : undefined,
      isOnChain ? getTransaction(node, { hash }).catch(ifKnown) : undefined,
      getTransactionCount(node, { address, blockTag: 'latest' }),
    ])
    if (receipt?.status === 'success' && isPayment(receipt, known, attempt)) return receipt.transactionHash
    // The hash alone proves nothing here either: the reverted transaction may have been another one.
    if (receipt?.status === 'reverted' && !isNamedByWallet && known && isAsked(known, attempt)) {
      const reason = await getRevertReason(config, attempt, receipt, known.gas)
      throw payError('pay.reverted', { txId: receipt.transactionHash, reason })
    }
    if (receipt || !known) {
      await lookElsewhere(used, receipt !== undefined)
      return undefined
    }
    lastKnownMs = now()
    looksInVain = 0
    if (!isStopped) onKnown()
    // Another account than the requested one may have signed. Its nonce is the one to watch.
    const isLearned = known.nonce !== attempt.nonce || !isAddressEqual(known.from, address)
    if (isLearned && isAsked(known, attempt))
      move({ ...attempt, nonce: known.nonce, payerAddress: known.from }, false)
    return undefined
  }

  const follow = async (): Promise<string> => {
    // If the app no longer configures the chain, the order reports the outcome.
    if (!hasNode(config, sent.chainId)) return new Promise(() => undefined)
    const { pollingInterval: pauseMs } = getNode(config, sent.chainId)
    return (await keepLooking(look, { pauseMs, isStopped: () => isStopped })) ?? attempt.txId
  }

  return {
    promise: follow(),
    stop: () => {
      isStopped = true
    },
  }
}
