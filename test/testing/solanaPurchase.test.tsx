import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { StrictMode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { CheckoutProvider, useCreateOrder, useOrder, usePayOrder, useSolanaWallets } from '../../src/index.js'
import { solana } from '../../src/solana/index.js'
import {
  type CreateTestServiceParameters,
  type CreateTestSolanaWalletParameters,
  createTestService,
  createTestSolanaWallet,
  createTestWallet,
  type TestSolanaWallet,
} from '../../src/testing/index.js'

type Session = { orderId: string; clientSecret: string }

/** What a merchant writes: a button that connects, one that orders, and one that pays. */
function Shop(props: { currency: string; session?: Session }) {
  const [session, setSession] = useState(props.session)
  const { wallets, address, status, connect } = useSolanaWallets()
  const createOrder = useCreateOrder()
  if (session) return <Payment {...session} />
  if (!address) {
    return wallets.map((wallet) => (
      <button key={wallet.name} type="button" onClick={() => connect(wallet).catch(() => undefined)}>
        Connect {wallet.name} {status}
      </button>
    ))
  }
  const buy = () =>
    createOrder.mutate(
      {
        recipient: { walletAddress: address },
        payment: { method: 'solana', currency: props.currency, payerAddress: address },
        lineItems: { collectionLocator: 'kassa:tea' },
      },
      { onSuccess: ({ order, clientSecret }) => setSession({ orderId: order.orderId, clientSecret }) },
    )
  return (
    <button type="button" onClick={buy}>
      Buy
    </button>
  )
}

function Payment(session: Session) {
  const { data: order } = useOrder(session)
  const { step, pay } = usePayOrder(session)
  const [token] = order?.lineItems[0]?.delivery.tokens ?? []
  return (
    <>
      <button type="button" onClick={() => pay()}>
        Pay {order?.quote.totalPrice?.amount}
      </button>
      <p data-testid="step">{'error' in step ? step.error.code : step.status}</p>
      <p data-testid="order">{order?.payment.status}</p>
      <p>{token?.mintHash && `Yours: ${token.locator}`}</p>
    </>
  )
}

type Options = {
  service?: CreateTestServiceParameters
  wallet?: Omit<CreateTestSolanaWalletParameters, 'service'>
}

let wallets: TestSolanaWallet[] = []

/** Opens the shop as a page would, with nothing remembered but what the browser keeps. */
const open = ({ service: terms, wallet: options }: Options = {}) => {
  const service = createTestService({
    chains: ['base-sepolia', 'solana'],
    collections: [{ id: 'tea', chain: 'solana', price: '0.5' }],
    ...terms,
  })
  const wallet = createTestSolanaWallet({ service, ...options })
  wallets.push(wallet)
  const { config } = createTestWallet({ service })
  const show = (session?: Session, currency = 'sol') =>
    render(
      <StrictMode>
        <WagmiProvider config={config}>
          <QueryClientProvider client={new QueryClient()}>
            <CheckoutProvider client={service.client} {...service.rules} solana={solana(wallet.parameters)}>
              <Shop currency={currency} {...(session && { session })} />
            </CheckoutProvider>
          </QueryClientProvider>
        </WagmiProvider>
      </StrictMode>,
    )
  return { service, wallet, show }
}

const reach = (step: string) => waitFor(() => expect(screen.getByTestId('step').textContent).toBe(step))

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

const countPayments = ({ requests }: TestSolanaWallet): number =>
  requests.filter(({ method }) => /^solana:sign/.test(method)).length

const findSession = ({ service }: Pick<ReturnType<typeof open>, 'service'>): Session => {
  const path = service.requests.map((request) => /orders\/([^/]+)/.exec(request.path)?.[1])
  const orderId = path.findLast((found) => found !== undefined) ?? ''
  return { orderId, clientSecret: service.getSecret(orderId) }
}

const receive = () => screen.findByText(/^Yours: solana:/)

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  for (const wallet of wallets) wallet.remove()
  wallets = []
})

describe.each(['sol', 'usdc'])('paid in %s', (currency) => {
  test.each([false, true])(
    'default: a buyer orders, pays and gets the goods (signsOnly: %s)',
    async (signsOnly) => {
      const { service, wallet, show } = open({ wallet: { signsOnly } })
      show(undefined, currency)
      await press('Buy')
      await press(currency === 'sol' ? 'Pay 0.5' : 'Pay 75')
      await reach('confirming')
      act(() => service.advance(1_000))
      await reach('paid')
      act(() => service.advance(2_000))
      await receive()
      expect(countPayments(wallet)).toBe(1)
      expect(service.getTokens(`solana:${wallet.address}`)).toHaveLength(1)
    },
  )
})

test('behavior: the buyer connects with a button, and can decline', async () => {
  const { wallet, show } = open({ wallet: { isConnected: false, name: 'Ada’s wallet' } })
  show()
  wallet.rejectNext()
  await press('Connect Ada’s wallet disconnected')
  await press('Connect Ada’s wallet disconnected')
  await press('Buy')
  await press(/^Pay/)
  await reach('confirming')
})

