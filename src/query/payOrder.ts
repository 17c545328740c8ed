import { sendTransaction } from 'wagmi/actions'
import { KassaError } from '../api/index.js'
import {
  classifyWalletError,
  isWalletAnswer,
  type PaymentAttempt,
  type PaymentTransaction,
  readPreparation,
} from '../chain/index.js'
import { getStage, getTimeLeftMs } from '../order/index.js'
import type { Amount, Order } from '../schema/index.js'
import { confirmPayment } from './confirmPayment.js'
import type { PayContext } from './payContext.js'
import { getFreshOrder, resumePayment, uncertain } from './resumePayment.js'
import { simulatePayment } from './simulatePayment.js'
import { checkWallet, getWallet, switchWallet } from './wallet.js'

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

const askWallet = async (
  context: PayContext,
  { transaction, total }: Payable,
): Promise<PaymentAttempt & { txId: string }> => {
  const { config, ledger, orderId, setStep } = context
  const { chain, chainId, to, valueWei, data, gas } = transaction
  setStep({ status: 'connecting' })
  const found = await getWallet(config)
  if (found.chainId !== chainId) setStep({ status: 'switching-chain', chain })
  const switched = await switchWallet(config, found, transaction)
  setStep({ status: 'checking' })
  checkWallet(switched, transaction)
  await simulatePayment(config, switched, transaction, total)
  // Asked once more at the last moment: the account or the chain may have changed during the simulation.
  const wallet = await getWallet(config)
  checkWallet(wallet, transaction)
  const attempt = { orderId, chainId, payerAddress: wallet.account, attemptedAtMs: context.now() }
  ledger.put(attempt)
  setStep({ status: 'awaiting-signature' })
  try {
    const txId = await sendTransaction(config, {
      account: wallet.account,
      connector: wallet.connector,
      chainId,
      to,
      value: valueWei,
      data,
      ...(gas !== undefined && { gas }),
    })
    const sent = { ...attempt, txId }
    ledger.put(sent)
    setStep({ status: 'broadcast', txId })
    return sent
  } catch (cause) {
    // Without an answer nobody knows whether the payment is on its way: the attempt stays in the ledger.
    if (!isWalletAnswer(cause)) throw uncertain(attempt, cause)
    ledger.remove(orderId)
    throw classifyWalletError(cause, chain)
  }
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
