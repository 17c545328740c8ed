import type { KassaError } from '../errors/index.js'
import { payError } from '../errors/payError.js'

/** A preparation that cannot be read as the payment of an order at all. */
export const invalid = (reason: string, cause?: unknown): KassaError<'pay.preparation-invalid'> =>
  payError('pay.preparation-invalid', { reason }, { cause })

/** A preparation that can be read, and does something else than pay this order. */
export const notAllowed = (reason: string): KassaError<'pay.call-not-allowed'> =>
  payError('pay.call-not-allowed', { reason })
