import type { ShopOrder } from '../../lib/store/ShopOrder'

/** An order's state as the shop's staff see it. */
export type OrderState = 'shipped' | 'partly-shipped' | 'not-delivered' | 'on-its-way' | 'not-paid'

/** Returns an order's state. */
export const getOrderState = ({ items, paidAtMs, shippedAtMs }: ShopOrder): OrderState => {
  if (shippedAtMs !== undefined) return 'shipped'
  if (paidAtMs === undefined) return 'not-paid'
  const has = (status: string): boolean => items.some(({ delivery }) => delivery === status)
  // While an item is still on its way, a failed one only shows as a note.
  if (!has('failed') || has('in-progress')) return 'on-its-way'
  return has('completed') ? 'partly-shipped' : 'not-delivered'
}
