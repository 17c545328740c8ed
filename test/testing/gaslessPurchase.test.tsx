import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { createOrder } from '../../src/api/index.js'
import { checkAuthorization } from '../../src/chain/index.js'
import { Checkout, CheckoutProvider } from '../../src/index.js'
import {
  createTestService,
  createTestWallet,
  type TestService,
  type TestWallet,
} from '../../src/testing/index.js'
import { expiresAt } from '../../stories/fixtures/build.js'
import { sponsoredOrder } from '../../stories/fixtures/gasless.js'

/** Opens the whole checkout of an order for a buyer who holds no coins, only what they pay in. */
const open = async (currency = 'usdc', wallet: { coins?: string; canSignTypedData?: boolean } = {}) => {
  const { coins = '0', canSignTypedData } = wallet
  const service = createTestService({ gasless: true })
  const buyer = createTestWallet({ service, balance: { eth: coins, [currency]: '100' }, canSignTypedData })
  const { order, clientSecret } = await createOrder(service.client, {
    body: {
      recipient: { walletAddress: buyer.address },
      payment: { method: 'base-sepolia', currency, payerAddress: buyer.address },
      lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
    },
  })
  const show = () =>
    render(
      <StrictMode>
        <WagmiProvider config={buyer.config}>
          <QueryClientProvider client={new QueryClient()}>
            <CheckoutProvider client={service.client} {...service.rules}>
              <Checkout.Panel orderId={order.orderId} clientSecret={clientSecret} />
              <Checkout.Root orderId={order.orderId} clientSecret={clientSecret}>
                <Checkout.PaymentOptions />
              </Checkout.Root>
            </CheckoutProvider>
          </QueryClientProvider>
        </WagmiProvider>
      </StrictMode>,
    )
  return { service, wallet: buyer, show }
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

const count = ({ requests }: TestWallet, method: string): number =>
  requests.filter((request) => request.method === method).length

/** The payment is mined and the goods are delivered. */
const receive = async (service: TestService): Promise<void> => {
  act(() => service.advance(5_000))
  await waitFor(() => expect(document.querySelector('[data-kassa="receipt"]')).not.toBeNull())
}

beforeEach(() => localStorage.clear())
afterEach(cleanup)

test('default: a buyer without coins pays by one signature, and is told that there is no fee', async () => {
  const { service, wallet, show } = await open()
  show()
  expect((await screen.findAllByText('No network fee')).length).toBeGreaterThan(0)
  const usdc = await screen.findByRole<HTMLInputElement>('radio', {
    name: /^USDC on base-sepolia.*No network fee/i,
  })
  expect(usdc.checked).toBe(true)
  await press(/^Pay 36\.00\sUSDC$/)
  await screen.findByRole('button', { name: /^Confirming/ })
  await receive(service)
  expect([count(wallet, 'eth_signTypedData_v4'), count(wallet, 'eth_sendTransaction')]).toEqual([1, 0])
})

test('behavior: of two signatures, the button says which one waits', async () => {
  const { service, wallet, show } = await open('usdxm')
  const first = wallet.holdNext()
  const second = wallet.holdNext()
  show()
  await press(/^Pay 36\.00\sUSDXM$/)
  await screen.findByRole('button', { name: 'Confirm in your wallet… (1/2)' })
  act(() => first.sign())
  await screen.findByRole('button', { name: 'Confirm in your wallet… (2/2)' })
  act(() => second.sign())
  await screen.findByRole('button', { name: /^Confirming/ })
  await receive(service)
})

test('behavior: a buyer who declines is told so, and pays after all', async () => {
  const { service, wallet, show } = await open()
  wallet.rejectNext()
  show()
  await press(/^Pay 36/)
  await screen.findByText('Declined in the wallet. Nothing was sent.')
  await press(/^Pay 36/)
  await screen.findByRole('button', { name: /^Confirming/ })
  await receive(service)
})

test('behavior: a wallet that cannot sign typed data sends a transaction in the same press', async () => {
  const { service, wallet, show } = await open('usdc', { coins: '1', canSignTypedData: false })
  show()
  await press(/^Pay 36/)
  await screen.findByRole('button', { name: /^Confirming/ })
  await receive(service)
  expect(count(wallet, 'eth_sendTransaction')).toBe(1)
})

test('error: a shop that refuses is named, and the next press sends a transaction', async () => {
  const { service, wallet, show } = await open('usdc', { coins: '1' })
  const held = wallet.holdNext()
  show()
  await press(/^Pay 36/)
  await screen.findByRole('button', { name: /^Confirm in your wallet/ })
  wallet.setBalance('usdc', '1')
  act(() => held.sign())
  await screen.findByText(/^The shop could not send the payment\. Nothing was paid\./)
  wallet.setBalance('usdc', '100')
  await press(/^Pay 36/)
  await screen.findByRole('button', { name: /^Confirming/ })
  await receive(service)
  expect(count(wallet, 'eth_sendTransaction')).toBe(1)
})

test('behavior: a payment outlives the page on which it was signed', async () => {
  const { service, wallet, show } = await open()
  const page = show()
  await press(/^Pay 36/)
  await screen.findByRole('button', { name: /^Confirming/ })
  page.unmount()
  show()
  await receive(service)
  expect(count(wallet, 'eth_signTypedData_v4')).toBe(1)
})

test('behavior: an order that a story shows with an authorization would pass the checks', () => {
  expect(checkAuthorization(sponsoredOrder, {}, Date.parse(expiresAt) - 60_000).payment).toMatchObject({
    authorization: 'erc3009',
    units: 36_000_000n,
  })
})
