import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { StrictMode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { createOrder } from '../../src/api/index.js'
import { Checkout, CheckoutProvider, useCreateOrder, usePayOrder } from '../../src/index.js'
import type { PaymentMethod } from '../../src/schema/index.js'
import {
  type CreateTestServiceParameters,
  createTestService,
  createTestWallet,
  type TestWallet,
} from '../../src/testing/index.js'

type Session = { orderId: string; clientSecret: string }

/** What a merchant writes: a button that orders, and the checkout of what was ordered. */
function Shop(props: { payerAddress: string; method?: PaymentMethod; session?: Session }) {
  const [session, setSession] = useState(props.session)
  const createOrder = useCreateOrder()
  const { payerAddress, method = 'base-sepolia' } = props
  const buy = () =>
    createOrder.mutate(
      {
        recipient: { walletAddress: payerAddress },
        payment: { method, currency: 'eth', payerAddress },
        lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
      },
      {
        onSuccess: ({ order, clientSecret }) => setSession({ orderId: order.orderId, clientSecret }),
      },
    )
  if (!session) {
    return (
      <button type="button" onClick={buy}>
        Buy
      </button>
    )
  }
  return (
    <>
      <Checkout.Root {...session}>
        <Checkout.Total />
        <Checkout.Pay />
        <Checkout.Status />
        <Checkout.Error />
        <Checkout.Receipt />
      </Checkout.Root>
      <Step {...session} />
    </>
  )
}

function Step(session: Session) {
  const { step } = usePayOrder(session)
  return <p data-testid="step">{'error' in step ? step.error.code : step.status}</p>
}

/** Opens the shop as a page would, with nothing remembered but what the browser keeps. */
const open = (options: CreateTestServiceParameters = {}, wallet?: { balance?: Record<string, string> }) => {
  const service = createTestService(options)
  const buyer = createTestWallet({ service, ...wallet })
  const show = (session?: Session, method?: PaymentMethod) =>
    render(
      <StrictMode>
        <WagmiProvider config={buyer.config}>
          <QueryClientProvider client={new QueryClient()}>
            <CheckoutProvider client={service.client} {...service.rules}>
              <Shop payerAddress={buyer.address} {...(session && { session })} {...(method && { method })} />
            </CheckoutProvider>
          </QueryClientProvider>
        </WagmiProvider>
      </StrictMode>,
    )
  return { service, wallet: buyer, show }
}

const reach = (step: string) => waitFor(() => expect(screen.getByTestId('step').textContent).toBe(step))

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

/** Opens the shop, orders, and pays until the network knows of the payment. */
const buyAndPay = async (show: ReturnType<typeof open>['show']) => {
  const page = show()
  await press('Buy')
  await press(/pay/i)
  await reach('confirming')
  return page
}

const countPayments = ({ requests }: TestWallet): number =>
  requests.filter(({ method }) => method === 'eth_sendTransaction').length

beforeEach(() => localStorage.clear())
afterEach(cleanup)

/** The order is over and its receipt is shown. */
const receive = () => waitFor(() => expect(document.querySelector('[data-kassa="receipt"]')).not.toBeNull())

test('default: a buyer orders, pays and gets the goods', async () => {
  const { service, wallet, show } = open()
  await buyAndPay(show)
  act(() => service.advance(1_000))
  await reach('paid')
  act(() => service.advance(2_000))
  await receive()
  expect(countPayments(wallet)).toBe(1)
  expect(service.requests.map(({ status }) => status)).not.toContain(401)
})

test('behavior: the whole checkout asks for the address and the e-mail address that a collection requires', async () => {
  const requires = ['physical-address', 'receipt-email'] as const
  const service = createTestService({ collections: [{ id: 'print', price: '0.01', requires }] })
  const buyer = createTestWallet({ service })
  const { address: payerAddress } = buyer
  const { order, clientSecret } = await createOrder(service.client, {
    body: {
      recipient: { walletAddress: payerAddress },
      payment: { method: 'base-sepolia', currency: 'eth', payerAddress },
      lineItems: { collectionLocator: 'kassa:print' },
    },
  })
  const { orderId } = order
  render(
    <StrictMode>
      <WagmiProvider config={buyer.config}>
        <QueryClientProvider client={new QueryClient()}>
          <CheckoutProvider client={service.client} {...service.rules}>
            <Checkout.Panel orderId={orderId} clientSecret={clientSecret} />
            <Step orderId={orderId} clientSecret={clientSecret} />
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
  const write = async (label: RegExp, text: string) =>
    userEvent.type(await screen.findByLabelText(label), text)
  await write(/full name/i, 'Ada Lovelace')
  await write(/street/i, 'Weg 1')
  await write(/city/i, 'Wien')
  await write(/postal/i, '1010')
  await userEvent.selectOptions(screen.getByLabelText(/country/i), 'AT')
  await press('Continue')
  await write(/e-mail/i, 'ada@example.com')
  await press('Continue')
  // Between the amount and the currency is a no-break space.
  await press(/^Pay 0\.01\sETH$/)
  await reach('confirming')
  act(() => service.advance(3_000))
  await receive()
})

test('behavior: the buyer declines, and pays after all', async () => {
  const { service, wallet, show } = open()
  show()
  await press('Buy')
  wallet.rejectNext()
  await press(/pay/i)
  await reach('pay.rejected')
  const held = wallet.holdNext()
  await press(/pay/i)
  await reach('awaiting-signature')
  held.sign()
  await reach('confirming')
  act(() => service.advance(1_000))
  await reach('paid')
  expect(countPayments(wallet)).toBe(2)
})

test('behavior: the wallet is brought to the chain of the order', async () => {
  const { service, wallet, show } = open()
  wallet.setChainId(80_002)
  show()
  await press('Buy')
  wallet.rejectNext()
  await press(/pay/i)
  await reach('pay.wrong-chain')
  await press(/pay/i)
  await reach('confirming')
  act(() => service.advance(1_000))
  await reach('paid')
})

test('behavior: a payment outlives the page that sent it', async () => {
  const { service, wallet, show } = open()
  const page = await buyAndPay(show)
  const sent = service.requests.find(({ path }) => path.endsWith('/payment'))
  const orderId = sent?.path.split('/').at(-2) ?? ''
  page.unmount()
  service.advance(3_000)
  show({ orderId, clientSecret: service.getSecret(orderId) })
  await receive()
  expect(countPayments(wallet)).toBe(1)
})

test('behavior: a raised fee gives the payment another hash, and it counts', async () => {
  const { service, wallet, show } = open()
  wallet.speedUpNext()
  await buyAndPay(show)
  act(() => service.advance(1_000))
  await reach('paid')
})

test('behavior: a cancelled payment is reported as cancelled', async () => {
  const { service, wallet, show } = open()
  wallet.cancelNext()
  await buyAndPay(show)
  act(() => service.advance(1_000))
  await reach('pay.cancelled')
})

test('behavior: an empty wallet is reported, and pays once it is funded', async () => {
  const { service, wallet, show } = open({}, { balance: { eth: '0.001' } })
  show()
  await press('Buy')
  await screen.findByText(/not enough|too little|insufficient/i)
  wallet.setBalance('eth', '1')
  act(() => service.advance(0))
  await waitFor(() => expect(document.querySelector('[data-stage="ready-to-pay"]')).not.toBeNull())
  await press(/pay/i)
  await reach('confirming')
})

describe('under fake timers', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  })
  afterEach(() => vi.useRealTimers())

  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const click = (name: string | RegExp) => act(() => screen.getByRole('button', { name }).click())
  const step = () => screen.getByTestId('step').textContent

  test('behavior: the whole purchase takes no time at all', async () => {
    const { show } = open({ now: Date.now })
    show()
    await pass(100)
    click('Buy')
    await pass(100)
    click(/pay/i)
    await pass(100)
    expect(step()).toBe('confirming')
    await pass(2_000)
    expect(step()).toBe('paid')
    await pass(5_000)
    expect(document.querySelector('[data-kassa="receipt"]')).not.toBeNull()
  })

  test('behavior: a price that moved is renewed before it ends, and asks the buyer', async () => {
    const { service, show } = open({ now: Date.now, quoteTtlMs: 60_000 })
    show()
    await pass(100)
    click('Buy')
    await pass(100)
    service.setPrice('dunes-at-dusk', '0.02')
    await pass(60_000)
    expect(step()).toBe('pay.price-changed')
  })
})
