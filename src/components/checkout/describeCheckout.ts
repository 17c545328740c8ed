import type { KassaErrorCode } from '../../errors/index.js'
import { fill } from '../../locales/fill.js'
import type { Messages } from '../../locales/Messages.js'
import { isNotConfirmed, isWaitingForShop } from '../../order/capture.js'
import { formatAmount } from '../../order/formatAmount.js'
import { isFreeOrder } from '../../order/free.js'
import { isPaymentSeen } from '../../order/payment.js'
import type { Order } from '../../schema/index.js'
import { describeUnavailable } from './items/describeUnavailable.js'
import { describeStep, getOpenStep } from './openStep.js'
import { describeHeld } from './progress/describeHeld.js'
import { describeCause, describeRefunded } from './progress/describeRefund.js'
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
  paying: 'confirming',
  delivering: 'delivering',
  completed: 'completed',
  failed: 'failed',
  unknown: 'unknown',
} satisfies Record<Exclude<CheckoutStage, 'ready-to-pay'>, keyof Messages>

// An order that can be paid needs no sentence: the pay button says it.
const describeStage = (stage: CheckoutStage, messages: Messages): string =>
  stage === 'ready-to-pay' ? '' : messages[byStage[stage]]

const count = (order: Order, status: string): number =>
  order.lineItems.filter((item) => item.delivery.status === status).length

// An order that failed says these itself.
const saidByFailure = ['undelivered', 'voided', 'capture-expired']

/**
 * Says what happened to money that arrived without paying for the order. With an unknown status, the money
 * may have paid.
 */
const describeReturn = (order: Order, stage: CheckoutStage, messages: Messages): string | undefined => {
  const { received, remaining, refundClaimable, failureReason } = order.payment
  const refunded = describeRefunded(order, messages, stage === 'failed' ? saidByFailure : [])
  if (refunded) return refunded
  const held = describeHeld(order, messages)
  if (held) return held
  if (refundClaimable) return undefined
  const isOpen = received && !isPaymentSeen(order) && stage !== 'failed' && stage !== 'unknown'
  if (!isOpen) return undefined
  return remaining && stage !== 'expired'
    ? fill(messages.partPaid, { amount: formatAmount(remaining, order.locale) })
    : [messages.returning, describeCause(failureReason?.code ?? '', messages)].filter(Boolean).join(' ')
}

/** Turns a status this version does not know into plain words. */
export const toWords = (status: string): string => status.replaceAll('-', ' ')

/** Says why nothing can be bought: a rule of the sale, all is sold out, or fewer are left than the order asks for. */
const describeShortage = ({ lineItems }: Order, messages: Messages): string => {
  const { soldOut, tooFew, notAvailable } = messages
  const closed = new Set(lineItems.map((item) => describeUnavailable(item, messages)))
  const [rule] = closed
  if (rule !== undefined) return closed.size > 1 ? notAvailable : rule
  const [short, ...others] = lineItems.filter(({ quote }) => quote.available)
  if (!short) return soldOut
  // Each line item says its own number.
  return others.length ? notAvailable : fill(tooFew, { count: short.quote.available })
}

const describeOrder = (order: Order, stage: CheckoutStage, messages: Messages): string => {
  const { payment, lineItems } = order
  const sentence = describeStage(stage, messages)
  switch (stage) {
    case 'delivering': {
      if (isWaitingForShop(order)) return messages.waitingForShop
      if (isFreeOrder(order)) return messages.claimedDelivering
      const done = count(order, 'completed')
      return done ? fill(messages.deliveredSome, { done, count: lineItems.length }) : sentence
    }
    case 'failed':
      if (isNotConfirmed(order)) return messages.notConfirmed
      return order.phase === 'completed'
        ? fill(messages.failedSome, { failed: count(order, 'failed'), count: lineItems.length })
        : sentence
    case 'unavailable':
      return describeShortage(order, messages)
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

/**
 * Describes in one sentence what is happening in a checkout, or what the buyer has to do. Empty when the order is
 * ready to be paid.
 *
 * @param hasWallet - Whether a wallet is connected on the chain of the payment.
 */
export const describeCheckout = (value: CheckoutValue, hasWallet = false): string => {
  const messages = getMessages(value)
  const { order } = value
  const step = getOpenStep(value)
  const stage = getCheckoutStage(value)
  const returned = order && describeReturn(order, stage, messages)
  const underWay = describeStep(step, messages)
  if (underWay !== undefined) return underWay
  if (step.status === 'uncertain') return messages.confirming
  // The error says what happened; the sentence says that nothing is paid.
  if (
    step.status === 'failed' &&
    (stage === 'ready-to-pay' || saidByError.get(stage)?.includes(step.error.code))
  )
    return returned ?? messages.notPaid
  if (!order) return describeStage(stage, messages)
  if (stage === 'needs-payer' && hasWallet && !returned) return messages.choosePayer
  if (stage === 'ready-to-pay' && order.payment.failureReason?.code === 'tx-id-not-found')
    return messages.notFound
  // At these stages, the sentence about the returned money implies that the order can be paid again. Other
  // stages need both sentences.
  if (returned && ['needs-payer', 'ready-to-pay', 'expired'].includes(stage)) return returned
  return [describeOrder(order, stage, messages), returned].filter(Boolean).join(' ')
}
