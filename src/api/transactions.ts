import type { KassaError } from '../errors/KassaError.js'
import { readField } from '../errors/readField.js'
import { transactionError } from '../errors/transactionError.js'
import type {
  ApproveTransactionBody,
  CreateTransactionBody,
  Transaction,
  TransactionList,
} from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTransaction, readTransactionList } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import { toPlainJson } from './plainJson.js'
import { type PageParameters, requestBody } from './request.js'
import type { WalletParameters } from './wallets.js'
import { writeQuery } from './writeQuery.js'

const readText = (value: unknown, key: string): string | undefined => {
  const text = readField(value, key)
  return typeof text === 'string' ? text : undefined
}

/** The reason for a transaction that the shop's own server refuses. */
export const notAllowed = 'not_allowed'

/**
 * Reads why a transaction was refused, if the service says more than a message.
 *
 * @returns `transaction.reverted`, `transaction.not-allowed` or `transaction.refused`; undefined for a
 * refusal that any call may have.
 * @source interface.md "Errors"; answers.md "Status codes"
 */
const readTransactionRefusal = (body: unknown): KassaError | undefined => {
  const error = readField(body, 'error')
  const reason = readText(error, 'reason')
  if (reason === undefined) return undefined
  const message = readText(error, 'message') ?? readText(body, 'message') ?? reason
  if (reason === notAllowed) return transactionError('transaction.not-allowed', { message })
  const revert = readField(error, 'revert')
  if (typeof revert !== 'object' || revert === null)
    return transactionError('transaction.refused', { reason, message })
  return transactionError('transaction.reverted', {
    type: readText(revert, 'type') ?? 'contract_call',
    reason: readText(revert, 'reason') ?? message,
    reasonData: readText(revert, 'reasonData'),
    explorerLink: readText(revert, 'explorerLink'),
    simulationLink: readText(revert, 'simulationLink'),
  })
}

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

/** Parameters of {@link getTransaction}. */
export type GetTransactionParameters = WalletParameters & { transactionId: string }

/**
 * Gets a transaction of a wallet.
 *
 * @throws {@link KassaError} `api.not-found`, …
 * @source answers.md "Wallets and transactions"
 */
export const getTransaction = async (
  client: Client,
  { walletLocator, transactionId, ...call }: GetTransactionParameters,
): Promise<Transaction> =>
  requestBody(client, {
    operation: operations.getTransaction,
    params: {
      walletLocator,
      transactionId,
    },
    answer: readTransaction,
    ...call,
  })

/** Parameters of {@link listTransactions}. */
export type ListTransactionsParameters = WalletParameters & PageParameters

/**
 * Lists the transactions of a wallet, page by page, the newest first.
 *
 * @throws {@link KassaError} `api.not-found` for the wallet, `api.bad-request` for a page that cannot be, …
 * @source interface.md "List wallet transactions"
 */
export const listTransactions = async (
  client: Client,
  { walletLocator, page, perPage, ...call }: ListTransactionsParameters,
): Promise<TransactionList> =>
  requestBody(client, {
    operation: operations.listTransactions,
    params: { walletLocator },
    query: writeQuery({ page, perPage }),
    answer: readTransactionList,
    ...call,
  })

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
