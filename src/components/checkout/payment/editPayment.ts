import type { Order } from '../../../schema/index.js'
import { isEditable } from '../forms/isEditable.js'
import type { CheckoutValue } from '../value.js'

type Payment = Pick<Order['payment'], 'method' | 'currency'>

/**
 * Changes how an order is paid and by whom, if it may be changed now.
 *
 * @returns Whether the change was requested.
 */
export const editPayment = (
  value: CheckoutValue,
  { method, currency }: Payment = {},
  payerAddress?: string,
): boolean => {
  if (!method || !currency || !isEditable(value)) return false
  value.edit?.({ payment: { method, currency, ...(payerAddress && { payerAddress }) } })
  return true
}
