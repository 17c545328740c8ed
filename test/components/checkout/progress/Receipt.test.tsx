import { screen, within } from '@testing-library/react'
import { Checkout, type Order } from 'kassa'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { buyer, collection, txId } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { Wallet } from '../../../../stories/fixtures/wallet.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'Receipt',
  takesList: true,
  part: (props) => <Checkout.Receipt {...props} />,
  value: createCheckout(orders.completed),
  tag: 'section',
  data: { 'data-stage': 'completed' },
})

const show = (order: Order) => {
  mount(
    createCheckout(order),
    <Wallet>
      <Checkout.Receipt />
    </Wallet>,
  )
  return within(screen.getByRole('region', { name: 'Receipt' }))
}
const linksOf = (receipt: ReturnType<typeof show>) =>
  receipt.getAllByRole<HTMLAnchorElement>('link').map(({ href }) => href.split('/').at(-1))
const linesOf = (receipt: ReturnType<typeof show>) =>
  receipt.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim())

test('default', () => {
  const receipt = show(orders.completed)
  expect(linesOf(receipt)).toEqual([
    'Night Bloom × 1 0x4c1d…2e3F #7 View mint',
    'Evening Tide × 2 0x4c1d…2e3F #18 0x4c1d…2e3F #19 View mint',
  ])
  const locator = `base-sepolia:${collection}:7`
  expect(receipt.getByTitle(locator).textContent).toBe('0x4c1d…2e3F #7')
  const [link] = receipt.getAllByRole<HTMLAnchorElement>('link')
  expect(link?.href).toContain(`/tx/${txId('d')}`)
  expect(linksOf(receipt).at(-1)).toBe(txId('a'))
  expect(receipt.getByRole('paragraph').textContent).toBe('Paid 0.042\u00a0ETH View payment')
  expect(receipt.getByRole('list').getAttribute('role')).toBe('list')
})

test('behavior: tells what failed, and what was sent back for it', () => {
  const receipt = show(orders.completedWithFailure)
  expect(linesOf(receipt)).toEqual([
    'Night Bloom × 1 0x4c1d…2e3F #7 View mint',
    'Evening Tide × 2 Could not be delivered',
  ])
  expect(receipt.getAllByRole('listitem').map(({ dataset }) => dataset.status)).toEqual([
    'completed',
    'failed',
  ])
  expect(receipt.getAllByRole('paragraph').at(-1)?.textContent).toBe('0.03\u00a0ETH was sent back to you.')
  expect(linksOf(receipt).slice(-2)).toEqual([txId('a'), txId('b')])
})

test('behavior: an order of which nothing arrived has its receipt too', () => {
  expect(linesOf(show(orders.nothingDelivered))).toEqual([
    'Night Bloom × 1 Could not be delivered',
    'Evening Tide × 2 Could not be delivered',
  ])
})

test('behavior: a token on Solana goes by its mint', () => {
  const [first] = linesOf(show(orders.completedOnSolana))
  expect(first).toBe('Night Bloom × 1 9wFFyR…BzvT')
})

describe('behavior: says the day of the order in its language', () => {
  const quotedAt = new Date(2026, 2, 2, 12).toISOString()
  test.each([
    ['en-US', 'Mar 2, 2026'],
    ['de-DE', '02.03.2026'],
  ])('%s: %s', (locale, day) => {
    const { quote } = orders.completed
    const receipt = show({ ...orders.completed, locale, quote: { ...quote, quotedAt } })
    expect(receipt.getByText(day).getAttribute('datetime')).toBe(quotedAt)
  })
  test('once there is a payment, the day of its block', () => {
    const { quote, payment } = orders.completed
    const paidAt = new Date(2026, 2, 3, 0, 1).toISOString()
    const received = { amount: '0.042', currency: 'eth', ...payment.received, paidAt }
    const receipt = show({
      ...orders.completed,
      quote: { ...quote, quotedAt },
      payment: { ...payment, received },
    })
    expect(receipt.getByText('Mar 3, 2026').getAttribute('datetime')).toBe(paidAt)
  })
  test('and leaves it to the browser, which knows where the buyer is', () => {
    const html = renderToString(
      <Checkout.Root value={createCheckout(orders.completed)}>
        <Checkout.Receipt />
      </Checkout.Root>,
    )
    expect(html).toContain('Night Bloom')
    expect(html).not.toContain('<time')
  })
})

test('behavior: without wagmi around it there are no links, and nothing else is missing', () => {
  mount(createCheckout(orders.completed), <Checkout.Receipt />)
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  expect(screen.queryByRole('link')).toBe(null)
})

test('parameters: children, a function of the tokens', () => {
  mount(
    createCheckout(orders.completedWithFailure),
    <Checkout.Receipt>{(tokens) => JSON.stringify(tokens)}</Checkout.Receipt>,
  )
  expect(JSON.parse(screen.getByRole('region').textContent)).toEqual([
    expect.objectContaining({
      name: 'Night Bloom',
      locator: `base-sepolia:${collection}:7`,
      contractAddress: collection,
      tokenId: '7',
      txId: txId('d'),
      recipient: buyer,
    }),
  ])
})

test('behavior: a token for an e-mail address has it as its recipient, and not the wallet that the service keeps', () => {
  const [first, ...others] = orders.completed.lineItems
  if (!first) throw new Error('there is no line item')
  const recipient = { email: 'ada@example.com', walletAddress: buyer }
  const given = { ...first, delivery: { ...first.delivery, recipient } }
  mount(
    createCheckout({ ...orders.completed, lineItems: [given, ...others] }),
    <Checkout.Receipt>{(tokens) => tokens[0]?.recipient}</Checkout.Receipt>,
  )
  expect(screen.getByRole('region').textContent).toBe('ada@example.com')
})

describe('behavior: absent until the order is completed', () => {
  const absent: OrderName[] = ['awaitingPaymentNative', 'partlyDelivered', 'unknownFutureState']
  test.each(absent)('%s', (name) => {
    mount(createCheckout(orders[name]), <Checkout.Receipt />)
    expect(screen.queryByRole('region', { name: 'Receipt' })).toBe(null)
  })
})
