import { isStopped } from './isStopped.js'
import { getOpenStep, isUnderWay } from './openStep.js'
import { type CheckoutValue, getCheckoutStage } from './value.js'

/** What pressing the pay button does now. */
export type PayAction = 'pay' | 'pay-again' | 'accept-price' | 'refresh'

/** Decides what pressing the pay button does now; undefined when it can do nothing. */
export const getPayAction = (value: CheckoutValue): PayAction | undefined => {
  const stage = getCheckoutStage(value)
  const step = getOpenStep(value)
  // What a change will bring is not known yet: neither the price nor what to pay it in.
  if (value.isRefreshing || value.isEditing || isUnderWay(step.status)) return undefined
  const isExpired = stage === 'expired'
  if (!isExpired && stage !== 'ready-to-pay') return undefined
  // Before the price is looked at: a new one would not tell what became of the payment.
  if (step.status === 'uncertain') return 'pay-again'
  const code = step.status === 'failed' ? step.error.code : undefined
  // Too short a rest of the quote counts as none, before the clock says so.
  if (isExpired || code === 'pay.quote-expired') return value.refresh && 'refresh'
  if (code === 'pay.price-changed') return 'accept-price'
  return isStopped(value) ? undefined : 'pay'
}
