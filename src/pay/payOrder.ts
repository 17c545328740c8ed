import { payError } from '../errors/payError.js'
import { isFreeOrder } from '../order/free.js'
import { getStage } from '../order/stage.js'
import type { Amount, Order } from '../schema/index.js'
import { agreePrice, isRunningOut } from './agreePrice.js'
import { approvePayment } from './approvePayment.js'
import { askWallet } from './askWallet.js'
import { claimOrder } from './claimOrder.js'
import { confirmPayment } from './confirmPayment.js'
import type { CheckedOrder, PaymentFamily } from './family.js'
import { getFreshOrder } from './freshOrder.js'
import { openFamily } from './openFamily.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { reportChecked } from './reportChecked.js'
import { isSent, resumePayment } from './resumePayment.js'
import { getSeenOrder, type SeenOrder } from './seenOrder.js'

/** Options for a payment. */
export type PayOptions = {
  /**
   * Whether the buyer has checked the wallet and chooses to pay although an earlier attempt may be on its
   * way.
   */
  isAgain?: boolean | undefined
  /** The price the buyer saw. If the order's price differs, nothing is sent. */
  total?: Amount | undefined
}

// Less than was required at first, because the checks take time too.
const lastMomentMs = 10_000

const readPayable = (order: Order, context: PayContext, family: PaymentFamily): CheckedOrder => {
  const stage = getStage(order, context.now())
  const currency = order.payment.currency ?? order.quote.totalPrice?.currency ?? ''
  if (stage === 'expired') throw payError('pay.quote-expired', {})
  if (order.payment.status === 'crypto-payer-insufficient-funds') {
    throw payError('pay.insufficient-funds', { currency })
  }
  if (order.payment.status === 'crypto-payer-insufficient-funds-for-gas') {
    throw payError('pay.insufficient-funds-for-gas', {})
  }
  if (stage !== 'ready-to-pay') throw payError('pay.not-payable', { reason: `its stage is "${stage}"` })
  if (order.orderId !== context.orderId) {
    throw payError('pay.preparation-invalid', { reason: 'it is for another order' })
  }
  return family.check(order)
}

/**
 * Returns the order as it is now. A network switch or an app's own check can take minutes, so its payment and the clock
 * are checked once more.
 */
const recheck = async (context: PayContext, family: PaymentFamily) => {
  const order = await getFreshOrder(context)
  if (isRunningOut(order, context.now(), lastMomentMs)) throw payError('pay.quote-expired', {})
  return { order, ...readPayable(order, context, family) }
}

const send = async (
  context: PayContext,
  order: Order,
  isRenewed = false,
): Promise<SentAttempt | undefined> => {
  const family = await openFamily(context, order.payment.method)
  const { payment, identity, terms, prepare } = readPayable(order, context, family)
  const { facts, getWallet } = await prepare(context.setStep)
  await approvePayment(context, { ...payment, order })
  const latest = await recheck(context, family)
  if (latest.identity !== identity) {
    // A quote that was renewed at the same price is the same payment, valid for longer. It passes every check again.
    if (isRenewed || latest.terms !== terms) throw payError('pay.order-changed', {})
    return send(context, latest.order, true)
  }
  const wallet = await getWallet()
  // A wallet may have answered after the wait for it ended. Then the order is already paid.
  const sent = context.attemptStore.list(context.orderId).findLast(isSent)
  if (sent) return sent
  reportChecked(context, facts)
  return askWallet(context, wallet)
}

/**
 * Pays an order from the connected wallet. It checks the transaction against the order, the wallet, the chain
 * and the app's own rules, asks the wallet once, reports the hash, and waits until the payment is in a block.
 * It resumes an attempt from before a reload instead of asking the wallet again.
 *
 * @param seen - The order as the buyer saw it when pressing the button.
 * @throws {@link KassaError} any `pay.*` or `api.*` code.
 */
export const payOrder = async (
  context: PayContext,
  options: PayOptions = {},
  seen: SeenOrder = getSeenOrder(context, options.total),
): Promise<void> => {
  const order = await getFreshOrder(context)
  if (await resumePayment(context, order, options)) return
  // The same amount on another chain is another price.
  if (seen.method !== undefined && seen.method !== order.payment.method)
    throw payError('pay.order-changed', {})
  const agreed = await agreePrice(context, order, seen.total)
  if (isFreeOrder(agreed)) return claimOrder(context)
  const sent = await send(context, agreed)
  if (sent) await confirmPayment(context, sent)
  else await resumePayment(context, await getFreshOrder(context))
}
