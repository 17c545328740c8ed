import { isUnsupported } from '../chain/evm/walletError.js'
import { payError } from '../errors/payError.js'
import { isFreeOrder } from '../order/free.js'
import { isSponsored } from '../order/payment.js'
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
import type { ChainAccess, PayContext, SentAttempt } from './payContext.js'
import { reportChecked } from './reportChecked.js'
import { isSent, resumePayment } from './resumePayment.js'
import { getSeenOrder, type SeenOrder } from './seenOrder.js'
import { isPaidBySignature, refuseSignature } from './signature.js'
import { uncertain } from './uncertain.js'

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

/** How an order is paid: on its family of chains, by a transaction or by a signature. */
type Way = { family: PaymentFamily; isSigned: boolean }

const readPayable = (
  order: Order,
  context: Pick<ChainAccess, 'now'> & { orderId: string },
  { family, isSigned }: Way,
): CheckedOrder => {
  const stage = getStage(order, context.now())
  const currency = order.payment.currency ?? order.quote.totalPrice?.currency ?? ''
  if (stage === 'expired') throw payError('pay.quote-expired', {})
  if (order.payment.status === 'crypto-payer-insufficient-funds') {
    throw payError('pay.insufficient-funds', { currency })
  }
  const isSponsoredNow = isSigned && isSponsored(order)
  if (order.payment.status === 'crypto-payer-insufficient-funds-for-gas' && !isSponsoredNow) {
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
const recheck = async (context: PayContext, way: Way) => {
  const order = await getFreshOrder(context)
  if (isRunningOut(order, context.now(), lastMomentMs)) throw payError('pay.quote-expired', {})
  return { order, ...readPayable(order, context, way) }
}

/** Goes on with an attempt as the state machine decides, up to the wallet's answer. */
const send = async (
  context: PayContext,
  order: Order,
  isSigned: boolean,
): Promise<SentAttempt | undefined> => {
  const { attemptStore, decide, orderId } = context
  const way = { family: await openFamily(context, order.payment.method, isSigned), isSigned }
  const { payment, identity, terms, prepare } = readPayable(order, context, way)
  const { facts, getWallet } = await prepare(context.setStep)
  if (decide({ type: 'prepared', identity, terms })?.type !== 'approve') return undefined
  await approvePayment(context, { ...payment, order })
  const latest = await recheck(context, way)
  const next = decide({ type: 'approved', identity: latest.identity, terms: latest.terms })
  if (next?.type === 'prepare') return send(context, latest.order, isSigned)
  if (next?.type === 'stop') throw payError('pay.order-changed', {})
  if (next?.type !== 'open-wallet') return undefined
  const wallet = await getWallet()
  // A wallet may have answered after the wait for it ended. Then the order is already paid.
  const sent = attemptStore.list(orderId).findLast(isSent)
  if (sent) {
    decide({ type: 'answered', txId: sent.txId })
    return sent
  }
  reportChecked(context, facts)
  return askWallet(context, wallet)
}

/**
 * Begins an attempt, and goes on with it up to the wallet's answer. If the wallet cannot sign the payment, it has shown its
 * owner nothing, and is asked to send a transaction instead.
 */
const attemptPayment = async (
  context: PayContext,
  order: Order,
  { isSigned, isAgain = false }: Pick<PayOptions, 'isAgain'> & { isSigned: boolean },
): Promise<SentAttempt | undefined> => {
  const earlier = context.attemptStore.list(context.orderId)
  const begun = context.decide({ type: 'begun', hasOpen: earlier.length > 0, isAgain })
  const last = earlier.at(-1)
  if (begun?.type === 'stop' && last) throw uncertain(last)
  if (begun?.type !== 'prepare') return undefined
  try {
    return await send(context, order, isSigned)
  } catch (error) {
    if (!isSigned || !isUnsupported(error)) throw error
    refuseSignature(context)
    return attemptPayment(context, order, { isAgain, isSigned: false })
  }
}

/**
 * Pays an order from the connected wallet. It checks the transaction against the order, the wallet, the chain
 * and the app's own rules, asks the wallet once, reports the hash, and waits until the payment is in a block.
 * It resumes an attempt from before a reload instead of asking the wallet again. If the order offers it, the wallet signs
 * the payment, and the shop sends it.
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
  const isSigned = isPaidBySignature(context, agreed)
  const sent = await attemptPayment(context, agreed, { isAgain: options.isAgain, isSigned })
  if (sent) await confirmPayment(context, sent)
  else await resumePayment(context, await getFreshOrder(context))
}
