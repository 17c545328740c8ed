'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CheckoutProvider, type PaymentRules } from 'kassa'
import { createClient } from 'kassa/api'
import { type ReactNode, useState } from 'react'
import { WagmiProvider } from 'wagmi'
import { ConfirmPayment } from '../components/checkout/ConfirmPayment'
import { type CheckoutShop, CheckoutShopContext } from '../lib/checkoutShop'
import { createConfirmations } from '../lib/demoWallet/confirmations'
import { demoWallet } from '../lib/demoWallet/demoWallet'
import { createDemoProvider } from '../lib/demoWallet/provider'
import { checkoutUrl } from '../lib/environment'
import type { Network } from '../lib/networks'
import { createSpeedUps } from '../lib/speedUps'
import { createWagmiConfig } from '../lib/wagmiConfig'

/** Props of {@link Providers}. All are known at run time only, and none is secret. */
export type ProvidersProps = {
  /**
   * The service's own address, for its pictures and its sandbox. Order calls go through this shop's server.
   */
  serviceUrl: string
  isSandbox: boolean
  networks: Network[]
  /** Where payments must go, as configured by this shop and not by the order. */
  paymentRules: PaymentRules
  children: ReactNode
}

const create = ({ serviceUrl, isSandbox, networks }: Omit<ProvidersProps, 'children' | 'paymentRules'>) => {
  const confirmations = createConfirmations()
  const [first, ...others] = networks
  const demo =
    isSandbox && first && typeof window !== 'undefined'
      ? createDemoProvider({
          networks: [first, ...others],
          storage: window.localStorage,
          confirm: confirmations.ask,
        })
      : undefined
  const shop: CheckoutShop = {
    networks,
    imageGateway: `${serviceUrl}/ipfs/`,
    sandboxUrl: isSandbox ? `${serviceUrl}/sandbox` : undefined,
    demo,
    speedUps: createSpeedUps(),
  }
  return {
    confirmations,
    shop,
    client: createClient({ baseUrl: checkoutUrl }),
    queryClient: new QueryClient(),
    config: createWagmiConfig(networks, isSandbox ? [demoWallet(() => demo)] : []),
  }
}

/**
 * Provides what a checkout needs: wallets, server state, the service's client and the sandbox's demo wallet.
 */
export function Providers({ children, paymentRules, ...props }: ProvidersProps) {
  const [made] = useState(() => create(props))
  if (!made.config) {
    return (
      <div className="notice" role="alert">
        <h1 className="title">This checkout cannot take payments</h1>
        <p className="lead">The service names no network this shop can pay on. Nothing was charged.</p>
      </div>
    )
  }
  return (
    <WagmiProvider config={made.config}>
      <QueryClientProvider client={made.queryClient}>
        <CheckoutProvider
          client={made.client}
          imageGateway={made.shop.imageGateway}
          onEvent={made.shop.speedUps.hear}
          {...paymentRules}
        >
          <CheckoutShopContext value={made.shop}>
            {children}
            <ConfirmPayment confirmations={made.confirmations} />
          </CheckoutShopContext>
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
