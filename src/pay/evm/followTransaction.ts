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
  { from, blockNumber, gas }: Pick<TransactionReceipt, 'from' | 'blockNumber'> & { gas: bigint },
): Promise<string> => {
  try {
    await call(getNode(config, chainId), {
      account: from,
      to,
      data,
      value: BigInt(valueWei),
      blockNumber,
      gas,
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

/** A payment that is followed, and what its looks have shown. */
type Followed = {
  access: Pick<ChainAccess, 'config' | 'now'>
  listener: FollowListener
  attempt: SentEvmAttempt
  /** Whether the wallet has named the transaction by an identifier of its own. */
  isNamedByWallet: boolean
  isStopped: boolean
  lastKnownMs: number
  /** How many looks in a row have found another transaction in the place of the payment. */
  looksInVain: number
}

const move = (followed: Followed, next: SentEvmAttempt, isRepriced: boolean): void => {
  followed.attempt = next
  followed.looksInVain = 0
  if (!followed.isStopped) followed.listener.onMoved(next, isRepriced)
}

/** Handles a used nonce without the payment: another transaction has replaced it. */
const findOut = async (followed: Followed, nonce: number): Promise<void> => {
  const replacement = await findReplacement(followed.access.config, { ...followed.attempt, nonce })
  const { attempt } = followed
  // Either the node has no history that far back, or the payment was mined and its receipt is late.
  if (!replacement || replacement.txId === attempt.txId) return
  if (replacement.kind === 'repriced') return move(followed, { ...attempt, txId: replacement.txId }, true)
  followed.looksInVain += 1
  // Requires several misses, because of several nodes behind one address one may lag.
  if (followed.looksInVain < 2) return
  const { kind, txId } = replacement
  throw payError(kind === 'cancelled' ? 'pay.cancelled' : 'pay.replaced', { txId })
}

/**
 * Handles a payment whose hash no node knows.
 *
 * @param used - How many transactions of the payer are in blocks.
 * @param isForeign - Whether the hash is that of another, mined transaction.
 */
const lookElsewhere = async (followed: Followed, used: number, isForeign: boolean): Promise<void> => {
  const { access, isNamedByWallet } = followed
  const { config, now } = access
  const before = followed.attempt
  const { txId } = await findPayment(config, before)
  if (txId !== undefined && txId !== before.txId) return move(followed, { ...before, txId }, !isNamedByWallet)
  // Throws when the wallet has abandoned the bundle.
  if (before.callsId !== undefined) await findCalls(config, before.callsId)
  if (!isNamedByWallet && before.nonce !== undefined && used > before.nonce) {
    await findOut(followed, before.nonce)
  }
  const { attempt } = followed
  const patienceMs = isNamedByWallet ? contractWalletMs : forgottenMs
  if (attempt.txId === before.txId && now() - followed.lastKnownMs > patienceMs) {
    // The hash of another, mined transaction says nothing about the payment.
    throw uncertain(isForeign ? { ...attempt, txId: undefined } : { ...attempt, isDropped: true })
  }
}

/**
 * Looks for the payment once.
 *
 * @returns Its hash, if a block has it.
 */
const look = async (followed: Followed): Promise<string | undefined> => {
  const { access, attempt, isNamedByWallet } = followed
  const node = getNode(access.config, attempt.chainId)
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
    const { from, blockNumber, transactionHash } = receipt
    const reason = await getRevertReason(access.config, attempt, { from, blockNumber, gas: known.gas })
    throw payError('pay.reverted', { txId: transactionHash, reason })
  }
  if (receipt || !known) {
    await lookElsewhere(followed, used, receipt !== undefined)
    return undefined
  }
  followed.lastKnownMs = access.now()
  followed.looksInVain = 0
  if (!followed.isStopped) followed.listener.onKnown()
  // Another account than the requested one may have signed. Its nonce is the one to watch.
  const isLearned = known.nonce !== attempt.nonce || !isAddressEqual(known.from, address)
  if (isLearned && isAsked(known, attempt))
    move(followed, { ...attempt, nonce: known.nonce, payerAddress: known.from }, false)
  return undefined
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
  access: Pick<ChainAccess, 'config' | 'now'>,
  sent: SentEvmAttempt,
  listener: FollowListener,
): Wait<string> => {
  const { config, now } = access
  const followed: Followed = {
    access,
    listener,
    attempt: sent,
    isNamedByWallet: sent.isContractWallet === true || sent.callsId !== undefined,
    isStopped: false,
    lastKnownMs: now(),
    looksInVain: 0,
  }
  const follow = async (): Promise<string> => {
    // If the app no longer configures the chain, the order reports the outcome.
    if (!hasNode(config, sent.chainId)) return new Promise(() => undefined)
    const { pollingInterval: pauseMs } = getNode(config, sent.chainId)
    const found = await keepLooking(() => look(followed), { pauseMs, isStopped: () => followed.isStopped })
    return found ?? followed.attempt.txId
  }
  return {
    promise: follow(),
    stop: () => {
      followed.isStopped = true
    },
  }
}