test('behavior: the buyer declines, and pays after all', async () => {
  const { service, wallet, show } = open()
  show()
  await press('Buy')
  wallet.rejectNext()
  await press(/^Pay/)
  await reach('pay.rejected')
  const held = wallet.holdNext()
  await press(/^Pay/)
  await reach('awaiting-signature')
  held.sign()
  await reach('confirming')
  act(() => service.advance(1_000))
  await reach('paid')
  expect(countPayments(wallet)).toBe(2)
})

test('behavior: a payment is found after a reload while the wallet’s answer is missing', async () => {
  const opened = open()
  const { service, wallet, show } = opened
  const page = show()
  await press('Buy')
  const held = wallet.holdNext()
  await press(/^Pay/)
  await reach('awaiting-signature')
  page.unmount()
  held.sign()
  show(findSession(opened))
  await reach('confirming')
  act(() => service.advance(3_000))
  await receive()
  expect(countPayments(wallet)).toBe(1)
})

test('behavior: a payment counts although the wallet’s answer was lost', async () => {
  const { service, wallet, show } = open()
  show()
  await press('Buy')
  wallet.loseNext()
  await press(/^Pay/)
  await waitFor(() => expect(countPayments(wallet)).toBe(1))
  act(() => service.advance(3_000))
  await receive()
})

test('behavior: another cluster and another account are refused before the wallet is asked', async () => {
  const { wallet, show } = open()
  show()
  await press('Buy')
  await screen.findByRole('button', { name: 'Pay 0.5' })
  act(() => wallet.setCluster('mainnet'))
  await press(/^Pay/)
  await reach('pay.wrong-chain')
  const { address } = wallet
  act(() => wallet.setCluster('devnet'))
  act(() => wallet.setAccount('9wFFyRfZBsuAha4YcuxcXLKwMxJR43S7fPfQLusDBzvT'))
  await press(/^Pay/)
  await reach('pay.wrong-account')
  act(() => wallet.setAccount(address))
  await press(/^Pay/)
  await reach('confirming')
  expect(countPayments(wallet)).toBe(1)
})

test('behavior: an empty wallet is reported, and pays once it is funded', async () => {
  const { service, wallet, show } = open({ wallet: { balance: { sol: '0.1' } } })
  show()
  await press('Buy')
  await waitFor(() => expect(screen.getByTestId('order').textContent).toBe('crypto-payer-insufficient-funds'))
  wallet.setBalance('sol', '1')
  act(() => service.advance(0))
  await waitFor(() => expect(screen.getByTestId('order').textContent).toBe('awaiting-payment'))
  await press(/^Pay/)
  await reach('confirming')
})

test('behavior: the owner disconnects the app in the wallet', async () => {
  const { wallet, show } = open()
  show()
  await screen.findByRole('button', { name: 'Buy' })
  act(() => wallet.disconnect())
  await screen.findByRole('button', { name: /^Connect/ })
})

test('behavior: a second wallet is found beside the first, until it is removed', async () => {
  const { service, show } = open({ wallet: { isConnected: false } })
  const second = createTestSolanaWallet({ service, name: 'Second', isConnected: false })
  show()
  await screen.findByRole('button', { name: /^Connect Second/ })
  expect(screen.getAllByRole('button')).toHaveLength(2)
  act(() => second.remove())
  await waitFor(() => expect(screen.getAllByRole('button')).toHaveLength(1))
  // An extension may come later than the page.
  act(() => {
    wallets.push(createTestSolanaWallet({ service, name: 'Late', isConnected: false }))
  })
  await screen.findByRole('button', { name: /^Connect Late/ })
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
    const { show } = open({ service: { now: Date.now } })
    show()
    await pass(100)
    click('Buy')
    await pass(100)
    click(/^Pay/)
    await pass(100)
    expect(step()).toBe('confirming')
    await pass(2_000)
    expect(step()).toBe('paid')
    await pass(5_000)
    expect(screen.getByText(/^Yours/)).toBeDefined()
  })

  test('behavior: a payment that no block includes expires, and can be made again', async () => {
    const { wallet, show } = open({ service: { now: Date.now } })
    show()
    await pass(100)
    click('Buy')
    await pass(100)
    wallet.dropNext()
    click(/^Pay/)
    await pass(100)
    expect(step()).toBe('confirming')
    await pass(250_000)
    expect(step()).toBe('pay.expired')
    click(/^Pay/)
    await pass(3_000)
    expect(step()).toBe('paid')
    expect(countPayments(wallet)).toBe(2)
  })

  test('behavior: a message that has run out is renewed before the wallet is asked', async () => {
    const { wallet, show } = open({ service: { now: Date.now } })
    show()
    await pass(100)
    click('Buy')
    await pass(90_000)
    click(/^Pay/)
    await pass(3_000)
    expect(step()).toBe('paid')
    expect(countPayments(wallet)).toBe(1)
  })
})
