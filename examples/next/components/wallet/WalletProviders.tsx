'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createClient } from 'kassa/api'
import { WalletProvider } from 'kassa/wallet'
import { type ReactNode, useState } from 'react'
import { CheckoutShopContext } from '../../lib/checkoutShop'
import { walletUrl } from '../../lib/environment'
import { createSpeedUps } from '../../lib/speedUps'

/** Props of {@link WalletProviders}. */
export type WalletProvidersProps = {
  /** Gateway for `ipfs://` pictures, ending in a slash. */
  imageGateway: string
  /** The sandbox's own address; undefined outside a sandbox. */
  sandboxUrl: string | undefined
  children: ReactNode
}

const client = createClient({ baseUrl: walletUrl })

/**
 * Provides what a wallet page needs: server state and the client for this shop's own server. It connects no
 * other wallet.
 */
export function WalletProviders({ imageGateway, sandboxUrl, children }: WalletProvidersProps) {
  const [queryClient] = useState(() => new QueryClient())
  const [shop] = useState(() => ({
    networks: [],
    imageGateway,
    sandboxUrl,
    demo: undefined,
    solanaDemo: undefined,
    speedUps: createSpeedUps(),
  }))
  return (
    <QueryClientProvider client={queryClient}>
      <WalletProvider client={client}>
        <CheckoutShopContext value={shop}>{children}</CheckoutShopContext>
      </WalletProvider>
    </QueryClientProvider>
  )
}
