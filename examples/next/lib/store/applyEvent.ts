import type { Order } from 'kassa'
import type { ShopOrder } from './ShopOrder'

/** The content of an order event: the whole order as it was at that moment. */
export type OrderEvent = {
  type: string
  /** The event's time in epoch milliseconds, identical in every redelivery. */
  timestamp?: number | undefined
  /** When the order was created: ISO 8601. */
  startedAt?: string | undefined
  data: Order
}

const earliest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

/**
 * An item that cannot be bought is not charged. Its delivery fails once the rest is paid, and the shop
 * ignores that.
 */
const isSold = ({ quote }: Order['lineItems'][number]): boolean => quote.status !== 'item-unavailable'

const readItems = ({ lineItems }: Order): ShopOrder['items'] =>
  lineItems.map((item) => ({
    name: item.metadata?.name ?? 'Untitled',
    quantity: item.quantity ?? item.callData?.quantity ?? 1,
    delivery: isSold(item) ? item.delivery.status : 'not-sold',
  }))

const readMoney = <Money extends { amount: string; currency: string }>(money: Money | undefined) =>
  money && { amount: money.amount, currency: money.currency }

/**
 * Applies an event to an order. Events may arrive in any order and more than once: the newest sets the
 * current state, and the first to report a state sets its time.
 *
 * @param known - The stored order; undefined for the order's first event.
 * @param id - The webhook's id, the same for every redelivery.
 * @returns The identical object when the event was applied before.
 */
export const applyEvent = (known: ShopOrder | undefined, event: OrderEvent, id: string): ShopOrder => {
  const events = known?.events ?? []
  if (known && events.some((told) => told.id === id)) return known
  const { data, type } = event
  const startedAtMs = Date.parse(event.startedAt ?? '') || undefined
  const atMs = event.timestamp ?? startedAtMs ?? 0
  const isPaid = data.payment.status === 'completed'
  const sold = data.lineItems.filter(isSold)
  const isShipped = sold.length > 0 && sold.every(({ delivery }) => delivery.status === 'completed')
  const isNewest = events.every((told) => told.atMs <= atMs)
  const paidAtMs = earliest(known?.paidAtMs, isPaid ? atMs : undefined)
  const shippedAtMs = earliest(known?.shippedAtMs, isShipped ? atMs : undefined)
  const { items, total, refunded } =
    known && !isNewest
      ? known
      : {
          items: readItems(data),
          total: readMoney(data.quote.totalPrice),
          refunded: readMoney(data.payment.refunded),
        }
  return {
    orderId: data.orderId,
    items,
    ...(total && { total }),
    ...(refunded && { refunded }),
    placedAtMs: earliest(known?.placedAtMs, startedAtMs ?? atMs) ?? atMs,
    ...(paidAtMs !== undefined && { paidAtMs }),
    ...(shippedAtMs !== undefined && { shippedAtMs }),
    events: [...events, { id, type, atMs }].sort((one, other) => one.atMs - other.atMs),
  }
}
