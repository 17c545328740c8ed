import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type Client, createOrder } from 'kassa/api'
import { createTestService, type TestService } from 'kassa/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { disconnect } from 'wagmi/actions'
import { prefetchOrder } from '../lib/prefetchOrder'
import { translate } from './helpers/english'
import { dunes, openCheckout } from './helpers/openCheckout'

const { replace } = vi.hoisted(() => ({ replace: vi.fn<(path: string) => void>() }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ replace }), notFound: () => undefined }))
const shop = vi.hoisted((): { client?: Client; left: number } => ({ left: 0 }))
vi.mock('../lib/serverClient', () => ({ createShopClient: () => shop.client }))
vi.mock('../lib/shop', () => ({
  getShop: async () => ({ editions: [{ id: 'dunes-at-dusk', available: shop.left }] }),
}))

// The checkout polls at its own interval.
afterEach(cleanup)

const pay = async () => userEvent.click(await screen.findByRole('button', { name: /^Pay 0\.012/ }))

test('default: the buyer pays and receives the goods', async () => {
  const { service, wallet, orderId } = await openCheckout()
  await pay()
  await screen.findByRole('heading', { name: 'Your payment is sent' })
  service.advance(3_000)
  await screen.findByRole('heading', { name: /arrived/ })
  expect(service.getOrder(orderId).lineItems[0]?.delivery).toMatchObject({
    status: 'completed',
    recipient: { walletAddress: wallet.address },
  })
})

const payAndReceive = async (service: TestService) => {
  await pay()
  await screen.findByRole('heading', { name: 'Your payment is sent' })
  service.advance(3_000)
  await screen.findByRole('heading', { name: /arrived/ })
}
const factOf = (term: string) => screen.getByText(term).nextElementSibling?.textContent

test('behavior: the receipt says once that the goods are delivered, and leads to the wallet that has them', async () => {
  const { service } = await openCheckout()
  await payAndReceive(service)
  expect(screen.getAllByText('Delivered')).toHaveLength(1)
  screen.getByRole('link', { name: 'See it in your wallet' })
})

test('behavior: the receipt names the token, its contract and the shop’s address', async () => {
  const { service, orderId } = await openCheckout()
  await payAndReceive(service)
  const { contractAddress = '', tokenId } = service.getOrder(orderId).lineItems[0]?.delivery.tokens?.[0] ?? {}
  const receipt = within(screen.getByRole('region', { name: 'Receipt' }))
  receipt.getByText(`No. ${tokenId}`)
  receipt.getByText(contractAddress)
  receipt.getByText(window.location.origin)
})

test('behavior: what is bought for an e-mail address is held for it, in a wallet that is not the buyer’s', async () => {
  const { service } = await openCheckout(createTestService(), 1, { recipient: { email: 'ada@example.com' } })
  await payAndReceive(service)
  expect(factOf('Held for')).toBe('ada@example.com')
  screen.getByRole('link', { name: 'See it in the wallet of ada@example.com' })
  expect(screen.queryByRole('link', { name: 'See it in your wallet' })).toBeNull()
})

test('behavior: nothing leads to a wallet that is not connected', async () => {
  const { service, wallet } = await openCheckout()
  await payAndReceive(service)
  await act(() => disconnect(wallet.config))
  expect(screen.queryByRole('link', { name: /wallet/ })).toBeNull()
})

test('behavior: the buyer declines, then pays', async () => {
  const { service, wallet, orderId } = await openCheckout()
  await screen.findByRole('button', { name: /^Pay 0\.012/ })
  wallet.rejectNext()
  await pay()
  await screen.findByText(/declined/)
  expect(service.getOrder(orderId).phase).toBe('payment')
  await pay()
  await screen.findByRole('heading', { name: 'Your payment is sent' })
})

test('error: a sold-out edition cannot be paid for', async () => {
  const service = createTestService()
  service.sellOut('dunes-at-dusk')
  await openCheckout(service)
  await screen.findByRole('heading', { name: 'Sold out' })
  expect(screen.queryByRole('button')).toBeNull()
})

const few = { id: dunes.id, name: dunes.name, price: dunes.price, supply: 2 }

