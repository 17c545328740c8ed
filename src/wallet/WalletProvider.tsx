'use client'
import { createContext, type ReactNode } from 'react'
import type { Client } from '../api/index.js'

/** Carries the shop's wallet handler through the tree. */
export const WalletContext = createContext<Client | undefined>(undefined)

/** Props of {@link WalletProvider}. */
export type WalletProviderProps = {
  /** A client of the path where the shop has its `createWalletHandler`. Keep it outside the component. */
  client: Client
  children: ReactNode
}

/**
 * Renders no element. Gives the hooks of this entry the shop's wallet handler; goes inside TanStack Query's provider,
 * beside or around `CheckoutProvider`, whose client is another.
 *
 * @example
 * ```tsx
 * import { createClient } from 'kassa/api'
 * import { WalletProvider } from 'kassa/wallet'
 * import type { ReactNode } from 'react'
 *
 * const wallets = createClient({ baseUrl: '/api/wallet' })
 *
 * export const Wallets = ({ children }: { children: ReactNode }) => (
 *   <WalletProvider client={wallets}>{children}</WalletProvider>
 * )
 * ```
 */
export const WalletProvider = ({ client, children }: WalletProviderProps): ReactNode => (
  <WalletContext value={client}>{children}</WalletContext>
)
