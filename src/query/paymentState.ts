import { type AnyKassaError, isKassaError } from '../errors/KassaError.js'
import { payError } from '../errors/payError.js'
import type { PaymentParameters } from './payContext.js'
import type { PayStep } from './payStep.js'
import { isUncertain, uncertain } from './uncertain.js'
import { findWire } from './wire.js'

/** Whatever was thrown, in the library's words. */
export const toKassaError = (error: unknown): AnyKassaError =>
  isKassaError(error) ? error : payError('pay.wallet-failed', { reason: String(error) }, { cause: error })

/** The step that an error leads to. */
export const toStep = (error: AnyKassaError, { ledger, orderId }: PaymentParameters): PayStep => {
  if (isUncertain(error)) return { status: 'uncertain', error }
  const open = ledger.list(orderId).at(-1)
  // "Nothing was paid, pay again" would be half of the truth while an earlier attempt may be under way.
  return open && error.remedy === 'pay'
    ? { status: 'uncertain', error: uncertain(open, { cause: error }) }
    : { status: 'failed', error }
}

/** Says whether this buyer is paying right now, so that the order is asked for often. */
export const markPaying = ({ queryClient, client, orderId }: PaymentParameters, isPaying: boolean): void => {
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.isPaying = isPaying
}

/** Whether anything may be under way. */
export const hasAttempts = ({ ledger, orderId }: PaymentParameters): boolean =>
  ledger.list(orderId).length > 0

/** Whether a step is the failure with a code. */
export const isError = (step: PayStep, code: AnyKassaError['code']): boolean =>
  step.status === 'failed' && step.error.code === code
