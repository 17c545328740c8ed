import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Checkout, CheckoutProvider, createClient } from 'kassa'
import { orderQueryKey } from 'kassa/query'
import { createRoot } from 'react-dom/client'
import { http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig, WagmiProvider } from 'wagmi'
import { startVariant } from './startVariant.js'

const config = createConfig({
  chains: [baseSepolia],
  transports: { [baseSepolia.id]: http() },
  storage: null,
  multiInjectedProviderDiscovery: false,
})
const queryClient = new QueryClient()
let queryKey: ReturnType<typeof orderQueryKey>

startVariant({
  mount: (container, order) => {
    const client = createClient({
      baseUrl: `${location.origin}/api`,
      fetch: async () => Response.json(order),
    })
    queryKey = orderQueryKey(client, order.orderId)
    queryClient.setQueryData(queryKey, order)
    createRoot(container).render(
      <WagmiProvider config={config} reconnectOnMount={false}>
        <QueryClientProvider client={queryClient}>
          <CheckoutProvider client={client}>
            <Checkout.Root orderId={order.orderId} clientSecret="secret">
              <Checkout.Items>
                <Checkout.Item>
                  <Checkout.ItemImage />
                  <Checkout.ItemName />
                  <Checkout.ItemQuantity />
                  <Checkout.ItemPrice />
                  <Checkout.ItemDelivery />
                </Checkout.Item>
              </Checkout.Items>
            </Checkout.Root>
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>,
    )
  },
  update: (next) => void queryClient.setQueryData(queryKey, next),
})
