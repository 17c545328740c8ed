import type { Messages } from '../../locales/Messages.js'
import { isPaymentReturned, isPaymentSeen } from '../../order/payment.js'
import type { CheckoutValue } from './value.js'

/**
 * The steps with a payment on its way, during which the buyer must not be asked to pay, and their messages.
 */
const stepsUnderWay = {
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
 * Says what happens in a step with a payment on its way. Of several requests to the wallet, it says which one waits.
 *
 * @returns Undefined in any other step.
 */
export const describeStep = (step: CheckoutValue['step'], messages: Messages): string | undefined => {
  if (!isUnderWay(step.status)) return undefined
  const part = step.status === 'awaiting-signature' ? step.part : undefined
  const sentence = messages[stepsUnderWay[step.status]]
  return part ? `${sentence} (${part.number}/${part.count})` : sentence
}

/**
 * Returns the step while it still says something about the order: until the service has seen the payment or
 * has refunded it.
 */
export const getOpenStep = ({ order, step }: CheckoutValue): CheckoutValue['step'] => {
  if (!order) return step
  const isReturned = 'txId' in step && step.txId !== undefined && isPaymentReturned(order, step.txId)
  return isPaymentSeen(order) || isReturned ? { status: 'idle' } : step
}
