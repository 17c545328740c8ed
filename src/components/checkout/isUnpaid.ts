import { isPaymentSeen } from '../../order/payment.js'
import type { CheckoutValue } from './value.js'

/** Whether there is an order, and nobody has paid for it as far as the service knows. */
export const isUnpaid = ({ order }: CheckoutValue): boolean => order !== undefined && !isPaymentSeen(order)
