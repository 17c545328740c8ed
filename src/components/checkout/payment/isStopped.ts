import type { AnyKassaError, KassaErrorCode, Remedy } from '../../../errors/index.js'
import { getOpenStep } from '../openStep.js'
import type { CheckoutValue } from '../value.js'

const beyondTheBuyer: readonly Remedy[] = ['contact-shop', 'fix-app']

// These errors are not final: the shop's own check may pass a moment later, and the order shows whether it
// can be paid.
const askedAnew: readonly KassaErrorCode[] = ['pay.vetoed', 'pay.not-payable']

const isFinal = ({ code, remedy }: AnyKassaError): boolean =>
  code.startsWith('pay.') && beyondTheBuyer.includes(remedy) && !askedAnew.includes(code)

/**
 * Whether the payment of this quote failed in a way that another click cannot fix. A new quote, or a reload,
 * allows a new check.
 */
export const isStopped = (value: CheckoutValue): boolean => {
  const step = getOpenStep(value)
  return (
    step.status === 'failed' && isFinal(step.error) && value.order?.quote.quotedAt === value.failedQuotedAt
  )
}
