'use client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnyKassaError, Client } from '../api/index.js'
import { type MutationParameter, mergeMutation } from '../hooks/mutation.js'
import type { CreateWalletInput, Wallet } from '../schema/index.js'
import { createWalletMutationOptions } from './createWallet.js'
import { useWalletClient } from './useWalletClient.js'

/** Parameters of {@link useCreateWallet}. */
export type UseCreateWalletParameters = {
  /** The client of the shop's wallet handler. By default that of `WalletProvider`. */
  client?: Client | undefined
  mutation?: MutationParameter<Wallet, CreateWalletInput> | undefined
}

/** Result of {@link useCreateWallet}: TanStack Query's own result. */
export type UseCreateWalletResult = UseMutationResult<Wallet, AnyKassaError, CreateWalletInput>

/**
 * Creates a wallet of the signed-in user, or gets their existing one of that type, which may have another
 * signer: compare it with the one you requested. The wallet goes into `useWallet`'s cache.
 *
 * @param parameters - `mutation` for TanStack's own options.
 * @source interface.md "Create wallet"
 * @example
 * ```tsx
 * import { createPasskey, isKassaError, useCreateWallet } from 'kassa/wallet'
 * import { useState } from 'react'
 *
 * export function NewWallet() {
 *   const { mutateAsync } = useCreateWallet()
 *   const [said, setSaid] = useState<string>()
 *   const create = async () => {
 *     try {
 *       const adminSigner = await createPasskey({ name: 'My wallet' })
 *       const { address, config } = await mutateAsync({ type: 'evm-smart-wallet', config: { adminSigner } })
 *       // The user had one already: another passkey opens it, and not the one just made.
 *       const isOther = config?.adminSigner?.id !== adminSigner.id
 *       setSaid(isOther ? 'You have a wallet, with another passkey. Delete the new one.' : address)
 *     } catch (error) {
 *       // Declined is a choice, not a fault.
 *       if (!isKassaError(error, 'passkey.rejected')) setSaid('That did not work. Try again.')
 *     }
 *   }
 *   return <button onClick={create}>{said ?? 'Create a wallet with a passkey'}</button>
 * }
 * ```
 */
export const useCreateWallet = (parameters: UseCreateWalletParameters = {}): UseCreateWalletResult => {
  const client = useWalletClient(parameters.client, 'useCreateWallet')
  const options = useMemo(() => createWalletMutationOptions(client), [client])
  return useMutation(mergeMutation(options, parameters.mutation))
}
