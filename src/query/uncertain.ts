import type { KassaError } from '../api/index.js'
import type { PaymentAttempt } from '../chain/index.js'
import { payError } from '../errors/payError.js'

/**
 * The error of an attempt of which nobody knows whether it is on its way.
 *
 * @param seen.hasOpenTransaction - Whether some transaction of the payer waits for its block.
 */
export const uncertain = (
  attempt: PaymentAttempt,
  seen: { hasOpenTransaction?: boolean | undefined; cause?: unknown } = {},
): KassaError<'pay.uncertain'> | KassaError<'pay.dropped'> =>
  attempt.isDropped && attempt.txId !== undefined && !attempt.isContractWallet && !attempt.callsId
    ? payError('pay.dropped', { txId: attempt.txId }, { cause: seen.cause })
    : payError(
        'pay.uncertain',
        {
          attemptedAt: new Date(attempt.attemptedAtMs).toISOString(),
          hasOpenTransaction: seen.hasOpenTransaction ?? false,
        },
        { cause: seen.cause },
      )

/** Whether an error says that a payment may be under way. */
export const isUncertain = (
  error: KassaError,
): error is KassaError<'pay.uncertain'> | KassaError<'pay.dropped'> =>
  error.code === 'pay.uncertain' || error.code === 'pay.dropped'
