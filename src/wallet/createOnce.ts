import type { QueryClient } from '@tanstack/react-query'
import { type Client, createTransaction, isKassaError } from '../api/index.js'
import { makeKey } from '../query/makeKey.js'
import type { Transaction } from '../schema/index.js'
import type { AttemptStore } from './attempt.js'
import { transactionQueryKey } from './transaction.js'
import type { SendParams } from './transactionStep.js'

/** Who creates, for which wallet, and where it is kept that it was tried. */
export type CreateContext = {
  client: Client
  queryClient: QueryClient
  walletLocator: string
  attempts: AttemptStore
}

// After these nobody knows whether the transaction was created.
const open: readonly string[] = [
  'api.unreachable',
  'api.timeout',
  'api.unavailable',
  'api.failed',
  'api.invalid-answer',
  'api.rate-limited',
]

/**
 * Creates a transaction once: the same asked for again, after an answer that was lost or a reload, gets the first one.
 *
 * @throws {@link KassaError} as `createTransaction` does.
 */
export const createOnce = async (
  { client, queryClient, walletLocator, attempts }: CreateContext,
  params: SendParams,
): Promise<Transaction> => {
  const kept = attempts.get()
  const isSame = kept?.transactionId === undefined && JSON.stringify(kept?.params) === JSON.stringify(params)
  const attempt = kept && isSame ? kept : { key: makeKey(), params, startedAtMs: Date.now() }
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
    if (isKassaError(error) && !open.includes(error.code)) attempts.clear()
    throw error
  }
}
