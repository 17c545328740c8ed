'use client'

import { useSolanaWallets } from '../../../hooks/solana/useSolanaWallets.js'
import { ofFamily } from '../../../schema/chains.js'
import { useEvmWallet } from '../evm/wallets.js'

/** The connection to a wallet: whether there is one, and its account. */
export type BuyerWallet = {
  status: 'connected' | 'connecting' | 'disconnected' | 'reconnecting'
  address: string | undefined
}

/**
 * Returns what finds the buyer's wallet for a payment method, the chain by the interface's name: that of
 * wagmi, or that of the app's Solana wallets.
 */
export const useBuyerWallets = (): ((method: string | undefined) => BuyerWallet) => {
  const wallets = { evm: useEvmWallet(), solana: useSolanaWallets() }
  return (method) => ofFamily<BuyerWallet>(wallets, method)
}

/**
 * Returns the buyer's wallet for a payment method.
 *
 * @param method - The chain by the interface's name.
 */
export const useBuyerWallet = (method: string | undefined): BuyerWallet => useBuyerWallets()(method)
