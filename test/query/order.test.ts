import { setTimeout as sleep } from 'node:timers/promises'
import { dehydrate, hydrate, QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient, editOrder } from '../../src/api/index.js'
import { setOrder } from '../../src/query/setOrder.js'
import { orderQueryOptions } from '../../src/query.js'
import { orders } from '../../src/testing/orders.js'
import { type Buyer, createBuyer } from '../helpers/createBuyer.js'
import { useShop } from '../helpers/useShop.js'

const shop = useShop()
let buyer: Buyer

beforeAll(async () => {
  buyer = await createBuyer(shop.address)
})

const edit = (currency: string) =>
  editOrder(buyer.client, {
    ...buyer.parameters,
    body: { payment: { ...buyer.body.payment, currency } },
  })

describe('orderQueryOptions', () => {
  test('behavior: an answer that came in as it was cancelled does not hide the order behind its ETag', async () => {
    const queryClient = new QueryClient()
    let onAnswer = (): void => undefined
    const client = createClient({
      ...shop.address,
      fetch: async (input, init) => {
        const response = await shop.address.fetch?.(input, init)
        if (!response) throw new Error('this shop is in this process')
        const text = await response.text()
        onAnswer()
        return new Response(response.status === 304 ? null : text, response)
      },
    })
    const options = { ...orderQueryOptions(client, buyer.parameters), staleTime: 0 }
    await queryClient.fetchQuery(options)
    await edit('usdc')
    // The next answer holds the new currency, and is thrown away by TanStack Query at the last moment.
    onAnswer = () => void queryClient.cancelQueries({ queryKey: options.queryKey })
    await queryClient.fetchQuery(options).catch(() => undefined)
    onAnswer = () => undefined
    // What is left of the cancelled read runs to its end.
    await sleep(50)
    const order = await queryClient.fetchQuery(options)
    expect(order.payment.currency).toBe('usdc')
  })

  test('behavior: what a write answered stands until the service says otherwise', async () => {
    const options = { ...orderQueryOptions(buyer.client, buyer.parameters), staleTime: 0 }
    await buyer.queryClient.fetchQuery(options)
    setOrder(buyer.queryClient, buyer.client, await edit('usdxm'))
    expect(buyer.queryClient.getQueryData(options.queryKey)?.payment.currency).toBe('usdxm')
    expect((await buyer.queryClient.fetchQuery(options)).payment.currency).toBe('usdxm')
  })

  test('behavior: what a server prefetched is not asked for again at once', async () => {
    const prefetched = new QueryClient()
    await prefetched.fetchQuery(orderQueryOptions(buyer.client, buyer.parameters))
    const asked: string[] = []
    const client = createClient({
      ...shop.address,
      fetch: (input, init) => {
        // The stream of the order is no read of it.
        if (!String(input).endsWith('/events')) asked.push(String(input))
        return (shop.address.fetch ?? fetch)(input, init)
      },
    })
    const queryClient = new QueryClient()
    hydrate(queryClient, JSON.parse(JSON.stringify(dehydrate(prefetched))))
    const options = orderQueryOptions(client, buyer.parameters)
    const observer = new QueryObserver(queryClient, options)
    const stop = observer.subscribe(() => undefined)
    expect(observer.getCurrentResult()).toMatchObject({ isSuccess: true, isFetching: false, isStale: false })
    expect(asked).toEqual([])
    // A manual refetch still works, as for any other order.
    await observer.refetch()
    expect(asked).toHaveLength(1)
    stop()
  })

  test('behavior: an order that has ended is asked for again by who comes back to it later', () => {
    const queryClient = new QueryClient()
    const { orderId } = orders.completed
    const options = orderQueryOptions(buyer.client, { orderId })
    const isStale = (ageMs: number) => {
      queryClient.setQueryData(options.queryKey, orders.completed, { updatedAt: Date.now() - ageMs })
      return new QueryObserver(queryClient, options).getCurrentResult().isStale
    }
    expect([isStale(0), isStale(3_600_000)]).toEqual([false, true])
  })
})
