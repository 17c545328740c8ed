'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CheckoutProvider, type PaymentRules } from 'kassa'
import { createClient } from 'kassa/api'
import { openStorage } from 'kassa/chain'
import type { Messages } from 'kassa/locales'
import { solana } from 'kassa/solana'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { WagmiProvider } from 'wagmi'
import { ConfirmPayment } from '../components/checkout/ConfirmPayment'
import { type CheckoutShop, CheckoutShopContext } from '../lib/checkoutShop'
import { createConfirmations } from '../lib/demoWallet/confirmations'
import { demoWallet } from '../lib/demoWallet/demoWallet'
import { createDemoProvider } from '../lib/demoWallet/provider'
import { createSolanaDemo } from '../lib/demoWallet/solana/solanaWallet'
import { registerWallet } from '../lib/demoWallet/solana/standard'
import { checkoutUrl } from '../lib/environment'
import { isEvm, isSolana, type Network } from '../lib/networks'
import { createSpeedUps } from '../lib/speedUps'
import { createWagmiConfig, listConnectors } from '../lib/wagmiConfig'

// A production build leaves the devtools out. Of the ways to write this, Turbopack drops an `if` statement.
let Devtools: ComponentType | undefined
if (process.env.NODE_ENV === 'development') {
  Devtools = lazy(() => import('kassa/devtools').then((module) => ({ default: module.CheckoutDevtools })))
}

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
  /** The project's id at WalletConnect, which is public; undefined in a shop that does not offer it. */
  walletConnectId: string | undefined
  /** The sentences of the library's parts in the buyer's language; undefined for English, which they have. */
  messages: Messages | undefined
  children: ReactNode
}

const create = ({
  serviceUrl,
  isSandbox,
  networks,
  walletConnectId,
}: Omit<ProvidersProps, 'children' | 'messages' | 'paymentRules'>) => {
  const confirmations = createConfirmations()
  const [first, ...others] = networks.filter(isEvm)
  const [onSolana] = networks.filter(isSolana)
  const hasDemo = isSandbox && typeof window !== 'undefined'
  // A buyer whose browser forbids storage has a wallet for as long as the page.
  const storage = openStorage()
  const demo =
    hasDemo && first
      ? createDemoProvider({
          networks: [first, ...others],
          storage,
          confirm: confirmations.ask,
        })
      : undefined
  const solanaDemo =
    hasDemo && onSolana
      ? createSolanaDemo({ network: onSolana, storage, confirm: confirmations.ask })
      : undefined
  const shop: CheckoutShop = {
    networks,
    imageGateway: `${serviceUrl}/ipfs/`,
    sandboxUrl: isSandbox ? `${serviceUrl}/sandbox` : undefined,
    demo,
    solanaDemo,
    speedUps: createSpeedUps(),
  }
  return {
    confirmations,
    shop,
    client: createClient({ baseUrl: checkoutUrl }),
    queryClient: new QueryClient(),
    config: createWagmiConfig(networks.filter(isEvm), [
      ...(isSandbox ? [demoWallet(() => demo)] : []),
      ...listConnectors(walletConnectId),
    ]),
    solana: onSolana && solana({ ...onSolana, cluster: isSandbox ? 'localnet' : 'mainnet' }),
  }
}

/**
 * Provides what a checkout needs: wallets, server state, the service's client and the sandbox's demo wallet.
 */
export function Providers({ children, messages, paymentRules, ...props }: ProvidersProps) {
  const t = useTranslations('wallets')
  const [made] = useState(() => create(props))
  const { solanaDemo } = made.shop
  useEffect(() => solanaDemo && registerWallet(solanaDemo.wallet), [solanaDemo])
  if (!made.config) {
    return (
      <div className="notice" role="alert">
        <h1 className="title">{t('unpayableTitle')}</h1>
        <p className="lead">{t('unpayable')}</p>
      </div>
    )
  }
  return (
    <WagmiProvider config={made.config}>
      <QueryClientProvider client={made.queryClient}>
        <CheckoutProvider
          client={made.client}
          imageGateway={made.shop.imageGateway}
          messages={messages}
          onEvent={made.shop.speedUps.hear}
          solana={made.solana}
          {...paymentRules}
        >
          <CheckoutShopContext value={made.shop}>
            {children}
            <ConfirmPayment confirmations={made.confirmations} />
            <Suspense>{Devtools && <Devtools />}</Suspense>
          </CheckoutShopContext>
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
