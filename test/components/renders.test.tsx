import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { Checkout, CheckoutProvider, createClient } from 'kassa'
import { orderQueryKey } from 'kassa/query'
import type { LineItem, Order } from 'kassa/schema'
import { type ComponentProps, createElement, type ReactElement, type ReactNode } from 'react'
import { http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConfig, WagmiProvider } from 'wagmi'
import { item, order, quotedAt } from '../../stories/fixtures/build.js'

afterEach(cleanup)

// A quote of the fixtures lasts ten minutes, and nothing passes but what a test lets pass.
beforeEach(() => void vi.useFakeTimers({ now: Date.parse(quotedAt) + 1_000 }))
afterEach(() => void vi.useRealTimers())

const dearer = { amount: '0.013', currency: 'eth' }
const places = Array.from({ length: 50 }, (_, index) => index)
const awaiting = order({ lineItems: places.map((at) => item({ metadata: { name: `Item ${at}` } })) })
const onItsWay: Order = {
  ...awaiting,
  phase: 'delivery',
  payment: { ...awaiting.payment, status: 'completed' },
}

const config = createConfig({ chains: [baseSepolia], transports: { [baseSepolia.id]: http() } })

const withItem = (from: Order, at: number, change: (before: LineItem) => LineItem): Order => ({
  ...from,
  lineItems: from.lineItems.map((before, index) => (index === at ? change(before) : before)),
})

/** Mounts the parts of a checkout with 50 line items; `take` tells which have rendered since it was asked last. */
const mount = (first: Order) => {
  const renders: string[] = []
  const counted =
    <Tag extends 'button' | 'div' | 'img' | 'li' | 'output' | 'section' | 'span' | 'time' | 'ul'>(
      part: string,
      tag: Tag,
    ) =>
    (props: ComponentProps<Tag>): ReactElement => {
      renders.push(part)
      return createElement<ComponentProps<Tag>>(tag, props)
    }
  const list: ReactNode = (
    <Checkout.Items render={counted('Items', 'ul')}>
      <Checkout.Item render={counted('Item', 'li')}>
        <Checkout.ItemImage render={counted('ItemImage', 'img')} />
        <Checkout.ItemName render={counted('ItemName', 'span')} />
        <Checkout.ItemQuantity render={counted('ItemQuantity', 'span')} />
        <Checkout.ItemPrice render={counted('ItemPrice', 'span')} />
        <Checkout.ItemDelivery render={counted('ItemDelivery', 'span')} />
      </Checkout.Item>
    </Checkout.Items>
  )
  const fetch = vi.fn(async () => Response.json(first))
  const client = createClient({ baseUrl: 'http://127.0.0.1:20001/api', fetch })
  const queryClient = new QueryClient()
  const queryKey = orderQueryKey(client, first.orderId)
  queryClient.setQueryData(queryKey, first)
  render(
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={queryClient}>
        <CheckoutProvider client={client}>
          <Checkout.Root orderId={first.orderId} clientSecret="secret" render={counted('Root', 'section')}>
            {list}
            <Checkout.Total render={counted('Total', 'span')} />
            <Checkout.Expiry render={counted('Expiry', 'time')} />
            <Checkout.Pay render={counted('Pay', 'button')} />
            <Checkout.Status render={counted('Status', 'output')} />
            <Checkout.Error render={counted('Error', 'div')} />
          </Checkout.Root>
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>,
    // What is counted here StrictMode would double.
    { reactStrictMode: false },
  )
  return {
    fetch,
    settle: () => act(() => vi.advanceTimersByTimeAsync(10)),
    write: (next: Order) => act(() => void queryClient.setQueryData(queryKey, next)),
    poll: () => act(() => queryClient.refetchQueries()),
    take: () => renders.splice(0).sort(),
  }
}

test('default: each part has rendered', async () => {
  const { settle, take } = mount(awaiting)
  await settle()
  const renders = new Set(take())
  for (const part of ['Root', 'Items', 'Item', 'ItemName', 'Total', 'Expiry', 'Pay', 'Status'])
    expect(renders).toContain(part)
})

test.each([
  ['ItemPrice', 7, (before: LineItem) => ({ ...before, quote: { ...before.quote, totalPrice: dearer } })],
  ['ItemQuantity', 0, (before: LineItem) => ({ ...before, quantity: 3 })],
] as const)(
  'behavior: one field of one item of 50 changes, and %s renders once',
  async (part, at, change) => {
    const { settle, write, take } = mount(onItsWay)
    await settle()
    take()
    const before = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    write(withItem(onItsWay, at, change))
    expect(take()).toEqual([part])
    const after = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(after.flatMap((text, index) => (text === before[index] ? [] : [index]))).toEqual([at])
  },
)

test('behavior: a fresh order in which one field of one item differs renders one part', async () => {
  const { settle, write, take } = mount(onItsWay)
  await settle()
  take()
  write(structuredClone(withItem(onItsWay, 49, (before) => ({ ...before, quantity: 2 }))))
  expect(take()).toEqual(['ItemQuantity'])
})

test('behavior: a poll that brings the same order renders nothing', async () => {
  const { settle, fetch, poll, take } = mount(onItsWay)
  await settle()
  take()
  const asked = fetch.mock.calls.length
  await poll()
  expect(fetch.mock.calls.length).toBe(asked + 1)
  expect(take()).toEqual([])
})

test('behavior: the payment is seen, and only what shows that renders', async () => {
  const { settle, write, take } = mount(awaiting)
  await settle()
  take()
  write({ ...awaiting, payment: { ...awaiting.payment, status: 'in-progress' } })
  expect(take()).toEqual(['Expiry', 'Pay', 'Root', 'Status'])
})

test('behavior: a second passes, and only the countdown renders', async () => {
  const { settle, take } = mount(awaiting)
  await settle()
  take()
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(take()).toEqual(['Expiry'])
})

test('behavior: another locale reaches every price', async () => {
  const { settle, write, take } = mount(onItsWay)
  await settle()
  take()
  write({ ...onItsWay, locale: 'de-DE' })
  expect(take()).toEqual([...places.map(() => 'ItemPrice'), 'Total'])
  expect(screen.getAllByRole('listitem')[49]?.textContent).toContain('0,012')
})
