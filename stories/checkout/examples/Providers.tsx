import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CheckoutProvider, type Client } from 'kassa'
import { type ReactNode, useState } from 'react'
import { type Config, WagmiProvider } from 'wagmi'

export function Providers(props: { client: Client; config: Config; children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient())
  return (
    <WagmiProvider config={props.config}>
      <QueryClientProvider client={queryClient}>
        <CheckoutProvider client={props.client}>{props.children}</CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
