import type { Messages } from '../../locales/Messages.js'
import { isPaymentReturned, isPaymentSeen } from '../../order/payment.js'
import type { CheckoutValue } from './value.js'

/**
 * The steps with a payment on its way, during which the buyer must not be asked to pay, and their messages.
 */
export const stepsUnderWay = {
  connecting: 'connecting',
  'switching-chain': 'switching',
  checking: 'checking',
  'awaiting-signature': 'sign',
  broadcast: 'confirming',
  confirming: 'confirming',
  paid: 'confirming',
} satisfies Partial<Record<CheckoutValue['step']['status'], keyof Messages>>

/** Whether a payment is on its way. */
export const isUnderWay = (status: string): status is keyof typeof stepsUnderWay =>
  Object.hasOwn(stepsUnderWay, status)

/**
 * Returns the step while it still says something about the order: until the service has seen the payment or
 * has refunded it.
 */
export const getOpenStep = ({ order, step }: CheckoutValue): CheckoutValue['step'] => {
  if (!order) return step
  const isReturned = 'txId' in step && step.txId !== undefined && isPaymentReturned(order, step.txId)
  return isPaymentSeen(order) || isReturned ? { status: 'idle' } : step
}
