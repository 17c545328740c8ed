import { hasOpened } from '../../../order/opening.js'
import { awaitsDecision } from '../../../order/payment.js'
import { getOpenStep, isUnderWay } from '../openStep.js'
import { type CheckoutValue, getCheckoutStage } from '../value.js'
import { isStopped } from './isStopped.js'

/** The effect of pressing the pay button. */
export type PayAction = 'pay' | 'pay-again' | 'accept-price' | 'refresh'

/** Decides the effect of pressing the pay button now; undefined when it has none. */
export const getPayAction = (value: CheckoutValue): PayAction | undefined => {
  const stage = getCheckoutStage(value)
  const step = getOpenStep(value)
  // During a change, neither the new price nor its currency is known.
  if (value.isRefreshing || value.isEditing || isUnderWay(step.status)) return undefined
  const { order, nowMs } = value
  // The sale has opened since: only a new quote can say what it costs now.
  if (stage === 'unavailable' && order && hasOpened(order, nowMs)) return value.refresh && 'refresh'
  const isExpired = stage === 'expired'
  if (!isExpired && stage !== 'ready-to-pay') return undefined
  // Comes before the price, because a new price would not reveal the outcome of the payment.
  if (step.status === 'uncertain') return 'pay-again'
  const code = step.status === 'failed' ? step.error.code : undefined
  // A quote with too little time left counts as expired before the clock says so.
  // A part of the price that waits for its refund keeps the service from quoting again.
  const mayRefresh = value.refresh && !(order && awaitsDecision(order))
  if (isExpired || code === 'pay.quote-expired') return mayRefresh ? 'refresh' : undefined
  if (code === 'pay.price-changed') return 'accept-price'
  return isStopped(value) ? undefined : 'pay'
}
