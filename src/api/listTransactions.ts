import type { TransactionList } from '../schema/index.js'
import { readTransactionList } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import { fillPath } from './fillPath.js'
import type { WalletParameters } from './getWallet.js'
import { type PageParameters, pageQuery } from './pageQuery.js'
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
    method: 'GET',
    path: `${fillPath('/2022-06-09/wallets/{walletLocator}/transactions', { walletLocator })}${pageQuery({ page, perPage })}`,
    answer: readTransactionList,
    ...call,
  })
