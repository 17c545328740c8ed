import { KassaError } from '../api/index.js'
import type { PaymentAttempt } from '../chain/index.js'

/** The error of an attempt of which nobody knows whether it is on its way. */
export const uncertain = ({ attemptedAtMs }: PaymentAttempt, cause?: unknown): KassaError<'pay.uncertain'> =>
  new KassaError('pay.uncertain', { attemptedAt: new Date(attemptedAtMs).toISOString() }, { cause })
