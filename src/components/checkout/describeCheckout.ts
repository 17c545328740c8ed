import type { KassaErrorCode } from '../../errors/index.js'
import { fill } from '../../locales/fill.js'
import type { Messages } from '../../locales/Messages.js'
import { formatAmount } from '../../order/formatAmount.js'
import { isPaymentSeen } from '../../order/payment.js'
import type { Order } from '../../schema/index.js'
import { getOpenStep, isUnderWay, stepsUnderWay } from './openStep.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage, getMessages } from './value.js'

const byStage = {
  loading: 'busy',
  'needs-recipient': 'needsRecipient',
  'needs-address': 'needsAddress',
  'needs-email': 'needsEmail',
  'needs-payer': 'connectToPay',
  unavailable: 'soldOut',
  expired: 'expired',
  'insufficient-funds': 'addFunds',
  'ready-to-pay': 'ready',
  paying: 'confirming',
  delivering: 'delivering',
  completed: 'completed',
  failed: 'failed',
  unknown: 'unknown',
} satisfies Record<CheckoutStage, keyof Messages>

const count = (order: Order, status: string): number =>
  order.lineItems.filter((item) => item.delivery.status === status).length

/**
 * Says what happened to money that arrived without paying for the order. With an unknown status, the money
 * may have paid.
 */
const describeReturn = (order: Order, stage: CheckoutStage, messages: Messages): string | undefined => {
  const { received, refunded, refundHeld, refundClaimable } = order.payment
  if (refunded) return fill(messages.refunded, { amount: formatAmount(refunded, order.locale) })
  // The refund is not on its way, and only the shop knows when it will be.
  if (refundHeld || refundClaimable) return undefined
  const isOpen = received && !isPaymentSeen(order) && stage !== 'failed' && stage !== 'unknown'
  return isOpen ? messages.returning : undefined
}

/** Turns a status this version does not know into plain words. */
export const toWords = (status: string): string => status.replaceAll('-', ' ')

const describeOrder = (order: Order, stage: CheckoutStage, messages: Messages): string => {
  const { payment, lineItems } = order
  const sentence = messages[byStage[stage]]
  switch (stage) {
    case 'delivering': {
      const done = count(order, 'completed')
      return done ? fill(messages.deliveredSome, { done, count: lineItems.length }) : sentence
    }
    case 'failed':
      return order.phase === 'completed'
        ? fill(messages.failedSome, { failed: count(order, 'failed'), count: lineItems.length })
        : sentence
    case 'unknown':
      return fill(sentence, {
        status: [order.phase, order.quote.status, payment.status].map(toWords).join(', '),
      })
    default:
      return sentence
  }
}

// These stages' sentences repeat these errors, which a screen reader would then read twice.
const saidByError: ReadonlyMap<CheckoutStage, readonly KassaErrorCode[]> = new Map([
  ['expired', ['pay.quote-expired']],
  ['insufficient-funds', ['pay.insufficient-funds', 'pay.insufficient-funds-for-gas']],
])

/** Describes in one sentence what is happening in a checkout, or what the buyer has to do. */
export const describeCheckout = (value: CheckoutValue): string => {
  const messages = getMessages(value)
  const { order } = value
  const step = getOpenStep(value)
  const stage = getCheckoutStage(value)
  const returned = order && describeReturn(order, stage, messages)
  if (isUnderWay(step.status)) return messages[stepsUnderWay[step.status]]
  if (step.status === 'uncertain') return messages.confirming
  // The error says what happened; "ready" beside it would contradict it.
  if (
    step.status === 'failed' &&
    (stage === 'ready-to-pay' || saidByError.get(stage)?.includes(step.error.code))
  )
    return returned ?? messages.notPaid
  if (!order) return messages[byStage[stage]]
  if (stage === 'ready-to-pay' && order.payment.failureReason?.code === 'tx-id-not-found')
    return messages.notFound
  // At these stages, the sentence about the returned money implies that the order can be paid again. Other
  // stages need both sentences.
  if (returned && (stage === 'ready-to-pay' || stage === 'expired')) return returned
  return [describeOrder(order, stage, messages), returned].filter(Boolean).join(' ')
}
