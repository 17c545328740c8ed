import type { KassaError } from '../errors/index.js'
import { payError } from '../errors/payError.js'

/** Creates the error for a preparation that cannot be read as a payment. */
export const invalid = (reason: string, cause?: unknown): KassaError<'pay.preparation-invalid'> =>
  payError('pay.preparation-invalid', { reason }, { cause })

/** Creates the error for a readable preparation that does something other than pay this order. */
export const notAllowed = (reason: string): KassaError<'pay.call-not-allowed'> =>
  payError('pay.call-not-allowed', { reason })
