'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { WalletTokenList } from '../schema/index.js'
import { useWalletClient } from './useWalletClient.js'
import { type WalletTokensQueryParameters, walletTokensQueryOptions } from './walletTokens.js'

/** Parameters of {@link useWalletTokens}. */
export type UseWalletTokensParameters<Selected = WalletTokenList> = WalletTokensQueryParameters<Selected> & {
  /** The client of the shop's wallet handler. By default that of `WalletProvider`. */
  client?: Client | undefined
}

/** Result of {@link useWalletTokens}: TanStack Query's own result. */
export type UseWalletTokensResult<Selected = WalletTokenList> = UseQueryResult<Selected, AnyKassaError>

/**
 * Lists a wallet's tokens on its chain, whether bought here or not. The list is read again when a transaction
 * followed by {@link useTransaction} is final.
 *
 * @param parameters - `identifier` such as `me:base`, `page`, `perPage`, and `query` for TanStack's own
 * options.
 * @returns The query's result, unspread.
 * @source interface.md "Wallet token entry"
 * @example
 * ```tsx
 * import { useWalletTokens } from 'kassa/wallet'
 *
 * export function Bought() {
 *   const tokens = useWalletTokens({ identifier: 'me:base-sepolia' })
 *   if (tokens.error) return <p role="alert">{tokens.error.message}</p>
 *   return (
 *     <ul>
 *       {tokens.data?.map(({ locator, metadata }) => (
 *         <li key={locator}>{metadata.name}</li>
 *       ))}
 *     </ul>
 *   )
 * }
 * ```
 */
export const useWalletTokens = <Selected = WalletTokenList>({
  client,
  ...parameters
}: UseWalletTokensParameters<Selected>): UseWalletTokensResult<Selected> =>
  useQuery(walletTokensQueryOptions(useWalletClient(client, 'useWalletTokens'), parameters))
