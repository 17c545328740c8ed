import { isPaymentSeen } from '../../../order/payment.js'
import type { CheckoutValue } from '../value.js'

/** Whether the order has loaded and is unpaid as far as the service knows. */
export const isUnpaid = ({ order }: CheckoutValue): boolean => order !== undefined && !isPaymentSeen(order)
