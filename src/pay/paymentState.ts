import { type AnyKassaError, isKassaError } from '../errors/KassaError.js'
import { payError } from '../errors/payError.js'
import { findWire } from '../query/wire.js'
import type { PaymentParameters } from './payContext.js'
import type { PayStep } from './payStep.js'
import { isUncertain, uncertain } from './uncertain.js'

/** Converts any thrown value to the library's error. */
export const toKassaError = (error: unknown): AnyKassaError =>
  isKassaError(error) ? error : payError('pay.wallet-failed', { reason: String(error) }, { cause: error })

/** Returns the step that follows from an error. */
export const toStep = (error: AnyKassaError, { ledger, orderId }: PaymentParameters): PayStep => {
  if (isUncertain(error)) return { status: 'uncertain', error }
  const open = ledger.list(orderId).at(-1)
  // "Nothing was paid, pay again" would be wrong while an earlier attempt may be on its way.
  return open && error.remedy === 'pay'
    ? { status: 'uncertain', error: uncertain(open, { cause: error }) }
    : { status: 'failed', error }
}

/** Marks whether this buyer is paying now, so that the order is polled often. */
export const markPaying = ({ queryClient, client, orderId }: PaymentParameters, isPaying: boolean): void => {
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.isPaying = isPaying
}

/** Whether any attempt may be on its way. */
export const hasAttempts = ({ ledger, orderId }: PaymentParameters): boolean =>
  ledger.list(orderId).length > 0

/** Whether a step is a failure with the given code. */
export const isError = (step: PayStep, code: AnyKassaError['code']): boolean =>
  step.status === 'failed' && step.error.code === code
