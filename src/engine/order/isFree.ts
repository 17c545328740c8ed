import type { OrderState } from './order.js'

/** Whether an order has a price, and it is zero. */
export const isFree = ({ quote }: Pick<OrderState, 'quote'>): boolean =>
  quote.status === 'valid' && quote.totalUnits === '0'
