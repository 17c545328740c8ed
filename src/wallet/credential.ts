import { queryOptions } from '@tanstack/react-query'
import { type AnyKassaError, type Client, getCredential } from '../api/index.js'
import type { Credential } from '../schema/index.js'
import { type WalletKey, walletKey } from './keys.js'
import { type ReadOptions, type ReadParameters, readDefaults } from './readOptions.js'

/** The credential's token: its `locator`. */
export type CredentialQueryParameters<Selected = Credential> = Omit<
  ReadParameters<Credential, Selected>,
  'client'
> & { nftLocator: string }

/** Returns the options of the query that gets a token's credential. */
export const credentialQueryOptions = <Selected = Credential>(
  client: Client,
  { nftLocator, query }: CredentialQueryParameters<Selected>,
): ReadOptions<Credential, Selected> =>
  queryOptions<Credential, AnyKassaError, Selected, WalletKey>({
    ...readDefaults,
    ...query,
    queryKey: walletKey('credential', client, { nftLocator }),
    queryFn: ({ signal }) => getCredential(client, { nftLocator, signal }),
  })
