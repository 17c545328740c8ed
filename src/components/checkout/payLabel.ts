import { formatAmount, getTotal } from '../../order/index.js'
import { isStopped } from './isStopped.js'
import { messages } from './messages.js'
import { getOpenStep, isUnderWay } from './openStep.js'
import { getPayAction } from './payAction.js'
import { type CheckoutValue, getCheckoutStage } from './value.js'

const getPrice = ({ order }: CheckoutValue): string | undefined => {
  const total = order && getTotal(order)
  return total && formatAmount(total, order.locale)
}

const labelOfStage = (value: CheckoutValue): string => {
  switch (getCheckoutStage(value)) {
    case 'paying':
      return messages.pay.confirming
    case 'delivering':
    case 'completed':
      return messages.pay.paid
    case 'failed':
      return value.order?.phase === 'completed' ? messages.pay.paid : messages.pay.failed
    case 'needs-payer':
      return messages.pay.connect
    case 'unavailable':
      return messages.pay.unavailable
    case 'expired':
      return messages.pay.expired
    case 'insufficient-funds':
      return value.order?.payment.status === 'crypto-payer-insufficient-funds-for-gas'
        ? messages.pay.insufficientFundsForGas
        : messages.pay.insufficientFunds(value.order?.payment.currency)
    case 'ready-to-pay':
      return isStopped(value) ? messages.pay.stopped : messages.pay.pay(getPrice(value))
    default:
      return messages.pay.pay(getPrice(value))
  }
}

/** Says on the pay button what pressing it does, or why it does nothing. */
export const getPayLabel = (value: CheckoutValue): string => {
  const step = getOpenStep(value)
  if (value.isRefreshing) return messages.pay.refreshing
  if (isUnderWay(step.status)) return messages.step[step.status].label
  switch (getPayAction(value)) {
    case 'pay-again':
      return messages.pay.again
    case 'accept-price':
      return messages.pay.accept(getPrice(value))
    case 'refresh':
      return messages.pay.refresh
    default:
      return labelOfStage(value)
  }
}
