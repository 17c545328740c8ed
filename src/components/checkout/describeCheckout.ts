import type { KassaErrorCode } from '../../errors/index.js'
import type { Order } from '../../schema/index.js'
import { messages, toWords } from './messages.js'
import { getOpenStep, isUnderWay } from './openStep.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage } from './value.js'

const count = (order: Order, status: string): number =>
  order.lineItems.filter((item) => item.delivery.status === status).length

const describeFailed = (order: Order): string => {
  if (order.phase !== 'completed') return messages.paymentFailed
  const failed = messages.failedSome(count(order, 'failed'), order.lineItems.length)
  return order.payment.refunded ? `${failed}; ${messages.refunded}.` : `${failed}.`
}

const describeOrder = (order: Order, value: CheckoutValue): string => {
  const stage = getCheckoutStage(value)
  const { payment } = order
  switch (stage) {
    case 'delivering': {
      const delivered = count(order, 'completed')
      return delivered ? messages.deliveringSome(delivered, order.lineItems.length) : messages.status[stage]
    }
    case 'insufficient-funds':
      return payment.status === 'crypto-payer-insufficient-funds-for-gas'
        ? messages.insufficientFundsForGas
        : messages.status[stage]
    case 'failed':
      return describeFailed(order)
    case 'unknown':
      return messages.unknownStatuses(
        [order.phase, order.quote.status, payment.status].map(toWords).join(', '),
      )
    case 'ready-to-pay':
    case 'expired':
      if (!payment.received) return messages.status[stage]
      return payment.refunded ? messages.paymentReturned : messages.paymentReturning
    default:
      return messages.status[stage]
  }
}

// What the sentence of a stage says too: beside one of these errors it would be read aloud a second time.
const saidByError: ReadonlyMap<CheckoutStage, readonly KassaErrorCode[]> = new Map([
  ['expired', ['pay.quote-expired']],
  ['insufficient-funds', ['pay.insufficient-funds', 'pay.insufficient-funds-for-gas']],
])

/** Says in one sentence what is happening in a checkout, or what the buyer has to do. */
export const describeCheckout = (value: CheckoutValue): string => {
  const step = getOpenStep(value)
  const stage = getCheckoutStage(value)
  if (isUnderWay(step.status)) return messages.step[step.status].sentence
  if (step.status === 'uncertain')
    return step.error.code === 'pay.dropped' ? messages.dropped : messages.uncertain
  // The error says what happened; "ready" beside it would contradict it.
  if (
    step.status === 'failed' &&
    (stage === 'ready-to-pay' || saidByError.get(stage)?.includes(step.error.code))
  )
    return messages.notPaid
  if (!value.order) return messages.status[stage]
  return describeOrder(value.order, value)
}
