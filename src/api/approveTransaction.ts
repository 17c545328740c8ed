import type { ApproveTransactionBody, Transaction } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTransaction } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import type { GetTransactionParameters } from './getTransaction.js'
import { readTransactionRefusal } from './readTransactionRefusal.js'
import { requestBody } from './request.js'

/** Parameters of {@link approveTransaction}. */
export type ApproveTransactionParameters = GetTransactionParameters & {
  body: ApproveTransactionBody
  /** Within 24 hours, the same key and body return the first answer. */
  idempotencyKey?: string | undefined
}

/**
 * Approves a transaction with a signature of the `message` in `approvals.pending`. The last approval sends
 * it.
 *
 * @throws {@link KassaError} `api.bad-request` for a signer or a signature that is not this transaction's,
 * and when
 * nothing is left to approve (status 422); `api.conflict` when it was submitted already; `api.not-found`, …
 * @source answers.md "Wallets and transactions"
 * @example
 * ```ts
 * import { approveTransaction, type Client, getTransaction } from 'kassa/api'
 * import type { Hex, LocalAccount } from 'viem'
 *
 * export const approve = async (
 *   client: Client,
 *   account: LocalAccount,
 *   transaction: { walletLocator: string; transactionId: string },
 * ) => {
 *   const { approvals } = await getTransaction(client, transaction)
 *   const [pending] = approvals?.pending ?? []
 *   if (!pending) return undefined
 *   const signature = await account.signMessage({ message: { raw: pending.message as Hex } })
 *   return approveTransaction(client, {
 *     ...transaction,
 *     body: { approvals: [{ signer: pending.signer, signature }] },
 *   })
 * }
 * ```
 */
export const approveTransaction = async (
  client: Client,
  { walletLocator, transactionId, ...call }: ApproveTransactionParameters,
): Promise<Transaction> =>
  requestBody(client, {
    operation: operations.approveTransaction,
    params: {
      walletLocator,
      transactionId,
    },
    answer: readTransaction,
    refuse: readTransactionRefusal,
    ...call,
  })
