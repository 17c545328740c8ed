import { act, renderHook, waitFor } from '@testing-library/react'
import { describe, expect, inject, test, vi } from 'vitest'
import { createClient, isKassaError } from '../../src/api/index.js'
import { useClient } from '../../src/hooks/useClient.js'
import { useCreateOrder } from '../../src/hooks/useCreateOrder.js'
import { useEditOrder } from '../../src/hooks/useEditOrder.js'
import { useOrder } from '../../src/hooks/useOrder.js'
import { usePaymentOptions } from '../../src/hooks/usePaymentOptions.js'
import { usePayOrder } from '../../src/hooks/usePayOrder.js'
import { useRefreshOrder } from '../../src/hooks/useRefreshOrder.js'
import type { UnknownMember } from '../../src/schema/index.js'
import { createBuyer } from '../helpers/createBuyer.js'
import { renderBuyerHook } from './wrapper.js'

const shop = inject('shop')

/** Counts requests for orders, and passes them on. */
const countingFetch = () => {
  const requests: { method: string; url: string; status: number }[] = []
  const counted: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    requests.push({ method: init?.method ?? 'GET', url: String(input), status: response.status })
    return response
  }
  return { requests, counted }
}

describe('useOrder', () => {
  test('default', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(buyer, () => useOrder(buyer.parameters))
    await waitFor(() => expect(result.current.data?.orderId).toBe(buyer.order.orderId))
    expect(result.current.data?.payment.status).toBe('awaiting-payment')
  })

  test('parameters: query.select', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(buyer, () =>
      useOrder({ ...buyer.parameters, query: { select: (order) => order.quote.totalPrice?.amount } }),
    )
    await waitFor(() => expect(result.current.data).toBe('0.01'))
  })

  test('behavior: a poll that finds nothing new has no body', async () => {
    const { requests, counted } = countingFetch()
    const buyer = await createBuyer(shop, { fetch: counted })
    const { result } = renderBuyerHook(buyer, () => useOrder(buyer.parameters))
    await waitFor(() => expect(result.current.data).toBeDefined())
    const before = result.current.data
    await act(() => result.current.refetch())
    expect(requests.at(-1)?.status).toBe(304)
    expect(result.current.data).toBe(before)
  })

  test('behavior: the client secret is in no query key', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(buyer, () => useOrder(buyer.parameters))
    await waitFor(() => expect(result.current.data).toBeDefined())
    const keys = buyer.queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey)
    expect(keys).toHaveLength(1)
    expect(JSON.stringify(keys)).not.toContain(buyer.clientSecret)
  })

  test('error: api.unauthorized, and it is not asked again', async () => {
    const { requests, counted } = countingFetch()
    const buyer = await createBuyer(shop, { fetch: counted })
    const { result } = renderBuyerHook(buyer, () =>
      useOrder({ orderId: buyer.order.orderId, clientSecret: 'cs_wrong' }),
    )
    await waitFor(() => expect(result.current.error?.code).toMatch(/^api\.(unauthorized|not-found)$/))
    const asked = requests.length
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(requests).toHaveLength(asked)
  })

  test('error: api.unreachable, and it is asked again until it answers', async () => {
    let isAway = true
    const buyer = await createBuyer(shop, {
      fetch: (input, init) => (isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)),
    })
    const { result } = renderBuyerHook(buyer, () => useOrder(buyer.parameters))
    await waitFor(() => expect(result.current.error?.code).toBe('api.unreachable'))
    isAway = false
    await waitFor(() => expect(result.current.data).toBeDefined())
  })

  test('error: config.provider-missing', () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const thrown = (() => {
      try {
        renderHook(() => useClient())
      } catch (error) {
        return error
      }
    })()
    expect(isKassaError(thrown, 'config.provider-missing')).toBe(true)
    print.mockRestore()
  })
})

describe('useCreateOrder', () => {
  test('behavior: the new order is in the cache, following it costs no second request', async () => {
    const { requests, counted } = countingFetch()
    const buyer = await createBuyer(shop)
    const merchant = { ...buyer, client: createClient({ ...shop, apiKey: shop.serverKey, fetch: counted }) }
    const { result } = renderBuyerHook(merchant, () => useCreateOrder())
    await act(() => result.current.mutateAsync(buyer.body))
    const created = result.current.data
    const followed = renderBuyerHook(merchant, () =>
      useOrder({
        orderId: String(created?.order.orderId),
        clientSecret: created?.clientSecret,
        query: { staleTime: 1_000 },
      }),
    )
    expect(followed.result.current.data).toEqual(created?.order)
    expect(requests.map(({ method }) => method)).toEqual(['POST'])
  })

  test('error: api.bad-request names the field', async () => {
    const buyer = await createBuyer(shop)
    const merchant = { ...buyer, client: createClient({ ...shop, apiKey: shop.serverKey }) }
    const { result } = renderBuyerHook(merchant, () => useCreateOrder())
    act(() =>
      result.current.mutate({
        ...buyer.body,
        payment: { ...buyer.body.payment, method: 'moon' as UnknownMember },
      }),
    )
    await waitFor(() => expect(result.current.error?.code).toBe('api.bad-request'))
    expect(result.current.error?.message).toContain('payment.method')
  })
})

