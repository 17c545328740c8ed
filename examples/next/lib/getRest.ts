import type { Order } from 'kassa'
import type { Cart } from './readCart'

/** What is left of an order that asks for more than there is. */
export type Rest = {
  /** How many copies are left, over all editions. */
  count: number
  cart: Cart
}

/** Returns what can still be bought of an order's editions; undefined if nothing is left. */
export const getRest = ({ lineItems, metadata }: Order): Rest | undefined => {
  const editions = Array.isArray(metadata?.editions) ? metadata.editions : []
  const items = lineItems.flatMap(({ quantity = 1, quote }, index) => {
    const edition: unknown = editions[index]
    const { unavailabilityReason, allowance, available = 0 } = quote
    const isLimited = unavailabilityReason?.code === 'limit-reached'
    const left = Math.min(quantity, isLimited ? (allowance?.left ?? 0) : available)
    return typeof edition === 'string' && left > 0 ? { edition, quantity: left } : []
  })
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0)
  return count > 0 ? { count, cart: { items } } : undefined
}
