'use client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnyKassaError, Client } from '../api/index.js'
import { type MutationParameter, mergeMutation } from '../hooks/mutation.js'
import type { CreateWalletBody, Wallet } from '../schema/index.js'
import { createWalletMutationOptions } from './createWallet.js'
import { useWalletClient } from './useWalletClient.js'

/** What {@link useCreateWallet} takes. */
export type UseCreateWalletParameters = {
  /** The shop's wallet handler, where it is not the client of `CheckoutProvider`. */
  client?: Client | undefined
  mutation?: MutationParameter<Wallet, CreateWalletBody> | undefined
}

/** What {@link useCreateWallet} returns: TanStack Query's own result. */
export type UseCreateWalletResult = UseMutationResult<Wallet, AnyKassaError, CreateWalletBody>

/**
 * Creates a wallet of the signed-in user, or gets the one they have of that type. It is in `useWallet`'s cache at once.
 *
 * @param parameters - `mutation` for TanStack's own options.
 * @source interface.md "Create wallet"
 * @example
 * ```tsx
 * import { createPasskey, useCreateWallet } from 'kassa/wallet'
 *
 * export function NewWallet() {
 *   const wallet = useCreateWallet()
 *   const create = async () => {
 *     const adminSigner = await createPasskey({ name: 'My wallet' })
 *     wallet.mutate({ type: 'evm-smart-wallet', config: { adminSigner } })
 *   }
 *   return <button onClick={create}>{wallet.data?.address ?? 'Create a wallet with a passkey'}</button>
 * }
 * ```
 */
export const useCreateWallet = (parameters: UseCreateWalletParameters = {}): UseCreateWalletResult => {
  const client = useWalletClient('useCreateWallet', parameters.client)
  const options = useMemo(() => createWalletMutationOptions(client), [client])
  return useMutation(mergeMutation(options, parameters.mutation))
}
