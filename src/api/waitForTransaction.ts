import { transactionError } from '../errors/transactionError.js'
import type { Transaction } from '../schema/index.js'
import type { Client } from './client.js'
import { type FollowParameters, follow } from './follow.js'
import { type GetTransactionParameters, getTransaction } from './transactions.js'

/** Parameters of {@link waitForTransaction}. */
export type WaitForTransactionParameters = GetTransactionParameters & FollowParameters<Transaction>

/**
 * Whether a transaction is final, so that it will not change any more.
 *
 * @source interface.md "Transaction `status`"
 */
export const hasTransactionEnded = ({ status, completedAt }: Transaction): boolean =>
  // A newer service may have further end states.
  status === 'success' || status === 'failed' || completedAt !== undefined

/**
 * Waits until a transaction is final, whether it succeeded or failed. It keeps polling while the service is
 * unavailable. If the transaction never gets its approval, the wait ends after `timeoutMs`.
 *
 * @returns The transaction; its `status` says how it ended, and its `error` why it failed.
 * @throws {@link KassaError} `transaction.unfinished` after `timeoutMs`, whose `cause` is the last failure to
 * ask;
 * `api.not-found`, `api.unauthorized`, …; an abort by `signal` rejects with the signal's own reason
 * @source answers.md "Wallets and transactions"
 * @example
 * ```ts
 * import { type Client, waitForTransaction } from 'kassa/api'
 *
 * export const hasLanded = async (client: Client, walletLocator: string, transactionId: string) => {
 *   const { status } = await waitForTransaction(client, { walletLocator, transactionId })
 *   return status === 'success'
 * }
 * ```
 */
export const waitForTransaction = (
  client: Client,
  { timeoutMs, pollMs, onUpdate, random, signal, ...call }: WaitForTransactionParameters,
): Promise<Transaction> =>
  follow<Transaction>(
    {
      ask: (ending) => getTransaction(client, { ...call, signal: ending }),
      hasEnded: hasTransactionEnded,
      onLate: (lateMs, cause) =>
        transactionError(
          'transaction.unfinished',
          { transactionId: call.transactionId, timeoutMs: lateMs },
          cause && { cause },
        ),
    },
    { timeoutMs, pollMs, onUpdate, random, signal },
  )
