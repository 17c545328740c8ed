'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { Wallet } from '../schema/index.js'
import { useWalletClient } from './useWalletClient.js'
import { type WalletQueryParameters, walletQueryOptions } from './wallet.js'

/** Parameters of {@link useWallet}. */
export type UseWalletParameters<Selected = Wallet> = WalletQueryParameters<Selected> & {
  /** The client of the shop's wallet handler. By default that of `WalletProvider`. */
  client?: Client | undefined
}

/** Result of {@link useWallet}: TanStack Query's own result. */
export type UseWalletResult<Selected = Wallet> = UseQueryResult<Selected, AnyKassaError>

/**
 * Gets a wallet of the signed-in user. `error.code` is `api.not-found` if, and only if, there is none.
 *
 * @param parameters - `walletLocator` such as `me:evm-smart-wallet`, and `query` for TanStack's own options.
 * @returns The query's result, unspread.
 * @source answers.md "Wallets and transactions"
 * @example
 * ```tsx
 * import { useWallet } from 'kassa/wallet'
 *
 * export function Address() {
 *   const { data, error } = useWallet({ walletLocator: 'me:evm-mpc-wallet' })
 *   if (error?.code === 'api.not-found') return <p>You have bought nothing yet.</p>
 *   return <p>{data?.address ?? error?.message ?? 'One moment…'}</p>
 * }
 * ```
 */
export const useWallet = <Selected = Wallet>({
  client,
  ...parameters
}: UseWalletParameters<Selected>): UseWalletResult<Selected> =>
  useQuery(walletQueryOptions(useWalletClient(client, 'useWallet'), parameters))