describe('useEditOrder', () => {
  test('behavior: what was edited is what useOrder shows, at once', async () => {
    const buyer = await createBuyer(shop)
    const onSuccess = vi.fn()
    const { result } = renderBuyerHook(buyer, () => ({
      order: useOrder(buyer.parameters),
      edit: useEditOrder({ ...buyer.parameters, mutation: { onSuccess } }),
    }))
    await waitFor(() => expect(result.current.order.data).toBeDefined())
    await act(() => result.current.edit.mutateAsync({ recipient: { email: 'buyer@example.com' } }))
    await waitFor(() =>
      expect(result.current.order.data?.lineItems[0]?.delivery.recipient?.email).toBe('buyer@example.com'),
    )
    expect(onSuccess).toHaveBeenCalledOnce()
  })
})

describe('useRefreshOrder', () => {
  test('default', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(buyer, () => useRefreshOrder(buyer.parameters))
    const refreshed = await act(() => result.current.mutateAsync())
    const expiresAt = Date.parse(String(refreshed.quote.expiresAt))
    expect(expiresAt).toBeGreaterThan(Date.parse(String(buyer.order.quote.expiresAt)))
  })
})

describe('usePayOrder', () => {
  test('default: from the button to the delivered token', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(buyer, () => ({
      order: useOrder(buyer.parameters),
      payment: usePayOrder(buyer.parameters),
    }))
    await waitFor(() => expect(result.current.order.data).toBeDefined())
    await act(() => result.current.payment.pay())
    expect(result.current.payment.step.status).toBe('paid')
    await waitFor(() => expect(result.current.order.data?.phase).toBe('completed'))
    expect(result.current.order.data?.lineItems[0]?.delivery.status).toBe('completed')
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: two components share one payment', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(
      buyer,
      () => [usePayOrder(buyer.parameters), usePayOrder(buyer.parameters)] as const,
    )
    await act(async () => {
      await Promise.all([result.current[0].pay(), result.current[1].pay()])
    })
    expect(result.current[0].step).toBe(result.current[1].step)
    expect(buyer.countSent()).toBe(1)
  })
})

describe('usePaymentOptions', () => {
  test('default', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(buyer, () => usePaymentOptions(buyer.parameters))
    await waitFor(() => expect(result.current.data).toBeDefined())
    expect(result.current.data?.find(({ currency }) => currency === 'eth')).toMatchObject({
      chain: 'base-sepolia',
      amount: '0.01',
      sufficient: true,
    })
  })

  test('behavior: the client secret is in no query key', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(buyer, () => usePaymentOptions(buyer.parameters))
    await waitFor(() => expect(result.current.data).toBeDefined())
    const keys = buyer.queryClient.getQueryCache().getAll()
    expect(keys).toHaveLength(1)
    expect(JSON.stringify(keys.map(({ queryKey }) => queryKey))).not.toContain(buyer.clientSecret)
  })

  test('behavior: read again once the order is quoted again, and the last list stays meanwhile', async () => {
    const { requests, counted } = countingFetch()
    const buyer = await createBuyer(shop, { fetch: counted })
    const asked = () => requests.filter(({ url }) => url.includes('/payment-options')).length
    const { result } = renderBuyerHook(buyer, () => ({
      order: useOrder(buyer.parameters),
      refresh: useRefreshOrder(buyer.parameters),
      options: usePaymentOptions({ ...buyer.parameters, payerAddress: buyer.account.address }),
    }))
    await waitFor(() => expect(result.current.options.isSuccess && result.current.order.isSuccess).toBe(true))
    await waitFor(() => expect(result.current.options.isPlaceholderData).toBe(false))
    const before = asked()
    await act(() => result.current.refresh.mutateAsync())
    expect(result.current.options.data).toBeDefined()
    await waitFor(() => expect(asked()).toBe(before + 1))
    await waitFor(() => expect(result.current.options.isFetching).toBe(false))
  })

  test('behavior: the list of one payer is never shown for another', async () => {
    const buyer = await createBuyer(shop)
    const other = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
    let payerAddress: string = buyer.account.address
    const shown: (readonly [string, string | null | undefined])[] = []
    const { result, rerender } = renderBuyerHook(buyer, () => {
      const options = usePaymentOptions({ ...buyer.parameters, payerAddress })
      shown.push([payerAddress, options.data?.[0]?.balance])
      return options
    })
    await waitFor(() => expect(result.current.data?.[0]?.balance).toBe('1'))
    payerAddress = other
    rerender()
    await waitFor(() => expect(result.current.data?.[0]?.balance).toBe('0'))
    expect(new Set(shown.filter(([payer]) => payer === other).map(([, balance]) => balance))).toEqual(
      new Set([undefined, '0']),
    )
  })

  test('error: api.unauthorized, and it is not asked again', async () => {
    const { requests, counted } = countingFetch()
    const buyer = await createBuyer(shop, { fetch: counted })
    const { result } = renderBuyerHook(buyer, () =>
      usePaymentOptions({ orderId: buyer.order.orderId, clientSecret: 'cs_wrong' }),
    )
    await waitFor(() => expect(result.current.error?.code).toBe('api.unauthorized'))
    expect(requests.filter(({ url }) => url.includes('/payment-options'))).toHaveLength(1)
  })
})
