import type { CreateTransactionBody, Transaction } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTransaction } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import type { WalletParameters } from './getWallet.js'
import { toPlainJson } from './plainJson.js'
import { readTransactionRefusal } from './readTransactionRefusal.js'
import { requestBody } from './request.js'

/** Parameters of {@link createTransaction}. */
export type CreateTransactionParameters = WalletParameters & {
  body: CreateTransactionBody
  /**
   * Within 24 hours, the same key and body return the first answer instead of creating a second transaction.
   */
  idempotencyKey?: string | undefined
}

/**
 * Creates a transaction of a wallet: all of its calls, or none. The service simulates it before a signature
 * is requested. A wallet whose key the service keeps sends it at once; one with another signer waits for
 * {@link approveTransaction}. Integers among the arguments may be of type bigint.
 *
 * @throws {@link KassaError} `transaction.reverted` when a call would revert, `transaction.refused` for an
 * address that
 * is not served, `api.not-found` for the wallet, `api.bad-request` naming the field, …
 * @source interface.md "Create transaction"; answers.md "Wallets and transactions"
 * @example
 * ```ts
 * import { type Client, createTransaction, waitForTransaction } from 'kassa/api'
 *
 * // A smart wallet buys: what an order prepares may be a call of it.
 * export const payFromWallet = async (client: Client, walletLocator: string, serializedTransaction: string) => {
 *   const { id } = await createTransaction(client, {
 *     walletLocator,
 *     body: { params: { chain: 'base-sepolia', calls: [{ transaction: serializedTransaction }] } },
 *   })
 *   return waitForTransaction(client, { walletLocator, transactionId: id })
 * }
 * ```
 */
export const createTransaction = async (
  client: Client,
  { walletLocator, body, ...call }: CreateTransactionParameters,
): Promise<Transaction> =>
  requestBody(client, {
    operation: operations.createTransaction,
    params: { walletLocator },
    answer: readTransaction,
    refuse: readTransactionRefusal,
    ...call,
    body: toPlainJson(body),
  })
