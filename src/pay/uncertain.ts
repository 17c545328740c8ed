import type { KassaError } from '../api/index.js'
import type { PaymentAttempt } from '../chain/index.js'
import { payError } from '../errors/payError.js'

/** Whether an attempt's transaction is not its wallet's own, so that its hash may change and proves nothing. */
export const isFoundByLog = ({ isContractWallet, callsId, authorization }: PaymentAttempt): boolean =>
  isContractWallet === true || callsId !== undefined || authorization !== undefined

/**
 * Creates the error of an attempt whose outcome is unknown.
 *
 * @param seen.hasOpenTransaction - Whether any transaction of the payer is pending.
 */
export const uncertain = (
  attempt: PaymentAttempt,
  seen: { hasOpenTransaction?: boolean | undefined; cause?: unknown } = {},
): KassaError<'pay.uncertain'> | KassaError<'pay.dropped'> =>
  attempt.isDropped && attempt.txId !== undefined && !isFoundByLog(attempt)
    ? payError('pay.dropped', { txId: attempt.txId }, { cause: seen.cause })
    : payError(
        'pay.uncertain',
        {
          attemptedAt: new Date(attempt.attemptedAtMs).toISOString(),
          hasOpenTransaction: seen.hasOpenTransaction ?? false,
        },
        { cause: seen.cause },
      )

/** Whether an error says that a payment may be on its way. */
export const isUncertain = (
  error: KassaError,
): error is KassaError<'pay.uncertain'> | KassaError<'pay.dropped'> =>
  error.code === 'pay.uncertain' || error.code === 'pay.dropped'
