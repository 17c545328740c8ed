import type { AnyKassaError, KassaErrorCode, Remedy } from '../../errors/index.js'
import { getOpenStep } from './openStep.js'
import type { CheckoutValue } from './value.js'

const beyondTheBuyer: readonly Remedy[] = ['contact-shop', 'fix-app']

// The shop's own check may say yes a moment later, and whether an order can be paid is read from the order.
const askedAnew: readonly KassaErrorCode[] = ['pay.vetoed', 'pay.not-payable']

const isFinal = ({ code, remedy }: AnyKassaError): boolean =>
  code.startsWith('pay.') && beyondTheBuyer.includes(remedy) && !askedAnew.includes(code)

/**
 * Whether the payment of this quote failed in a way that no press of a button mends. A new quote is checked
 * anew, and so is everything after a reload.
 */
export const isStopped = (value: CheckoutValue): boolean => {
  const step = getOpenStep(value)
  return (
    step.status === 'failed' && isFinal(step.error) && value.order?.quote.quotedAt === value.failedQuotedAt
  )
}
