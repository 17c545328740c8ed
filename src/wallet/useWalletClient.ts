'use client'
import { useContext } from 'react'
import type { Client } from '../api/index.js'
import { walletError } from '../errors/walletError.js'
import { WalletContext } from './WalletProvider.js'

/**
 * Gets the client of the shop's wallet handler, for an options factory or a function of `kassa/api`: the one given, or
 * that of {@link WalletProvider}.
 *
 * @param given - It takes the place of the provider's.
 * @param name - Who asks, for the message when there is none.
 * @throws {@link KassaError} `wallet.client-missing`
 */
export const useWalletClient = (given?: Client, name = 'useWalletClient'): Client => {
  const provided = useContext(WalletContext)
  const client = given ?? provided
  if (!client) throw walletError('wallet.client-missing', { name })
  return client
}
