import type { Order } from 'kassa'
import type { ShopOrder } from './ShopOrder'

/** What the service tells of an order: the whole order, as it was at that moment. */
export type OrderEvent = {
  type: string
  /** When it was told, in epoch milliseconds: the same in every repetition. */
  timestamp?: number | undefined
  /** When the order was made: ISO 8601. */
  startedAt?: string | undefined
  data: Order
}

const earliest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

/** What cannot be bought is not charged, so its delivery, `failed` once the rest is paid, is none of the shop's. */
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
 * Writes into an order what an event tells of it. Events may come in any order and more than once: the newest says
 * how things are, and the first that says so when they came to be.
 *
 * @param known - The order as it was; undefined when this is the first that the shop hears of it.
 * @param id - The webhook's id, the same for every repetition.
 * @returns The very same order when it was told of this event before.
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
