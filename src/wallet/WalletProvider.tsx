'use client'
import { createContext, type ReactNode } from 'react'
import type { Client } from '../api/index.js'
import { useQueryClientCheck } from '../hooks/useQueryClientCheck.js'

/** Carries the client of the shop's wallet handler through the tree. */
export const WalletContext = createContext<Client | undefined>(undefined)

/** Props of {@link WalletProvider}. */
export type WalletProviderProps = {
  /** A client of the path of the shop's `createWalletHandler`. Create it outside the component. */
  client: Client
  children: ReactNode
}

/**
 * Renders no element. Provides the shop's wallet handler to the hooks of this entry. Place it inside TanStack
 * Query's provider, beside or around `CheckoutProvider`, which has another client, and in a client component.
 *
 * @throws {@link KassaError} `config.query-client-missing`; `config.client-missing`; `config.provider-in-server-component`.
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
export const WalletProvider = ({ client, children }: WalletProviderProps): ReactNode => {
  useQueryClientCheck('WalletProvider', client)
  return <WalletContext value={client}>{children}</WalletContext>
}