test('error: an order for more than there is offers what is left, as a new order', async () => {
  const { orderId } = await openCheckout(createTestService({ collections: [few] }), 3)
  await screen.findByRole('heading', { name: 'Only 2 left' })
  await screen.findByText('You asked for 3 of Dunes at Dusk, and 2 are left. You have paid nothing.')
  await userEvent.click(screen.getByRole('button', { name: 'Buy 2' }))
  await expect.poll(() => replace).toHaveBeenCalledOnce()
  const [path = ''] = replace.mock.calls[0] ?? []
  expect(path).toMatch(/^\/checkout\/.+/)
  expect(path).not.toBe(`/checkout/${orderId}`)
})

test('behavior: what others bought while an order waited is said before a wallet is connected', async () => {
  replace.mockClear()
  const service = createTestService({ collections: [{ ...few, supply: 3 }] })
  shop.client = service.client
  await openCheckout(service, 3, {
    isConnected: false,
    beforeOpening: async (access) => {
      const recipient = { walletAddress: `0x${'a'.repeat(40)}` }
      const { order } = await createOrder(service.client, {
        body: {
          lineItems: { collectionLocator: dunes.locator },
          recipient,
          payment: { method: 'base-sepolia', currency: 'eth', payerAddress: recipient.walletAddress },
        },
      })
      service.pay(order.orderId)
      service.advance(3_000)
      shop.left = 2
      await prefetchOrder(access)
    },
  })
  await screen.findByRole('heading', { name: 'Only 2 left' })
  expect(screen.queryByText('Total')).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Choose a wallet' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Buy 2' }))
  await expect.poll(() => replace).toHaveBeenCalledOnce()
})

test('behavior: the list price has its worth in dollars before a wallet is connected', async () => {
  const isWithFiat = { listFiat: { amount: '36.00', currency: 'usd' } }
  await openCheckout(createTestService(), 1, {
    isConnected: false,
    answer: (order) => ({ ...order, metadata: { ...order.metadata, ...isWithFiat } }),
  })
  await screen.findByText(/^≈\s\$36$/)
})

test('behavior: an order that can be filled keeps its quote', async () => {
  const service = createTestService()
  shop.client = service.client
  shop.left = 3
  let quoted: string | undefined
  const { orderId } = await openCheckout(service, 3, {
    beforeOpening: async (access) => {
      quoted = service.getOrder(access.orderId).quote.quotedAt
      service.advance(1_000)
      await prefetchOrder(access)
    },
    isConnected: false,
  })
  await screen.findByRole('heading', { name: 'Choose a wallet' })
  expect(service.getOrder(orderId).quote.quotedAt).toBe(quoted)
})

test('behavior: the receipt of a transfer names who sent it, and dates it by its block', async () => {
  const payerAddress = `0x${'e'.repeat(40)}`
  const { service, orderId } = await openCheckout(createTestService(), 1, {
    isConnected: false,
    recipient: { email: 'ada@example.com' },
  })
  // Paid minutes after it was quoted.
  service.advance(300_000)
  service.pay(orderId, { amount: '0.012', payerAddress })
  service.advance(3_000)
  await screen.findByRole('heading', { name: /arrived/ })
  const { payment } = service.getOrder(orderId)
  const paidAt = new Date(payment.received?.paidAt ?? '')
  const time = paidAt.toLocaleTimeString('en-US', { timeStyle: 'short' }).replace(/\s[AP]M/, '')
  expect(factOf('Date')).toContain(`${paidAt.getDate()}, ${paidAt.getFullYear()} at ${time}`)
  expect(payment.received?.payerAddress?.toLowerCase()).toBe(payerAddress)
  expect(factOf('Paid by')).toContain(payment.received?.payerAddress)
})

test('behavior: money that a transfer paid too little of comes back, which a buyer without a wallet sees', async () => {
  const txId = `0x${'b'.repeat(64)}`
  const sent = { amount: '0.01', currency: 'eth', chain: 'base-sepolia', txId }
  await openCheckout(createTestService(), 1, {
    isConnected: false,
    answer: (order) => ({ ...order, payment: { ...order.payment, received: sent, refunded: sent } }),
  })
  const news = await screen.findByText(/0\.01\sETH was sent back to you\./, {
    ignore: '[aria-live="polite"]',
  })
  expect(news.parentElement?.textContent).toContain('Transaction 0xbbbb')
})

