import type { QueryClient } from '@tanstack/react-query'
import { type Client, createTransaction, isKassaError } from '../api/index.js'
import { makeKey } from '../api/makeKey.js'
import type { Transaction } from '../schema/index.js'
import type { AttemptStore } from './attempt.js'
import { isUnanswered } from './isUnanswered.js'
import { transactionQueryKey } from './transaction.js'
import type { SendParams } from './transactionStep.js'

/** The client, the wallet, and the storage of the attempts. */
export type CreateContext = {
  client: Client
  queryClient: QueryClient
  walletLocator: string
  attempts: AttemptStore
  /** The clock of this device, in epoch milliseconds. */
  now(): number
}

// The service returns these only after looking the key up, so nothing was created under it.
const definite: readonly string[] = [
  'api.bad-request',
  'api.conflict',
  'transaction.refused',
  'transaction.reverted',
]

/**
 * Whether an error proves that nothing was created, by this try or by an earlier one with an unknown outcome.
 */
const isSettled = (error: unknown, isRetry: boolean): boolean => {
  if (!isKassaError(error) || isUnanswered(error)) return false
  if (!isRetry) return true
  return definite.includes(error.code) && !('status' in error.context && error.context.status === 413)
}

/**
 * Creates a transaction once. Repeating the request after a lost answer or a reload returns the first
 * transaction. While an attempt is stored, it is unknown whether the transaction was created.
 *
 * @param wallet - The wallet's address, as the service has just returned it.
 * @throws {@link KassaError} the errors of `createTransaction`.
 */
export const createOnce = async (
  { client, queryClient, walletLocator, attempts, now }: CreateContext,
  wallet: string,
  params: SendParams,
): Promise<Transaction> => {
  const kept = attempts.findUnanswered(params)
  const attempt = kept ?? { key: makeKey(), wallet, params, startedAtMs: now() }
  // Stored before the request, because an unstored request could be sent twice.
  attempts.put(attempt)
  try {
    const body = { params }
    const created = await createTransaction(client, { walletLocator, body, idempotencyKey: attempt.key })
    attempts.put({ ...attempt, transactionId: created.id })
    const key = transactionQueryKey(client, { walletLocator, transactionId: created.id })
    queryClient.setQueryData(key, created)
    return created
  } catch (error) {
    if (isSettled(error, kept !== undefined)) attempts.drop(attempt)
    throw error
  }
}
