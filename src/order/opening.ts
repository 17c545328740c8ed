import type { LineItem, Order } from '../schema/index.js'

/** Returns when a line item's sale opens; undefined if it is open, or the order does not say. */
export const getOpensAt = (item: LineItem | undefined): string | undefined =>
  item?.quote.status === 'item-unavailable' ? item.quote.unavailabilityReason?.availableAt : undefined

const listOpenings = ({ phase, lineItems }: Order): number[] =>
  phase === 'quote' || phase === 'payment'
    ? lineItems.flatMap((item) => {
        const opensAtMs = Date.parse(getOpensAt(item) ?? '')
        return Number.isNaN(opensAtMs) ? [] : [opensAtMs]
      })
    : []

/** Whether a line item of an order waits for its sale to open, so that a new quote will differ. */
export const hasOpening = (order: Order): boolean => listOpenings(order).length > 0

/** Whether a sale has opened since the order was quoted. */
export const hasOpened = (order: Order, nowMs: number | undefined): boolean =>
  nowMs !== undefined && listOpenings(order).some((opensAtMs) => nowMs >= opensAtMs)
