import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { CheckoutProvider } from 'kassa'
import { createClient, createOrder } from 'kassa/api'
import { createTestService, createTestWallet, type TestService } from 'kassa/testing'
import { StrictMode } from 'react'
import { WagmiProvider } from 'wagmi'
import { OrderCheckout } from '../../components/checkout/OrderCheckout'

/**
 * Reaches the service as a browser does: through this shop's server, which adds the secret from its cookie.
 */
const throughTheShop = (service: TestService, clientSecret: string) =>
  createClient({
    baseUrl: service.baseUrl,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', clientSecret)
      return service.fetch(input, { ...init, headers })
    },
  })

/** Orders a `Dunes at Dusk` and opens its checkout with a scripted wallet. */
export const openCheckout = async (service = createTestService()) => {
  const wallet = createTestWallet({ service })
  const { order, clientSecret } = await createOrder(service.client, {
    body: {
      payment: { method: 'base-sepolia', currency: 'eth' },
      lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
    },
  })
  render(
    <StrictMode>
      <WagmiProvider config={wallet.config}>
        <QueryClientProvider client={new QueryClient()}>
          <CheckoutProvider client={throughTheShop(service, clientSecret)} {...service.rules}>
            <OrderCheckout orderId={order.orderId} />
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
  return { service, wallet, orderId: order.orderId }
}
