import { refreshOrder } from '../api/orders.js'
import { isKassaError } from '../errors/KassaError.js'
import { payError } from '../errors/payError.js'
import { formatAmount } from '../order/formatAmount.js'
import { getAmountDue } from '../order/payment.js'
import { getStage } from '../order/stage.js'
import { getTimeLeftMs } from '../order/timeLeft.js'
import { setOrder } from '../query/setOrder.js'
import { findWire } from '../query/wire.js'
import { ofFamily, type PerFamily } from '../schema/chains.js'
import type { Amount, Order } from '../schema/index.js'
import { getFreshOrder } from './freshOrder.js'
import type { ChainAccess, OrderAccess } from './payContext.js'

// The time a buyer usually takes to sign. A quote that expires sooner would expire while the wallet's dialog
// is open.
const signingMs = 15_000

/** Whether two prices are equal in amount and currency. */
export const isSamePrice = (one: Amount | undefined, other: Amount | undefined): boolean =>
  one?.amount === other?.amount && one?.currency.toLowerCase() === other?.currency.toLowerCase()

/** Whether a buyer who has agreed to a price pays what is due now: that price, or what is left of the total. */
export const isAgreed = (agreed: Amount, order: Order): boolean =>
  isSamePrice(agreed, getAmountDue(order)) || isSamePrice(agreed, order.quote.totalPrice)

/** Formats a price for a message to the buyer. */
export const describePrice = (price: Amount | undefined, { locale }: Order): string =>
  price ? formatAmount(price, locale) : 'no price'

const getLeftMs = (order: Order, nowMs: number): number =>
  getTimeLeftMs(order, nowMs) ?? Number.POSITIVE_INFINITY

/** Whether a quote has expired or will expire before a buyer usually signs. */
export const isRunningOut = (order: Order, nowMs: number, withinMs = signingMs): boolean => {
  const stage = getStage(order, nowMs)
  return stage === 'expired' || (stage === 'ready-to-pay' && getLeftMs(order, nowMs) < withinMs)
}

// How old a price may be before its transaction runs out. One on Solana names a block that the network forgets after
// about a minute, and a younger price leaves the buyer most of it.
const staleMs: PerFamily<number> = { evm: Number.POSITIVE_INFINITY, solana: 20_000 }

/** Whether the transaction to sign would run out before the price does. */
const isStale = ({ payment, quote }: Order, nowMs: number): boolean =>
  nowMs - Date.parse(quote.quotedAt ?? '') > ofFamily(staleMs, payment.method)

const refresh = async (context: OrderAccess): Promise<Order> => {
  const { client, queryClient, orderId, clientSecret } = context
  try {
    const order = await refreshOrder(client, { orderId, clientSecret })
    setOrder(queryClient, client, order)
    return order
  } catch (error) {
    // The order has changed meanwhile, so its current state decides.
    if (isKassaError(error, 'api.conflict')) return getFreshOrder(context)
    throw error
  }
}

/**
 * Ensures that the quote lasts as long as signing usually takes, and that the price is the one the buyer saw.
 *
 * @param shown - The price the buyer has agreed to; undefined when none was shown.
 * @throws {@link KassaError} `pay.quote-expired`; `pay.price-changed` when the buyer has to agree first.
 */
export const agreePrice = async (
  context: OrderAccess & Pick<ChainAccess, 'now'>,
  order: Order,
  shown: Amount | undefined,
): Promise<Order> => {
  const nowMs = context.now()
  const current = isRunningOut(order, nowMs) || isStale(order, nowMs) ? await refresh(context) : order
  if (isRunningOut(current, context.now())) throw payError('pay.quote-expired', {})
  const price = getAmountDue(current)
  if (shown && !isAgreed(shown, current)) {
    throw payError('pay.price-changed', {
      from: describePrice(shown, current),
      to: describePrice(price, current),
    })
  }
  const wire = findWire(context.queryClient, context.client, context.orderId)
  if (wire) wire.agreed = price
  return current
}
