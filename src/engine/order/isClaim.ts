import { isFree } from './isFree.js'
import type { OrderState } from './order.js'
import type { TermsChange } from './terms.js'

/**
 * Whether an edit claims an order, if it costs nothing then: one that names the recipient, one that adds what a free
 * order lacked, and one without any change. Any other edit leaves the claim to the buyer, who first sees its effect.
 *
 * @param changes - `undefined` if only the price is renewed.
 */
export const isClaim = (order: OrderState, changes: TermsChange | undefined): boolean => {
  if (!changes || changes.promotionCode != null) return false
  const lacked = isFree(order) && order.payment.status !== 'awaiting-payment'
  return changes.recipient !== undefined || lacked || Object.keys(changes).length === 0
}
