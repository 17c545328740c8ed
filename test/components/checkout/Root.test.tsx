import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Checkout, CheckoutProvider, createClient } from 'kassa'
import { orderQueryKey } from 'kassa/query'
import type { Order } from 'kassa/schema'
import { Profiler, type ReactNode, StrictMode, useLayoutEffect } from 'react'
import { renderToString } from 'react-dom/server'
import { http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createConfig, WagmiProvider } from 'wagmi'
import { buyer, delivered, item, order, router, secondItem } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { orders } from '../../../stories/fixtures/orders.js'
import { steps } from '../../../stories/fixtures/steps.js'
import { hydrate } from '../../helpers/hydrate.js'
import { mount } from '../mount.js'

afterEach(cleanup)

test('default', () => {
  mount(createCheckout(orders.delivering, { step: steps.paid }), <p>inside</p>)
  const root = screen.getByText('inside').parentElement
  expect(root?.tagName).toBe('SECTION')
  expect({ ...root?.dataset }).toEqual({ kassa: 'root', stage: 'delivering', step: 'paid' })
})

test('parameters: render, className, style, ref', () => {
  const ref = vi.fn()
  render(
    <Checkout.Root
      value={createCheckout(undefined)}
      render={<form aria-label="checkout" />}
      className={({ stage }) => stage}
      ref={ref}
    />,
  )
  expect(screen.getByRole('form').className).toBe('loading')
  expect(ref).toHaveBeenCalledWith(screen.getByRole('form'))
})

const OnMount = ({ act }: { act: () => void }) => {
  useLayoutEffect(act, [])
  return null
}

describe('behavior: an update renders only the parts it is about', () => {
  const watch = () => {
    const renders: string[] = []
    const part = (id: string, children: ReactNode) => (
      <Profiler id={id} onRender={() => void renders.push(id)}>
        {children}
      </Profiler>
    )
    const parts = (
      <>
        <Checkout.Items>
          {(_, index) => part(`item ${index}`, <Checkout.ItemDelivery render={<li />} />)}
        </Checkout.Items>
        {part('total', <Checkout.Total />)}
        {part('pay', <Checkout.Pay />)}
        {part('status', <Checkout.Status />)}
        {part('expiry', <Checkout.Expiry />)}
        {part('error', <Checkout.Error />)}
        {part('receipt', <Checkout.Receipt />)}
      </>
    )
    return { parts, take: () => renders.splice(0).sort() }
  }
  const delivering = (...items: ReturnType<typeof item>[]) =>
    order({ phase: 'delivery', lineItems: items, payment: { status: 'completed' } })
  const onItsWay = { delivery: { status: 'in-progress' } } as const

  test('one item of two is delivered', () => {
    const { parts, take } = watch()
    const before = delivering(item(onItsWay), secondItem(onItsWay))
    const { show } = mount(createCheckout(before), parts)
    expect(new Set(take()).size).toBe(8)
    // As the query cache does it: what did not change is the same object.
    const [first] = delivering(item({ delivery: delivered('7') })).lineItems
    const [, second] = before.lineItems
    const after: Order = { ...before, lineItems: [first, second].filter((line) => line !== undefined) }
    show(createCheckout(after))
    expect(new Set(take())).toEqual(new Set(['item 0', 'status']))
  })

  test('a second passes', () => {
    const { parts, take } = watch()
    const value = createCheckout(orders.awaitingPaymentNative)
    const { show } = mount(value, parts)
    take()
    show({ ...value, nowMs: (value.nowMs ?? 0) + 1_000 })
    expect(new Set(take())).toEqual(new Set(['expiry']))
  })

  test('the same order comes again', () => {
    const { parts, take } = watch()
    const { show } = mount(createCheckout(orders.awaitingPaymentNative), parts)
    take()
    show(createCheckout(orders.awaitingPaymentNative))
    expect(take()).toEqual([])
  })
})

