import { render, screen, waitFor } from '@testing-library/react'
import { Checkout, CheckoutProvider, createClient } from 'kassa'
import type { ReactNode } from 'react'
import { http } from 'viem'
import { polygonAmoy } from 'viem/chains'
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createConfig, WagmiProvider } from 'wagmi'
import { type AnyKassaError, apiError, payError } from '../../../src/errors/index.js'
import { buyer } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { orders } from '../../../stories/fixtures/orders.js'
import { steps } from '../../../stories/fixtures/steps.js'
import { Wallet } from '../../../stories/fixtures/wallet.js'
import { createBuyer } from '../../helpers/createBuyer.js'

const shop = inject('shop')
let printed: string[] = []

beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'development')
  printed = []
  const print = vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(String(text)))
  onTestFinished(() => {
    print.mockRestore()
    vi.unstubAllEnvs()
  })
})

/** An app whose wagmi configuration has one chain, on which no order of these tests is paid. */
const amoyOnly = createConfig({
  chains: [polygonAmoy],
  transports: { [polygonAmoy.id]: http('http://127.0.0.1:1') },
  multiInjectedProviderDiscovery: false,
})

const InOtherApp = ({ children }: { children: ReactNode }) => (
  <Wallet account={buyer}>
    <WagmiProvider config={amoyOnly} reconnectOnMount={false}>
      {children}
    </WagmiProvider>
  </Wallet>
)

const notPossible = 'This payment is not possible here. Nothing was sent. Contact the shop.'

describe('error: pay.chain-not-configured', () => {
  test.each(['awaitingPaymentNative', 'insufficientFunds', 'requiresPayer'] as const)(
    'an app without the chain asks for neither funds nor a payment: %s',
    (name) => {
      render(
        <InOtherApp>
          <Checkout.Panel value={createCheckout(orders[name], { edit: () => {} })} />
        </InOtherApp>,
      )
      expect(screen.getByRole('alert').textContent).toBe(notPossible)
      expect(document.body.textContent).not.toContain('Not enough')
      expect(screen.queryByRole('status')).toBe(null)
      expect(document.querySelectorAll('[data-kassa=pay], [data-kassa=funds]')).toHaveLength(0)
      // The buyer may choose a chain that the app has.
      expect(screen.getByRole('combobox', { name: 'Pay with' })).toBeDefined()
      expect(printed).toEqual([
        "[kassa] pay.chain-not-configured: The order is paid on base-sepolia, which is missing from this app's wagmi config. Add the chain to it. See kassa/errors/pay.chain-not-configured.md",
      ])
    },
  )

  test('an app without Solana', () => {
    const client = createClient({ baseUrl: shop.baseUrl })
    const order = orders.awaitingPaymentNative
    const value = createCheckout({
      ...order,
      payment: { ...order.payment, method: 'solana', currency: 'sol' },
    })
    render(
      <Wallet account={buyer}>
        <CheckoutProvider client={client}>
          <Checkout.Panel value={value} />
        </CheckoutProvider>
      </Wallet>,
    )
    expect(screen.getByRole('alert').textContent).toBe(notPossible)
    expect(printed).toEqual([expect.stringContaining('Pass `solana` to <CheckoutProvider>.')])
  })

  test('a payment that is on its way is followed all the same', () => {
    render(
      <InOtherApp>
        <Checkout.Panel value={createCheckout(orders.paymentInProgress)} />
      </InOtherApp>,
    )
    expect(screen.queryByRole('alert')).toBe(null)
    expect(printed).toEqual([])
  })
})

