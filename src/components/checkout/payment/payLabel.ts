import { fill } from '../../../locales/fill.js'
import { formatAmount } from '../../../order/formatAmount.js'
import { getTotal } from '../../../order/totals.js'
import { getOpenStep, isUnderWay, stepsUnderWay } from '../openStep.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'
import { isStopped } from './isStopped.js'
import { getPayAction } from './payAction.js'

const getPrice = ({ order }: CheckoutValue): string | undefined => {
  const total = order && getTotal(order)
  return total && formatAmount(total, order.locale)
}

const labelOfStage = (value: CheckoutValue): string => {
  const messages = getMessages(value)
  const { order } = value
  switch (getCheckoutStage(value)) {
    case 'paying':
      return messages.confirming
    case 'delivering':
    case 'completed':
      return messages.paid
    case 'failed':
      return order?.phase === 'completed' ? messages.paid : messages.paymentFailed
    case 'needs-payer':
      return messages.connectToPay
    case 'unavailable':
      return messages.notAvailable
    case 'expired':
      return messages.expired
    case 'insufficient-funds':
      return order?.payment.status === 'crypto-payer-insufficient-funds-for-gas'
        ? messages.lacksForFee
        : fill(messages.lacks, { currency: order?.payment.currency?.toUpperCase() })
    case 'ready-to-pay':
      if (isStopped(value)) return messages.stopped
  }
  return fill(messages.pay, { amount: getPrice(value) })
}

/** Returns the pay button's label: what pressing it does, or why it does nothing. */
export const getPayLabel = (value: CheckoutValue): string => {
  const messages = getMessages(value)
  const step = getOpenStep(value)
  if (value.isRefreshing || value.isEditing) return messages.busy
  if (isUnderWay(step.status)) return messages[stepsUnderWay[step.status]]
  switch (getPayAction(value)) {
    case 'pay-again':
      return messages.payAgain
    case 'accept-price':
      return fill(messages.accept, { amount: getPrice(value) })
    case 'refresh':
      return messages.refresh
    default:
      return labelOfStage(value)
  }
}
