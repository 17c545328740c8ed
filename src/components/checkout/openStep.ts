import type { Messages } from '../../locales/Messages.js'
import { isPaymentReturned, isPaymentSeen } from '../../order/payment.js'
import type { CheckoutValue } from './value.js'

/** The steps during which nobody may be asked to pay, because a payment is on its way, and what is said of them. */
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
 * The step that still says something about the order: none once the service has seen the payment, and none
 * once it has sent that payment back.
 */
export const getOpenStep = ({ order, step }: CheckoutValue): CheckoutValue['step'] => {
  if (!order) return step
  const isReturned = 'txId' in step && step.txId !== undefined && isPaymentReturned(order, step.txId)
  return isPaymentSeen(order) || isReturned ? { status: 'idle' } : step
}
