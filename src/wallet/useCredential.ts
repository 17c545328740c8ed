'use client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { Credential } from '../schema/index.js'
import { type CredentialQueryParameters, credentialQueryOptions } from './credential.js'
import { useWalletClient } from './useWalletClient.js'

/** Parameters of {@link useCredential}. */
export type UseCredentialParameters<Selected = Credential> = CredentialQueryParameters<Selected> & {
  /** The client of the shop's wallet handler. By default that of `WalletProvider`. */
  client?: Client | undefined
}

/** Result of {@link useCredential}: TanStack Query's own result. */
export type UseCredentialResult<Selected = Credential> = UseQueryResult<Selected, AnyKassaError>

/**
 * Gets a token's credential: the issuer's signed statement about its holder.
 *
 * @param parameters - `nftLocator`, which is the `locator` of a token, and `query` for TanStack's own
 * options.
 * @returns The query's result, unspread.
 * @source interface.md "Credential"
 */
export const useCredential = <Selected = Credential>({
  client,
  ...parameters
}: UseCredentialParameters<Selected>): UseCredentialResult<Selected> =>
  useQuery(credentialQueryOptions(useWalletClient(client, 'useCredential'), parameters))
