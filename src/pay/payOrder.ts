import { getConnection } from 'wagmi/actions'
import { checkPayment } from '../chain/evm/checkPayment.js'
import type { CheckedPayment } from '../chain/index.js'
import { payError } from '../errors/payError.js'
import { getStage } from '../order/stage.js'
import type { Amount, Order } from '../schema/index.js'
import { agreePrice, isRunningOut } from './agreePrice.js'
import { approvePayment } from './approvePayment.js'
import { askWallet } from './askWallet.js'
import { confirmPayment } from './confirmPayment.js'
import { getFreshOrder } from './freshOrder.js'
import type { PayContext, SentAttempt } from './payContext.js'
import { reportChecked } from './reportChecked.js'
import { isSent, resumePayment } from './resumePayment.js'
import { getSeenOrder, type SeenOrder } from './seenOrder.js'
import { type Simulation, simulatePayment } from './simulatePayment.js'
import { checkWallet, getWallet, switchWallet, type Wallet } from './wallet.js'

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

const readPayable = (order: Order, context: PayContext): CheckedPayment => {
  const stage = getStage(order, context.now())
  const currency = order.payment.currency ?? order.quote.totalPrice?.currency ?? ''
  if (stage === 'expired') throw payError('pay.quote-expired', {})
  if (order.payment.status === 'crypto-payer-insufficient-funds') {
    throw payError('pay.insufficient-funds', { currency })
  }
  if (order.payment.status === 'crypto-payer-insufficient-funds-for-gas') {
    throw payError('pay.insufficient-funds-for-gas', {})
  }
  if (stage !== 'ready-to-pay') throw payError('pay.not-payable', { reason: `it is at "${stage}"` })
  if (order.orderId !== context.orderId) {
    throw payError('pay.preparation-invalid', { reason: 'it is of another order' })
  }
  return checkPayment(order, context.rules ?? {})
}

const isSame = (one: CheckedPayment, other: CheckedPayment): boolean =>
  one.chainId === other.chainId &&
  one.to === other.to &&
  one.valueWei === other.valueWei &&
  one.data === other.data &&
  one.payerAddress === other.payerAddress

/** Prepares the wallet for the payment, and simulates it. */
const prepareWallet = async (context: PayContext, payment: CheckedPayment): Promise<Simulation> => {
  const { config, setStep } = context
  // Only a step that takes a moment, because a screen reader would announce a text that disappears at once.
  if (getConnection(config).status !== 'connected') setStep({ status: 'connecting' })
  const found = await getWallet(config)
  if (found.chainId !== payment.chainId) setStep({ status: 'switching-chain', chain: payment.chain })
  const wallet = await switchWallet(config, found, payment)
  setStep({ status: 'checking' })
  checkWallet(wallet, payment)
  return simulatePayment(config, payment)
}

/**
 * Checks the order, the clock and the wallet once more right before sending, because a network switch or an
 * app's own check can take minutes.
 */
const recheck = async (context: PayContext, payment: CheckedPayment): Promise<Wallet> => {
  const [order, wallet] = await Promise.all([getFreshOrder(context), getWallet(context.config)])
  if (isRunningOut(order, context.now(), lastMomentMs)) throw payError('pay.quote-expired', {})
  if (!isSame(readPayable(order, context), payment)) throw payError('pay.order-changed', {})
  checkWallet(wallet, payment)
  return wallet
}

const send = async (context: PayContext, order: Order): Promise<SentAttempt | undefined> => {
  const payment = readPayable(order, context)
  const simulation = await prepareWallet(context, payment)
  await approvePayment(context, { ...payment, order })
  const wallet = await recheck(context, payment)
  // A wallet may have answered after the wait for it ended. Then the order is already paid.
  const sent = context.ledger.list(context.orderId).findLast(isSent)
  if (sent) return sent
  reportChecked(context, payment, simulation)
  return askWallet(context, wallet, payment, simulation)
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
  const sent = await send(context, await agreePrice(context, order, seen.total))
  if (sent) await confirmPayment(context, sent)
  else await resumePayment(context, await getFreshOrder(context))
}
