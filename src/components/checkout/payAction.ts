import { getTotal } from '../../order/index.js'
import { formatAmount } from './formatAmount.js'
import { messages } from './messages.js'
import { getOpenStep, isPendingStep } from './status.js'
import { type CheckoutValue, getCheckoutStage } from './value.js'

/** What pressing the pay button does now. */
export type PayAction = 'pay' | 'pay-again' | 'refresh'

/** Decides what pressing the pay button does now; undefined when it can do nothing. */
export const getPayAction = (value: CheckoutValue): PayAction | undefined => {
  const stage = getCheckoutStage(value)
  const step = getOpenStep(value)
  if (value.isRefreshing || isPendingStep(step.status)) return undefined
  // Too short a rest of the quote counts as none, before the clock says so.
  const isPriceOver = step.status === 'failed' && step.error.code === 'pay.quote-expired'
  if (stage === 'expired' || (stage === 'ready-to-pay' && isPriceOver)) return value.refresh && 'refresh'
  if (stage !== 'ready-to-pay') return undefined
  return step.status === 'uncertain' ? 'pay-again' : 'pay'
}

const labelOfStage = (value: CheckoutValue): string => {
  const total = value.order && getTotal(value.order)
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
    default:
      return messages.pay.pay(total && formatAmount(total, value.order?.locale))
  }
}

/** Says on the pay button what pressing it does, or why it does nothing. */
export const getPayLabel = (value: CheckoutValue): string => {
  const step = getOpenStep(value)
  if (value.isRefreshing) return messages.pay.refreshing
  if (isPendingStep(step.status)) return messages.step[step.status].label
  const action = getPayAction(value)
  if (action === 'pay-again') return messages.pay.again
  if (action === 'refresh') return messages.pay.refresh
  return labelOfStage(value)
}
