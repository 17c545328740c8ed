import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CheckoutProvider, createClient } from 'kassa'
import { CheckoutDevtools, type CheckoutDevtoolsProps } from 'kassa/devtools'
import { useState } from 'react'
import { http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig, WagmiProvider } from 'wagmi'
import { Composed } from '../../checkout/examples/Composed.js'

const config = createConfig({ chains: [baseSepolia], transports: { [baseSepolia.id]: http() } })

/** A checkout with the devtools panel beside it. The panel needs no configuration. */
export function WithDevtools(props: {
  baseUrl: string
  orderId: string
  clientSecret: string
  fetch?: typeof fetch
  devtools?: CheckoutDevtoolsProps
}) {
  const [client] = useState(() => createClient({ baseUrl: props.baseUrl, fetch: props.fetch }))
  const [queryClient] = useState(() => new QueryClient())
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={queryClient}>
        <CheckoutProvider client={client}>
          <Composed orderId={props.orderId} clientSecret={props.clientSecret} />
          <CheckoutDevtools {...props.devtools} />
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
