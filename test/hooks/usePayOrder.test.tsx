import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { createClient, createOrder, editOrder, getOrder, putCollection } from '../../src/api/index.js'
import { CheckoutProvider, type CheckoutProviderProps } from '../../src/components/CheckoutProvider.js'
import { useOrder } from '../../src/hooks/useOrder.js'
import { usePayOrder } from '../../src/hooks/usePayOrder.js'
import type { CheckoutEvent, PaymentToApprove } from '../../src/query.js'
import { type Buyer, createBuyer } from '../helpers/createBuyer.js'

const shop = inject('shop')

afterEach(() => {
  vi.restoreAllMocks()
})

type AppProps = Partial<Pick<CheckoutProviderProps, 'onBeforePay' | 'onEvent' | 'contracts'>>

/** An app whose functions are written in line, as most are: new ones at every render. */
const renderPayment = (buyer: Buyer, props: AppProps = {}) => {
  let render = (): void => {}
  const App = ({ children }: { children: ReactNode }) => {
    const [, setCount] = useState(0)
    render = () => setCount((count) => count + 1)
    return (
      <WagmiProvider config={buyer.config} reconnectOnMount={false}>
        <QueryClientProvider client={buyer.queryClient}>
          <CheckoutProvider
            client={buyer.client}
            storage={buyer.storage}
            {...buyer.parameters.rules}
            {...props}
            onBeforePay={(payment) => props.onBeforePay?.(payment)}
            onEvent={(event) => props.onEvent?.(event)}
          >
            {children}
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>
    )
  }
  const hook = renderHook(
    () => {
      useOrder(buyer.parameters)
      return usePayOrder(buyer.parameters)
    },
    { wrapper: App, reactStrictMode: true },
  )
  return { ...hook, renderApp: () => act(() => render()) }
}

describe('usePayOrder', () => {
  test('parameters: contracts of the provider', async () => {
    const buyer = await createBuyer(shop)
    const stranger = '0x00000000000000000000000000000000000000AA'
    const { result } = renderPayment(buyer, { contracts: { router: stranger, depositFactory: stranger } })
    await act(() => result.current.pay())
    expect(result.current.step).toMatchObject({ error: { code: 'pay.recipient-mismatch' } })
    expect(buyer.countSent()).toBe(0)
  })

  test('parameters: onBeforePay and onEvent of the provider', async () => {
    const buyer = await createBuyer(shop)
    const approved: PaymentToApprove[] = []
    const events: CheckoutEvent[] = []
    const { result } = renderPayment(buyer, {
      onBeforePay: (payment) => {
        approved.push(payment)
        return approved.length > 1 || 'not today'
      },
      onEvent: (event) => events.push(event),
    })
    await act(() => result.current.pay())
    expect(result.current.step).toMatchObject({
      error: { code: 'pay.vetoed', context: { reason: 'not today' } },
    })
    await act(() => result.current.pay())
    expect(result.current.step.status).toBe('paid')
    expect(events).toContainEqual(expect.objectContaining({ type: 'payment.step', code: 'pay.vetoed' }))
  })

  test('behavior: an order that costs nothing is claimed without the wallet', async () => {
    const buyer = await createBuyer(shop)
    const merchant = createClient({ baseUrl: shop.baseUrl, apiKey: shop.serverKey })
    // A promotion code has made it free, so it waits for the buyer.
    const collectionId = `free-${buyer.account.address.toLowerCase()}`
    await putCollection(merchant, {
      collectionId,
      body: {
        chain: 'base-sepolia',
        metadata: { name: 'Free', description: 'Free', symbol: 'FREE' },
        payments: { price: '0.01' },
        sale: { promotionCodes: [{ code: 'FREE', percent: '100' }] },
      },
    })
    const { clientSecret, order } = await createOrder(merchant, {
      body: { ...buyer.body, lineItems: { collectionLocator: `kassa:${collectionId}` } },
    })
    const { orderId } = order
    const body = { promotionCode: 'FREE' }
    const discounted = await editOrder(buyer.client, { orderId, clientSecret, body })
    expect(discounted).toMatchObject({ phase: 'payment', quote: { totalPrice: { amount: '0' } } })
    const free = { ...buyer, parameters: { ...buyer.parameters, orderId, clientSecret } }
    const { result } = renderPayment(free)
    await act(() => result.current.pay())
    expect(result.current.step.status).not.toBe('failed')
    expect(buyer.countSent()).toBe(0)
    expect(['delivery', 'completed']).toContain(
      (await getOrder(buyer.client, { orderId, clientSecret })).phase,
    )
  })

  test('behavior: an app that renders does not begin anything anew', async () => {
    const buyer = await createBuyer(shop)
    const { result, renderApp } = renderPayment(buyer)
    const { pay } = result.current
    renderApp()
    renderApp()
    expect(result.current.pay).toBe(pay)
  })

  test('behavior: the quote is renewed while it is shown and seen, and not while the page is hidden', async () => {
    const refreshes: string[] = []
    const counted: typeof fetch = async (input, init) => {
      if (String(input).endsWith('/refresh')) refreshes.push(String(input))
      const response = await fetch(input, init)
      // The test moves the device's clock, which the service would put right.
      const headers = new Headers(response.headers)
      headers.delete('date')
      return new Response(response.status === 304 ? null : response.body, {
        status: response.status,
        headers,
      })
    }
    const buyer = await createBuyer(shop, { fetch: counted })
    const realNow = Date.now
    const expiresAtMs = Date.parse(String(buyer.order.quote.expiresAt))
    const aheadMs = expiresAtMs - realNow() - 2_400
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + aheadMs)
    let visibility: DocumentVisibilityState = 'hidden'
    vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
    const { unmount } = renderPayment(buyer)
    await waitFor(() => expect(buyer.queryClient.getQueryData(buyer.observed.queryKey)).toBeDefined())
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(refreshes).toEqual([])
    visibility = 'visible'
    vi.mocked(Date.now).mockImplementation(() => realNow() + aheadMs - 400)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(refreshes).toHaveLength(1))
    unmount()
  })

  test('behavior: a buyer who comes back from the wallet’s app is not kept waiting for its answer', async () => {
    const buyer = await createBuyer(shop)
    const asked = new Promise<() => Promise<unknown>>((resolve) => {
      buyer.wallet.script.onSend = (send) => {
        resolve(send)
        // The page is asleep while the wallet answers.
        return new Promise(() => {})
      }
    })
    const { result } = renderPayment(buyer)
    act(() => void result.current.pay())
    await waitFor(() => expect(result.current.step.status).toBe('awaiting-signature'))
    const approve = await asked
    await approve()
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() => expect(result.current.step.status).toBe('paid'))
    expect(buyer.countSent()).toBe(1)
  })
})
