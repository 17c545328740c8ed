'use client'
import { useMemo, useSyncExternalStore } from 'react'
import type { SolanaWalletState, SolanaWallets } from '../../pay/solanaPayments.js'
import { useProvided } from '../checkoutContext.js'

/** Result of {@link useSolanaWallets}. */
export type UseSolanaWalletsResult = SolanaWalletState & Pick<SolanaWallets, 'connect' | 'disconnect'>

const noState: SolanaWalletState = {
  status: 'disconnected',
  wallets: [],
  wallet: undefined,
  address: undefined,
}
const getNoState = (): SolanaWalletState => noState

// Stands in for the wallets of an app without Solana, which has none to connect.
const noWallets: SolanaWallets = {
  getState: getNoState,
  subscribe: () => () => undefined,
  connect: () => Promise.reject(new Error('The CheckoutProvider has no `solana`.')),
  disconnect: () => Promise.resolve(),
}

/**
 * Returns the Solana wallets of this browser and the connection to one of them. It finds none in an app that does not
 * give `solana` to its provider.
 *
 * @returns `wallets` to choose from, the connection's `status`, `wallet` and `address`, `connect` and `disconnect`. `connect`
 * rejects with the wallet's own error, or with `pay.not-connected` when the wallet shares no account.
 * @example
 * ```tsx
 * import { useSolanaWallets } from 'kassa'
 *
 * export function Connect() {
 *   const { wallets, address, connect } = useSolanaWallets()
 *   if (address) return <p>{address}</p>
 *   return wallets.map((wallet) => (
 *     <button key={wallet.name} onClick={() => connect(wallet).catch(() => undefined)}>
 *       {wallet.name}
 *     </button>
 *   ))
 * }
 * ```
 */
export const useSolanaWallets = (): UseSolanaWalletsResult => {
  const wallets = useProvided()?.solana?.wallets ?? noWallets
  const state = useSyncExternalStore(wallets.subscribe, wallets.getState, getNoState)
  return useMemo(
    () => ({ ...state, connect: wallets.connect, disconnect: wallets.disconnect }),
    [state, wallets],
  )
}
