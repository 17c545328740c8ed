import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { CheckoutProvider, type Order } from 'kassa'
import { createClient, createOrder } from 'kassa/api'
import { createCheckoutHandler } from 'kassa/server'
import { createTestService, createTestWallet, type TestService } from 'kassa/testing'
import { StrictMode } from 'react'
import { WagmiProvider } from 'wagmi'
import { OrderCheckout } from '../../components/checkout/OrderCheckout'
import { readCart } from '../../lib/readCart'
import type { Edition } from '../../lib/shop'
import { InEnglish, translate } from './english'

/** The edition that {@link openCheckout} orders. */
export const dunes: Edition = {
  id: 'dunes-at-dusk',
  locator: 'kassa:dunes-at-dusk',
  chain: 'base-sepolia',
  chainLabel: 'Base Sepolia',
  standard: 'ERC-721',
  name: 'Dunes at Dusk',
  description: '',
  imageUrl: undefined,
  price: '0.012',
  currency: 'eth',
  currencies: undefined,
  fiat: undefined,
  supplyLimit: undefined,
  available: undefined,
  sale: undefined,
}

/**
 * Reaches the service as a browser does: through this shop's server, which prices carts and adds the secret from its
 * cookie.
 */
const throughTheShop = (
  service: TestService,
  clientSecret: string,
  { answer = (order) => order, isReachable = () => true }: Options,
) => {
  const shop = createCheckoutHandler({
    baseUrl: service.baseUrl,
    apiKey: service.serverKey,
    fetch: service.fetch,
    createOrder: async (cart) => readCart(cart, [dunes], translate('buy')),
  })
  return createClient({
    baseUrl: service.baseUrl,
    fetch: async (input, init) => {
      if (!isReachable()) throw new TypeError('Failed to fetch')
      const headers = new Headers(init?.headers)
      headers.set('authorization', clientSecret)
      const request = new Request(input, { ...init, headers })
      if (request.method === 'POST' && new URL(request.url).pathname.endsWith('/orders')) return shop(request)
      const response = await service.fetch(input, { ...init, headers })
      return request.method === 'GET' ? Response.json(answer(await response.json()), response) : response
    },
  })
}

type Answer = (order: Order) => Order

type Options = {
  /** Called with the order before its page is opened. */
  beforeOpening?: (access: { orderId: string; clientSecret: string }) => Promise<unknown>
  /** Who gets them, if it is not the wallet that pays. */
  recipient?: { email: string }
  /** Whether the page finds the wallet connected. */
  isConnected?: boolean
  /** The wallet's balance by currency. */
  balance?: Readonly<Record<string, string>>
  /** Changes the order as the browser reads it. */
  answer?: Answer
  /** Whether the browser's requests arrive. */
  isReachable?: () => boolean
}

/** Orders some of `Dunes at Dusk` and opens the checkout with a scripted wallet. */
export const openCheckout = async (service = createTestService(), quantity = 1, options: Options = {}) => {
  const wallet = createTestWallet({ service, isConnected: options.isConnected, balance: options.balance })
  const { order, clientSecret } = await createOrder(service.client, {
    body: {
      ...readCart({ items: [{ edition: dunes.id, quantity }] }, [dunes], translate('buy')),
      payment: { method: 'base-sepolia', currency: 'eth' },
      ...(options.recipient && { recipient: options.recipient }),
    },
  })
  await options.beforeOpening?.({ orderId: order.orderId, clientSecret })
  render(
    <StrictMode>
      <WagmiProvider config={wallet.config}>
        <QueryClientProvider client={new QueryClient()}>
          <CheckoutProvider client={throughTheShop(service, clientSecret, options)} {...service.rules}>
            <InEnglish>
              <OrderCheckout orderId={order.orderId} />
            </InEnglish>
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
  return { service, wallet, orderId: order.orderId }
}
