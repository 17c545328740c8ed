'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { TransactionList } from '../schema/index.js'
import { type TransactionsQueryParameters, transactionsQueryOptions } from './transactions.js'
import { useWalletClient } from './useWalletClient.js'

/** What {@link useTransactions} takes. */
export type UseTransactionsParameters<Selected = TransactionList> = TransactionsQueryParameters<Selected> & {
  /** The shop's wallet handler, where it is not the client of `WalletProvider`. */
  client?: Client | undefined
}

/** What {@link useTransactions} returns: TanStack Query's own result. */
export type UseTransactionsResult<Selected = TransactionList> = UseQueryResult<Selected, AnyKassaError>

/**
 * Lists the transactions of a wallet, the newest first.
 *
 * @param parameters - `walletLocator`, `page`, `perPage`, and `query` for TanStack's own options.
 * @returns The query's result, unspread.
 * @source interface.md "List wallet transactions"
 */
export const useTransactions = <Selected = TransactionList>({
  client,
  ...parameters
}: UseTransactionsParameters<Selected>): UseTransactionsResult<Selected> =>
  useQuery(transactionsQueryOptions(useWalletClient(client, 'useTransactions'), parameters))
