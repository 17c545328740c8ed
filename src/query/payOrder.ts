import { getConnection } from 'wagmi/actions'
import { checkPayment } from '../chain/checkPayment.js'
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
import { isSent, resumePayment } from './resumePayment.js'
import { getSeenOrder, type SeenOrder } from './seenOrder.js'
import { type Simulation, simulatePayment } from './simulatePayment.js'
import { tellChecked } from './tellChecked.js'
import { checkWallet, getWallet, switchWallet, type Wallet } from './wallet.js'

/** How a payment is to be made. */
export type PayOptions = {
  /** The buyer has looked in the wallet and chooses to pay although an earlier attempt may be under way. */
  isAgain?: boolean | undefined
  /** The price the buyer saw: if the order costs anything else by now, nothing is sent. */
  total?: Amount | undefined
}

// Less than was asked for at first, because the checks take their time too.
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

/** Brings the wallet to where it can pay, and tries the payment without sending it. */
const prepareWallet = async (context: PayContext, payment: CheckedPayment): Promise<Simulation> => {
  const { config, setStep } = context
  // Only where it takes a moment: a word that comes and goes at once is read aloud for nothing.
  if (getConnection(config).status !== 'connected') setStep({ status: 'connecting' })
  const found = await getWallet(config)
  if (found.chainId !== payment.chainId) setStep({ status: 'switching-chain', chain: payment.chain })
  const wallet = await switchWallet(config, found, payment)
  setStep({ status: 'checking' })
  checkWallet(wallet, payment)
  return simulatePayment(config, payment)
}

/**
 * Asks once more what the order, the clock and the wallet say at the moment of sending: a switch of networks,
 * or an app's own check, can take minutes.
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
  // A wallet that was given up may have answered meanwhile: then the order is paid already.
  const sent = context.ledger.list(context.orderId).findLast(isSent)
  if (sent) return sent
  tellChecked(context, payment, simulation)
  return askWallet(context, wallet, payment, simulation)
}

/**
 * Pays an order from the connected wallet: checks what is to be signed against the order, the wallet, the chain
 * and the app's own rules, asks the wallet once, reports the hash, and waits until the payment is in a block.
 * An attempt made before a reload is taken up again instead of asking the wallet a second time.
 *
 * @param seen - The order as the buyer saw it when they pressed the button.
 * @throws {@link KassaError} any `pay.*` or `api.*` code.
 */
export const payOrder = async (
  context: PayContext,
  options: PayOptions = {},
  seen: SeenOrder = getSeenOrder(context, options.total),
): Promise<void> => {
  const order = await getFreshOrder(context)
  if (await resumePayment(context, order, options)) return
  // The same figure on another chain is another money.
  if (seen.method !== undefined && seen.method !== order.payment.method)
    throw payError('pay.order-changed', {})
  const sent = await send(context, await agreePrice(context, order, seen.total))
  if (sent) await confirmPayment(context, sent)
  else await resumePayment(context, await getFreshOrder(context))
}