test('behavior: a refund of what an exchange paid asks for its address, and then the order is paid at a new price', async () => {
  const { service, orderId, wallet } = await openCheckout()
  await screen.findByRole('button', { name: /^Pay 0\.012/ })
  service.pay(orderId, { amount: '0.002', payerAddress: `0x${'e'.repeat(40)}`, isContract: true })
  service.advance(700_000)
  await userEvent.type(await screen.findByRole('textbox', { name: 'Refund address' }), wallet.address)
  await userEvent.click(screen.getByRole('button', { name: 'Send the refund here' }))
  await expect.poll(() => service.getOrder(orderId).payment.refundAddress).toBe(wallet.address)
  service.advance(3_000)
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Refund address' })).toBeNull())
  expect(service.getOrder(orderId).payment).toMatchObject({ refunded: { amount: '0.002' } })
  await userEvent.click(await screen.findByRole('button', { name: 'Get a new price' }))
  await payAndReceive(service)
})

test('behavior: while the wallet is asked, only the button says so to those who see it', async () => {
  const { wallet } = await openCheckout()
  await screen.findByRole('button', { name: /^Pay 0\.012/ })
  const held = wallet.holdNext()
  await pay()
  await expect.poll(() => wallet.requests.some(({ method }) => /send/i.test(method))).toBe(true)
  await waitFor(() => {
    const said = screen.getAllByText('Confirm in your wallet…')
    expect(said.map((element) => element.className || element.tagName)).toEqual(['hidden', 'button'])
  })
  held.reject()
})

test('error: a wallet that holds too little is told how much it lacks', async () => {
  await openCheckout(createTestService(), 1, { balance: { eth: '0.0105' } })
  await screen.findByText(/^Your wallet needs 0\.0015\sETH more\.$/)
})

test('behavior: once a part was paid from another device, only the rest of it can be paid', async () => {
  const { service, orderId } = await openCheckout(createTestService(), 1, {
    isConnected: false,
    recipient: { email: 'ada@example.com' },
  })
  await userEvent.click(await screen.findByText('Pay from another device'))
  await screen.findByRole('img', { name: /^QR code to pay 0\.012/ })
  expect(screen.getAllByRole('radio', { name: / on / }).length).toBeGreaterThan(1)
  service.pay(orderId, { amount: '0.002', payerAddress: `0x${'e'.repeat(40)}` })
  service.advance(3_000)
  await screen.findByRole('img', { name: /^QR code to pay 0\.01\D/ })
  expect(screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
    expect.stringMatching(/^ETH on Base Sepolia 0\.01\sETH/),
  ])
  expect(factOf('Paid')).toMatch(/^0\.002\sETH$/)
  expect(factOf('Left to pay')).toMatch(/^0\.01\sETH$/)
  expect(screen.queryByRole('heading', { name: 'Choose a wallet' })).toBeNull()
  screen.getByText('ada@example.com')
})

test('behavior: a summary is in one currency', async () => {
  const eth = { amount: '0.012', currency: 'eth' }
  await openCheckout(createTestService(), 1, {
    isConnected: false,
    answer: (order) => ({
      ...order,
      quote: { status: 'requires-recipient' },
      lineItems: order.lineItems.map((item) => ({
        ...item,
        quote: { status: 'requires-recipient', charges: { unit: { amount: '36', currency: 'usdc' } } },
      })),
      payment: { ...order.payment, currency: 'usdc' },
      metadata: { ...order.metadata, listPrice: eth },
    }),
  })
  const summary = await screen.findByRole('complementary')
  await waitFor(() => expect(summary.textContent).toContain('36.00'))
  expect(summary.textContent).not.toContain('ETH')
})

test('behavior: a buyer who declines to connect is not shown a mistake', async () => {
  const { wallet } = await openCheckout(createTestService(), 1, { isConnected: false })
  wallet.rejectNext()
  const [choice] = await screen.findAllByRole('button', { name: /Found in this browser/ })
  if (choice) await userEvent.click(choice)
  await screen.findByText(translate('wallets')('declined'))
  expect(screen.queryByRole('alert')).toBeNull()
})
