import type { EvmPaymentAttempt } from '../../../chain/index.js'
import { toLine } from '../../../chain/line.js'
import { isKassaError, type KassaError } from '../../../errors/KassaError.js'
import { payError } from '../../../errors/payError.js'
import type { Authorization } from '../../../schema/authorization.js'
import type { AuthorizationAccess } from '../../payContext.js'

// The service decided about the signature itself: it looked for it among those that it has.
const decided: readonly number[] = [400, 409, 422]
// It was turned away before anything was looked for.
const turnedAway: readonly number[] = [401, 403, 404, 405, 413, 429]
// A service that takes more requests within this time has only been busy.
const busyMs = 15_000

const readRetryAfterMs = (error: unknown): number | undefined =>
  isKassaError(error) && 'retryAfterMs' in error.context ? error.context.retryAfterMs : undefined

const isBusy = (error: unknown): boolean =>
  isKassaError(error, 'api.rate-limited') && (readRetryAfterMs(error) ?? Number.POSITIVE_INFINITY) <= busyMs

/** Reads why the service certainly has not taken a signature; undefined if it may have, or is only busy. */
const readRefusal = (error: unknown, isPerhapsTaken: boolean): KassaError | undefined => {
  if (!isKassaError(error) || !('status' in error.context) || isBusy(error)) return undefined
  const { status, message } = error.context
  if (!decided.includes(status) && (isPerhapsTaken || !turnedAway.includes(status))) return undefined
  // Another signed payment is on its way, or the order is paid or changed. A transaction beside it could pay twice.
  if (status === 409) return payError('pay.order-changed', {}, { cause: error })
  return payError('pay.signature-refused', { reason: toLine(message, 200) }, { cause: error })
}

/** Reads why a payment that the service took has failed; undefined while it may succeed. */
const readFailure = ({ status, reason = status }: Authorization): KassaError | undefined => {
  if (status === 'expired') return payError('pay.expired', {})
  // The buyer pays no fee for one that the network rejected. The same signature would get the same answer.
  const isFailure = status === 'failed' || status === 'refused'
  return isFailure ? payError('pay.signature-refused', { reason: toLine(reason, 200) }) : undefined
}

/**
 * What is known after a signature was posted.
 *
 * - `taken`: the service has it, and has sent the payment if there is a transaction.
 * - `failed`: it moves no money.
 * - `unknown`: no word came. `isPerhapsTaken` says whether the service may have it all the same.
 */
export type Posted =
  | { status: 'taken'; txId: string | undefined; isSettled: boolean }
  | { status: 'failed'; error: KassaError }
  | { status: 'unknown'; isPerhapsTaken: boolean; retryAfterMs: number }

/**
 * Posts the signature of an attempt once. The service settles the same one once, however often it is posted.
 *
 * @param isPerhapsTaken - Whether the service may have it already. Then only its own decision says that it has not.
 * @returns Undefined if there is nothing to post.
 */
export const postAuthorization = async (
  { post }: Pick<AuthorizationAccess, 'post'>,
  { orderId, authorization }: EvmPaymentAttempt,
  isPerhapsTaken: boolean,
): Promise<Posted | undefined> => {
  const body = authorization?.signed
  if (!post || !body) return undefined
  try {
    const answer = await post(orderId, body)
    const error = readFailure(answer)
    if (error) return { status: 'failed', error }
    return { status: 'taken', txId: answer.txId, isSettled: answer.status === 'settled' }
  } catch (thrown) {
    const error = readRefusal(thrown, isPerhapsTaken)
    if (error) return { status: 'failed', error }
    return {
      status: 'unknown',
      isPerhapsTaken: isPerhapsTaken || !isBusy(thrown),
      retryAfterMs: readRetryAfterMs(thrown) ?? 0,
    }
  }
}
