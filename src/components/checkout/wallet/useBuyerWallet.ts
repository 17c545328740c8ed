'use client'

import { useAccount } from 'wagmi'
import { useSolanaWallets } from '../../../hooks/useSolanaWallets.js'

/** The connection to a wallet: whether there is one, and its account. */
export type BuyerWallet = {
  status: 'connected' | 'connecting' | 'disconnected' | 'reconnecting'
  address: string | undefined
}

/**
 * Returns the buyer's wallet for a payment method: that of the app's Solana wallets for `solana`, else wagmi's.
 *
 * @param method - The chain by the interface's name.
 */
export const useBuyerWallet = (method: string | undefined): BuyerWallet => {
  const solana = useSolanaWallets()
  const evm = useAccount()
  return method === 'solana' ? solana : evm
}

/** Whether two addresses are the same account. EVM addresses ignore case; Solana's do not. */
export const isSameAccount = (one: string | undefined, other: string | undefined): boolean =>
  one === other || Boolean(one?.startsWith('0x') && one.toLowerCase() === other?.toLowerCase())
