import { sendTransaction } from 'wagmi/actions'
import { KassaError } from '../api/index.js'
import {
  classifyWalletError,
  isRefusal,
  type PaymentAttempt,
  type PaymentTransaction,
  readPreparation,
} from '../chain/index.js'
import { getStage, getTimeLeftMs } from '../order/index.js'
import type { Amount, Order } from '../schema/index.js'
import { confirmPayment } from './confirmPayment.js'
import { getFreshOrder } from './freshOrder.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { resumePayment } from './resumePayment.js'
import { simulatePayment } from './simulatePayment.js'
import { uncertain } from './uncertain.js'
import { checkWallet, getWallet, switchWallet, type Wallet } from './wallet.js'

// A wallet takes a moment to sign; a quote that ends sooner would end in its dialog.
const signingMs = 5_000

type Payable = { transaction: PaymentTransaction; total: Amount }

const readPayable = (order: Order, nowMs: number): Payable => {
  const stage = getStage(order, nowMs)
  const currency = order.payment.currency ?? order.quote.totalPrice?.currency ?? ''
  if (stage === 'expired') throw new KassaError('pay.quote-expired', {})
  if (order.payment.status === 'crypto-payer-insufficient-funds') {
    throw new KassaError('pay.insufficient-funds', { currency })
  }
  if (order.payment.status === 'crypto-payer-insufficient-funds-for-gas') {
    throw new KassaError('pay.insufficient-funds-for-gas', {})
  }
  if (stage !== 'ready-to-pay') throw new KassaError('pay.not-payable', { reason: `it is at "${stage}"` })
  const left = getTimeLeftMs(order, nowMs)
  if (left !== undefined && left < signingMs) throw new KassaError('pay.quote-expired', {})
  const transaction = readPreparation(order)
  const total = order.quote.totalPrice
  if (!transaction || !total)
    throw new KassaError('pay.preparation-invalid', { reason: 'the service sent none' })
  return { transaction, total }
}

const isSame = (one: PaymentTransaction, other: PaymentTransaction): boolean =>
  one.chainId === other.chainId &&
  one.to === other.to &&
  one.valueWei === other.valueWei &&
  one.data === other.data &&
  one.payerAddress === other.payerAddress

/** Brings the wallet to where it can pay, and tries the payment without sending it. */
const prepareWallet = async (context: PayContext, { transaction, total }: Payable): Promise<void> => {
  const { config, setStep } = context
  setStep({ status: 'connecting' })
  const found = await getWallet(config)
  if (found.chainId !== transaction.chainId) setStep({ status: 'switching-chain', chain: transaction.chain })
  const wallet = await switchWallet(config, found, transaction)
  setStep({ status: 'checking' })
  checkWallet(wallet, transaction)
  await simulatePayment(config, wallet, transaction, total)
}

/**
 * Asks once more what the order, the clock and the wallet say at the moment of sending: a switch of networks
 * can take minutes.
 */
const recheck = async (context: PayContext, payable: Payable): Promise<Wallet> => {
  const [order, wallet] = await Promise.all([getFreshOrder(context), getWallet(context.config)])
  const now = readPayable(order, context.now())
  if (!isSame(now.transaction, payable.transaction)) throw new KassaError('pay.order-changed', {})
  checkWallet(wallet, payable.transaction)
  return wallet
}

const askWallet = async (context: PayContext, payable: Payable): Promise<SentAttempt> => {
  const { config, ledger, orderId, setStep } = context
  const { chain, chainId, to, valueWei, data, gas } = payable.transaction
  await prepareWallet(context, payable)
  const wallet = await recheck(context, payable)
  const earlier = ledger.get(orderId)
  const attempt: PaymentAttempt = {
    orderId,
    chainId,
    payerAddress: wallet.account,
    attemptedAtMs: context.now(),
  }
  ledger.put(attempt)
  setStep({ status: 'awaiting-signature' })
  const txId = await sendTransaction(config, {
    account: wallet.account,
    connector: wallet.connector,
    chainId,
    to,
    value: valueWei,
    data,
    ...(gas !== undefined && { gas }),
  }).catch((cause: unknown) => {
    // Without a clear no, nobody knows whether the payment is on its way: the attempt stays in the ledger.
    if (!isRefusal(cause)) throw uncertain(attempt, cause)
    // What was refused is this attempt; an earlier one that never came back is still open.
    if (earlier && earlier.txId === undefined) ledger.put(earlier)
    else ledger.remove(orderId)
    throw classifyWalletError(cause, chain)
  })
  const sent = { ...attempt, txId }
  ledger.put(sent)
  setStep({ status: 'broadcast', txId })
  return sent
}

/**
 * Pays an order from the connected wallet: checks what is to be signed against the order, the wallet and the
 * chain, asks the wallet once, reports the hash, and waits until the payment is in a block. An attempt made
 * before a reload is taken up again instead of asking the wallet a second time.
 *
 * @param options.isAgain - The buyer has looked in the wallet and chooses to pay although an earlier attempt
 * never came back with an answer.
 * @throws {@link KassaError} any `pay.*` or `api.*` code.
 */
export const payOrder = async (
  context: PayContext,
  options: { isAgain?: boolean | undefined } = {},
): Promise<void> => {
  context.setStep({ status: 'checking' })
  const order = await getFreshOrder(context)
  if (await resumePayment(context, order, options)) return
  await confirmPayment(context, await askWallet(context, readPayable(order, context.now())))
}
