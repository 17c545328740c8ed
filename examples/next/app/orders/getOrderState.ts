import type { ShopOrder } from '../../lib/store/ShopOrder'

/** Where an order stands, for the people of the shop. */
export type OrderState = 'shipped' | 'partly-shipped' | 'not-delivered' | 'on-its-way' | 'not-paid'

/** Says where an order stands. */
export const getOrderState = ({ items, paidAtMs, shippedAtMs }: ShopOrder): OrderState => {
  if (shippedAtMs !== undefined) return 'shipped'
  if (paidAtMs === undefined) return 'not-paid'
  const has = (status: string): boolean => items.some(({ delivery }) => delivery === status)
  // While something is on its way, what failed is a remark.
  if (!has('failed') || has('in-progress')) return 'on-its-way'
  return has('completed') ? 'partly-shipped' : 'not-delivered'
}
