import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CheckoutProvider, createClient } from 'kassa'
import { useState } from 'react'
import { http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig, WagmiProvider } from 'wagmi'
import { Composed } from './Composed.js'

const config = createConfig({ chains: [baseSepolia], transports: { [baseSepolia.id]: http() } })

/** A checkout that follows an order of a service: all that it needs around it. */
export function ByOrderId(props: {
  baseUrl: string
  orderId: string
  clientSecret: string
  fetch?: typeof fetch
}) {
  const [client] = useState(() => createClient({ baseUrl: props.baseUrl, fetch: props.fetch }))
  const [queryClient] = useState(() => new QueryClient())
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={queryClient}>
        <CheckoutProvider client={client}>
          <Composed orderId={props.orderId} clientSecret={props.clientSecret} />
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
