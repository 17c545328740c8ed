import { isPaymentReturned, isPaymentSeen } from '../../order/index.js'
import { messages } from './messages.js'
import type { CheckoutValue } from './value.js'

/** Steps during which nobody may be asked to pay, because a payment is on its way. */
export const isUnderWay = (status: string): status is keyof typeof messages.step =>
  Object.hasOwn(messages.step, status)

/**
 * The step that still says something about the order: none once the service has seen the payment, and none
 * once it has sent that payment back.
 */
export const getOpenStep = ({ order, step }: CheckoutValue): CheckoutValue['step'] => {
  if (!order) return step
  const isReturned = 'txId' in step && step.txId !== undefined && isPaymentReturned(order, step.txId)
  return isPaymentSeen(order) || isReturned ? { status: 'idle' } : step
}