describe('behavior: a mistake of the app goes to the console, and the buyer reads a sentence', () => {
  const { orderId } = orders.completed
  const rows: [
    mistake: string,
    props: (other: Awaited<ReturnType<typeof createBuyer>>) => object,
    code: string,
  ][] = [
    ['a wrong order id', ({ clientSecret }) => ({ orderId, clientSecret }), 'api.unauthorized'],
    ['an id that no order can have', () => ({ orderId: 'order_1', clientSecret: 'cs_x' }), 'api.not-found'],
    [
      'the secret of another order',
      ({ order }) => ({ orderId: order.orderId, clientSecret: 'cs_other' }),
      'api.unauthorized',
    ],
    ['an undefined id', ({ clientSecret }) => ({ orderId: undefined, clientSecret }), 'input.id-invalid'],
    ['no secret', ({ order }) => ({ orderId: order.orderId }), 'api.unauthorized'],
  ]
  test.each(rows)('%s', async (_mistake, getProps, code) => {
    const other = await createBuyer(shop)
    const props = getProps(other)
    render(
      <Wallet>
        <CheckoutProvider client={createClient({ baseUrl: shop.baseUrl })}>
          {/* What JavaScript, or a cast, lets through. */}
          <Checkout.Panel {...(props as { orderId: string })} />
        </CheckoutProvider>
      </Wallet>,
    )
    expect((await screen.findByRole('alert')).textContent).toBe(
      'This order cannot be opened. Contact the shop.',
    )
    await waitFor(() => expect(printed).toHaveLength(1))
    expect(printed[0]).toMatch(new RegExp(`^\\[kassa\\] ${code}: .+ See kassa/errors/${code}\\.md$`))
    expect(printed[0]).not.toContain(other.clientSecret)
  })

  const failures: [string, AnyKassaError, string][] = [
    [
      'of a token that the app lacks',
      payError('pay.token-unknown', { chain: 'base-sepolia', currency: 'dai' }),
      notPossible,
    ],
    ['of a chain that the app lacks', payError('pay.chain-not-configured', { chain: 'base' }), notPossible],
  ]
  test.each(failures)('a payment %s', (_name, error, sentence) => {
    const value = createCheckout(orders.awaitingPaymentNative, { step: { status: 'failed', error } })
    render(
      <Wallet account={buyer}>
        <Checkout.Root value={value}>
          <Checkout.Error />
        </Checkout.Root>
      </Wallet>,
    )
    expect(screen.getByRole('alert').textContent).toBe(sentence)
    expect(printed).toEqual([`[kassa] ${error.code}: ${error.message} See kassa/errors/${error.code}.md`])
  })

  test('what a buyer or the service causes does not', () => {
    for (const value of [
      createCheckout(orders.awaitingPaymentNative, { step: steps.rejected }),
      createCheckout(undefined, { error: apiError('api.unreachable', { url: 'http://127.0.0.1:1/api' }) }),
    ])
      render(
        <Wallet account={buyer}>
          <Checkout.Panel value={value} />
        </Wallet>,
      )
    expect(printed).toEqual([])
  })

  test('nor does anything in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const error = payError('pay.token-unknown', { chain: 'base-sepolia', currency: 'dai' })
    const value = createCheckout(orders.awaitingPaymentNative, { step: { status: 'failed', error } })
    render(
      <InOtherApp>
        <Checkout.Panel value={value} />
      </InOtherApp>,
    )
    expect(printed).toEqual([])
  })
})

test.each([
  [
    payError('pay.recipient-mismatch', {
      expected: `0x${'aa'.repeat(20)}`,
      prepared: `0x${'bb'.repeat(20)}`,
    }),
    `Expected 0x${'aa'.repeat(20)}, prepared 0x${'bb'.repeat(20)}.`,
  ],
  [
    payError('pay.amount-mismatch', { quoted: '1 eth', prepared: '2 eth' }),
    'Expected 1 eth, prepared 2 eth.',
  ],
  [
    payError('pay.chain-mismatch', { expected: 'base', prepared: 'polygon' }),
    'Expected base, prepared polygon.',
  ],
  [
    payError('pay.token-mismatch', { currency: 'usdc', expected: '0xa', prepared: '0xb' }),
    'Expected 0xa, prepared 0xb.',
  ],
  [payError('pay.call-not-allowed', { reason: 'it approves a spender' }), 'it approves a spender'],
])('behavior: a refused payment says what was expected and prepared', (error, facts) => {
  const value = createCheckout(orders.awaitingPaymentNative, { step: { status: 'failed', error } })
  render(
    <Wallet account={buyer}>
      <Checkout.Root value={value}>
        <Checkout.Error />
      </Checkout.Root>
    </Wallet>,
  )
  expect(printed).toEqual([expect.stringContaining(facts)])
  expect(screen.getByRole('alert').textContent).not.toContain('0xaaaa')
})

test('error: input.client-secret-missing for a client key, before any request', async () => {
  const fetch = vi.fn()
  render(
    <Wallet>
      <CheckoutProvider client={createClient({ baseUrl: shop.baseUrl, apiKey: 'ck_staging_x', fetch })}>
        <Checkout.Panel orderId={orders.completed.orderId} />
      </CheckoutProvider>
    </Wallet>,
  )
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This order cannot be opened. Contact the shop.',
  )
  await waitFor(() => expect(printed).toHaveLength(1))
  expect(printed[0]).toMatch(/^\[kassa\] input\.client-secret-missing: clientSecret is missing/)
  expect(fetch).not.toHaveBeenCalled()
})