describe('parameters: orderId, clientSecret', () => {
  const config = createConfig({ chains: [baseSepolia], transports: { [baseSepolia.id]: http() } })

  const known = orders.awaitingPaymentNative
  const createTree = (
    client: ReturnType<typeof createClient>,
    queryClient: QueryClient,
    parts: ReactNode,
  ) => (
    <StrictMode>
      <WagmiProvider config={config} reconnectOnMount={false}>
        <QueryClientProvider client={queryClient}>
          <CheckoutProvider client={client}>
            <Checkout.Root orderId={known.orderId}>{parts}</Checkout.Root>
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>
  )
  const createCached = () => {
    const fetch = async () => Response.json(known)
    const client = createClient({ baseUrl: 'http://127.0.0.1:20001/api', fetch })
    const queryClient = new QueryClient()
    const queryKey = orderQueryKey(client, known.orderId)
    queryClient.setQueryData(queryKey, known)
    const write = (order: Order) => void queryClient.setQueryData(queryKey, order)
    return { client, queryClient, write }
  }

  const mountOrder = (answer: () => Response | Promise<Response>) => {
    const fetch = vi.fn(async (_input: string | URL | Request, _init?: RequestInit) => answer())
    const client = createClient({ baseUrl: 'http://127.0.0.1:20001/api', fetch })
    const orderId = orders.awaitingPaymentNative.orderId
    render(
      <StrictMode>
        <WagmiProvider config={config}>
          <QueryClientProvider client={new QueryClient()}>
            <CheckoutProvider client={client} imageGateway="https://pictures.example/ipfs/">
              <Checkout.Root orderId={orderId} clientSecret="secret-of-this-order">
                <Checkout.Items />
                <Checkout.Pay />
                <Checkout.Error />
              </Checkout.Root>
            </CheckoutProvider>
          </QueryClientProvider>
        </WagmiProvider>
      </StrictMode>,
    )
    return fetch
  }

  test('behavior: follows the order', async () => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString()
    const imageUrl = 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/bloom.svg'
    const lineItems = [item({ metadata: { name: 'Night Bloom', imageUrl } })]
    const live = { ...order({ lineItems }), quote: { ...orders.awaitingPaymentNative.quote, expiresAt } }
    const fetch = mountOrder(() => Response.json(live))
    const button = await screen.findByRole('button', { name: 'Pay 0.042\u00a0ETH' })
    expect(button.getAttribute('aria-disabled')).toBe(null)
    expect(screen.getByRole('img').getAttribute('src')).toBe(
      'https://pictures.example/ipfs/bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/bloom.svg',
    )
    expect(String(fetch.mock.calls[0]?.[0])).not.toContain('secret-of-this-order')
  })

  test('behavior: hydrates server-rendered markup, and shows no time before hydration', async () => {
    const parts = [
      <Checkout.Items key="items" />,
      <Checkout.Pay key="pay" />,
      <Checkout.Expiry key="expiry" />,
    ]
    const server = createCached()
    const container = document.createElement('div')
    container.innerHTML = renderToString(createTree(server.client, server.queryClient, parts))
    expect(container.textContent).toContain('Night Bloom')
    const drawn = container.querySelector('button')
    document.body.append(container)
    const onRecoverableError = vi.fn()
    const browser = createCached()
    const tree = createTree(browser.client, browser.queryClient, parts)
    const root = await hydrate(container, tree, { onRecoverableError })
    onTestFinished(() => act(() => root.unmount()))
    expect(onRecoverableError).not.toHaveBeenCalled()
    expect(container.querySelector('button')).toBe(drawn)
    // The quote of the fixtures is over by now, which only a clock tells.
    expect(container.querySelector('section')?.dataset.stage).toBe('expired')
  })

  test('behavior: what is written to the cache shows with no timer in between', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { client, queryClient, write } = createCached()
    render(createTree(client, queryClient, <Checkout.Items />))
    const [first] = known.lineItems
    act(() => write({ ...known, lineItems: first ? [{ ...first, quantity: 5 }] : [] }))
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    expect(screen.getByRole('listitem').textContent).toContain('×\u00a05')
  })

  test('behavior: shows an order that changed before the first subscription', () => {
    const { client, queryClient, write } = createCached()
    // So that nothing is asked, and no answer tells of it later.
    queryClient.setDefaultOptions({ queries: { staleTime: Number.POSITIVE_INFINITY } })
    const delivering = order({ phase: 'delivery', payment: { status: 'completed' } })
    render(createTree(client, queryClient, <OnMount act={() => write(delivering)} />))
    expect(document.querySelector('section')?.dataset.stage).toBe('delivering')
  })

  test('behavior: nothing is changed while another tab may be paying', async () => {
    const fetch = vi.fn(async (_input: string | URL | Request, _init?: RequestInit) => Response.json(known))
    const client = createClient({ baseUrl: 'http://127.0.0.1:20001/api', fetch })
    const parts = (
      <>
        <Checkout.RecipientForm isOpen />
        <Checkout.Error />
      </>
    )
    render(createTree(client, new QueryClient(), parts))
    const save = await screen.findByRole('button', { name: 'Continue' })
    const attempts = `kassa.attempts.${known.orderId}`
    onTestFinished(() => localStorage.removeItem(attempts))
    localStorage.setItem(
      attempts,
      JSON.stringify([
        {
          id: 'of-another-tab',
          orderId: known.orderId,
          chainId: baseSepolia.id,
          payerAddress: buyer,
          to: router,
          data: '0x',
          valueWei: '1',
          attemptedAtMs: Date.now(),
        },
      ]),
    )
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'ada@example.com' } })
    await act(async () => fireEvent.click(save))
    expect(screen.getByRole('alert').dataset.code).toBe('api.conflict')
    expect(fetch.mock.calls.map(([, init]) => init?.method)).not.toContain('PATCH')
    localStorage.removeItem(attempts)
    await act(async () => fireEvent.click(save))
    expect(fetch.mock.calls.map(([, init]) => init?.method)).toContain('PATCH')
  })

  test('behavior: a change that a payment has overtaken shows that payment, and no error', async () => {
    let isPaid = false
    const expiresAt = new Date(Date.now() + 600_000).toISOString()
    const underpaid = { ...orders.underpaid, quote: { ...orders.underpaid.quote, expiresAt } }
    const fetch = vi.fn(async (_input: string | URL | Request, init?: RequestInit) => {
      if (init?.method === 'PATCH') {
        isPaid = true
        return Response.json({ error: true, message: 'a payment may be under way' }, { status: 409 })
      }
      return Response.json({ ...(isPaid ? underpaid : known), orderId: known.orderId })
    })
    const client = createClient({ baseUrl: 'http://127.0.0.1:20001/api', fetch })
    const parts = (
      <>
        <Checkout.RecipientForm isOpen />
        <Checkout.Error />
        <Checkout.Status />
      </>
    )
    render(createTree(client, new QueryClient(), parts))
    const save = await screen.findByRole('button', { name: 'Continue' })
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'ada@example.com' } })
    await act(async () => fireEvent.click(save))
    await screen.findByText(/^Part of the price was paid, and 0\.022/)
    expect(screen.queryByRole('alert')).toBe(null)
    expect(screen.queryByRole('form')).toBe(null)
  })

  test('error: api.not-found', async () => {
    mountOrder(() => Response.json({ error: true, message: 'Not found' }, { status: 404 }))
    expect((await screen.findByRole('alert')).dataset.code).toBe('api.not-found')
    expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('true')
  })

  test('behavior: a failure that repeats itself is announced once', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const pass = () => act(() => vi.advanceTimersByTimeAsync(65_000))
    let answer = (call: number) =>
      Response.json({ error: true, message: 'contact support' }, failedWith(`request-${call}`))
    const failedWith = (id: string) => ({ status: 500, headers: { 'x-request-id': id } })
    let calls = 0
    // An answer takes its time, so that the page is drawn while it is awaited.
    const fetch = mountOrder(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return answer(++calls)
    })
    await act(() => vi.advanceTimersByTimeAsync(60))
    const alert = screen.getByRole('alert')
    const said = alert.textContent
    const observer = new MutationObserver(() => {})
    observer.observe(document.body, { childList: true, characterData: true, subtree: true })
    const before = fetch.mock.calls.length
    await pass()
    expect(fetch.mock.calls.length).toBeGreaterThan(before + 1)
    expect(observer.takeRecords()).toEqual([])
    expect(screen.getByRole('alert')).toBe(alert)

    answer = () => Response.json({ error: true, message: 'later' }, { status: 409 })
    await pass()
    expect(screen.getByRole('alert')).toBe(alert)
    expect(alert.dataset.code).toBe('api.conflict')
    expect(alert.textContent).not.toBe(said)

    answer = () => Response.json(orders.requiresRecipient)
    await pass()
    expect(screen.queryByRole('alert')).toBe(null)

    answer = (call) => Response.json({ error: true, message: 'contact support' }, failedWith(`late-${call}`))
    await pass()
    const late = screen.getByRole('alert').textContent
    await pass()
    expect(screen.getByRole('alert').textContent).toBe(late)
    observer.disconnect()
  })
})

test('error: config.provider-missing', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => render(<Checkout.Root orderId="b4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11" />)).toThrow(
    /CheckoutProvider/,
  )
  log.mockRestore()
})
