import type { TransactionList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTransactionList } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import type { WalletParameters } from './getWallet.js'
import type { PageParameters } from './request.js'
import { requestBody } from './request.js'

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
    query: { page, perPage },
    answer: readTransactionList,
    ...call,
  })
