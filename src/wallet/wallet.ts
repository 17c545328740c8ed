import { queryOptions } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import { getWallet } from '../api/wallets.js'
import type { Wallet } from '../schema/index.js'
import { askHandler } from './askHandler.js'
import { type WalletKey, walletKey } from './keys.js'
import { type ReadOptions, type ReadParameters, readDefaults, type WalletLocator } from './readOptions.js'

/** Identifies the wallet. */
export type WalletQueryParameters<Selected = Wallet> = Omit<ReadParameters<Wallet, Selected>, 'client'> & {
  walletLocator: WalletLocator
}

/** Returns the options of the query that gets a wallet, for `useQuery`, prefetching and use without React. */
export const walletQueryOptions = <Selected = Wallet>(
  client: Client,
  { walletLocator, query }: WalletQueryParameters<Selected>,
): ReadOptions<Wallet, Selected> =>
  queryOptions<Wallet, AnyKassaError, Selected, WalletKey>({
    ...readDefaults,
    // A wallet's address and signer never change.
    staleTime: 300_000,
    ...query,
    queryKey: walletKey('wallet', client, { walletLocator }),
    queryFn: ({ signal }) => askHandler(client, getWallet(client, { walletLocator, signal })),
  })
