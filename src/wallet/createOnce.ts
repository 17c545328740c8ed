import type { QueryClient } from '@tanstack/react-query'
import { type Client, createTransaction, isKassaError } from '../api/index.js'
import { makeKey } from '../query/makeKey.js'
import type { Transaction } from '../schema/index.js'
import type { AttemptStore } from './attempt.js'
import { isUnanswered } from './isUnanswered.js'
import { transactionQueryKey } from './transaction.js'
import type { SendParams } from './transactionStep.js'

/** Who creates, for which wallet, and where it is kept that it was tried. */
export type CreateContext = {
  client: Client
  queryClient: QueryClient
  walletLocator: string
  attempts: AttemptStore
  /** The clock of this device, in epoch milliseconds. */
  now(): number
}

// These the service gives only to a key that it has looked up: nothing was created under it.
const definite: readonly string[] = [
  'api.bad-request',
  'api.conflict',
  'transaction.refused',
  'transaction.reverted',
]

/** Whether after this nothing was created, by this try or by one before it whose outcome nobody knows. */
const isSettled = (error: unknown, isRetry: boolean): boolean => {
  if (!isKassaError(error) || isUnanswered(error)) return false
  if (!isRetry) return true
  return definite.includes(error.code) && !('status' in error.context && error.context.status === 413)
}

/**
 * Creates a transaction once: the same asked for again, after an answer that was lost or a reload, gets the first one.
 * As long as its attempt is kept, nobody knows whether it was created.
 *
 * @param wallet - The address of the wallet, as the service has just told it.
 * @throws {@link KassaError} as `createTransaction` does.
 */
export const createOnce = async (
  { client, queryClient, walletLocator, attempts, now }: CreateContext,
  wallet: string,
  params: SendParams,
): Promise<Transaction> => {
  const kept = attempts.findUnanswered(params)
  const attempt = kept ?? { key: makeKey(), wallet, params, startedAtMs: now() }
  // Before anything is asked: what is not written down could be asked for twice.
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
