'use client'
import { useContext } from 'react'
import type { Client } from '../api/index.js'
import { walletError } from '../errors/walletError.js'
import { WalletContext } from './WalletProvider.js'

/**
 * Returns the client of the shop's wallet handler, for an options factory or a function of `kassa/api`: the
 * given one, or that of {@link WalletProvider}.
 *
 * @param given - Replaces the provider's.
 * @param name - The caller's name, for the error message.
 * @throws {@link KassaError} `wallet.client-missing`
 */
export const useWalletClient = (given?: Client, name = 'useWalletClient'): Client => {
  const provided = useContext(WalletContext)
  const client = given ?? provided
  if (!client) throw walletError('wallet.client-missing', { name })
  return client
}
