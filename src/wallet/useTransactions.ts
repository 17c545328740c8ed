'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { TransactionList } from '../schema/index.js'
import { type TransactionsQueryParameters, transactionsQueryOptions } from './transactions.js'
import { useWalletClient } from './useWalletClient.js'

/** Parameters of {@link useTransactions}. */
export type UseTransactionsParameters<Selected = TransactionList> = TransactionsQueryParameters<Selected> & {
  /** The client of the shop's wallet handler. By default that of `WalletProvider`. */
  client?: Client | undefined
}

/** Result of {@link useTransactions}: TanStack Query's own result. */
export type UseTransactionsResult<Selected = TransactionList> = UseQueryResult<Selected, AnyKassaError>

/**
 * Lists a wallet's transactions, the newest first.
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
