import { cleanup, render, screen } from '@testing-library/react'
import { orders } from 'kassa/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { OrderList } from '../../app/orders/OrderList'
import { applyEvent, type OrderEvent } from '../../lib/store/applyEvent'
import { orderEvent, soldInPart, told } from '../helpers/orderEvents'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => undefined }) }))
afterEach(cleanup)

const show = (...events: OrderEvent[]) => {
  const [first, ...others] = events.map(
    (event, index) => (order: Parameters<typeof applyEvent>[0]) => applyEvent(order, event, `msg_${index}`),
  )
  const order = first && others.reduce((known, apply) => apply(known), first(undefined))
  render(<OrderList orders={order ? [order] : []} />)
  return screen.queryByRole('article')?.textContent
}

test('default: a delivered order with its items, price and times', () => {
  const text = show(...Object.values(told))
  expect(screen.getByRole('heading', { name: 'Night Bloom, Evening Tide × 2' })).toBeTruthy()
  expect(text).toContain(orders.completed.orderId)
  expect(text).toMatch(
    /Delivered.*Total0\.042.ETHPlaced2 Mar, 12:00 UTCPaid2 Mar, 12:01 UTCDelivered2 Mar, 12:01 UTC/,
  )
})

test('behavior: a paid order that is not delivered yet', () => {
  expect(show(told.msg_paid)).toMatch(/On its way.*DeliveredNot yet/)
})

test('behavior: an order with one failed item', () => {
  const text = show(orderEvent('orders.delivery.completed', orders.completedWithFailure, 75))
  expect(text).toMatch(
    /Partly delivered.*Could not be delivered: Evening Tide × 2\. 0\.03.ETH of what was paid went back to the payer\./,
  )
})

test('behavior: an order with one item that could not be bought', () => {
  const text = show(orderEvent('orders.delivery.completed', soldInPart, 75))
  expect(text).toMatch(/Delivered.*Not available, and not charged: Evening Tide × 2\.$/)
})

test('behavior: an order with one failed item, before its refund', () => {
  const { refunded, ...payment } = orders.completedWithFailure.payment
  const order = { ...orders.completedWithFailure, payment }
  expect(show(orderEvent('orders.delivery.completed', order, 75))).toMatch(
    /Could not be delivered: Evening Tide × 2\. What was paid for it goes back to the payer\.$/,
  )
})

test('behavior: an order without any delivered item', () => {
  expect(show(orderEvent('orders.delivery.failed', orders.nothingDelivered, 75))).toMatch(/Not delivered/)
})

test('behavior: an insufficient payment', () => {
  const text = show(orderEvent('orders.payment.failed', orders.underpaid, 60))
  expect(text).toMatch(
    /Not paid.*A payment came that does not pay for it\. The money goes back to the payer\./,
  )
})

test('behavior: no orders yet', () => {
  show()
  expect(screen.getByText('No order yet')).toBeTruthy()
})
