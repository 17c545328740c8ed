import { orders } from 'kassa/testing'
import { expect, test } from 'vitest'
import { applyEvent, type OrderEvent } from '../../lib/store/applyEvent'
import type { ShopOrder } from '../../lib/store/ShopOrder'
import { orderEvent, soldInPart, told } from '../helpers/orderEvents'

type Told = readonly [id: string, event: OrderEvent]

const applyAll = (events: readonly Told[]): ShopOrder | undefined =>
  events.reduce<ShopOrder | undefined>((order, [id, event]) => applyEvent(order, event, id), undefined)

const everyOrderOf = (events: readonly Told[]): Told[][] =>
  events.length < 2
    ? [[...events]]
    : events.flatMap((first) =>
        everyOrderOf(events.filter((event) => event !== first)).map((others) => [first, ...others]),
      )

const atMs = (time: string): number => Date.parse(`2026-03-02T12:${time}.000Z`)

test('default', () => {
  expect(applyAll(Object.entries(told))).toMatchObject({
    orderId: orders.completed.orderId,
    items: [
      { name: 'Night Bloom', quantity: 1, delivery: 'completed' },
      { name: 'Evening Tide', quantity: 2, delivery: 'completed' },
    ],
    total: { amount: '0.042', currency: 'eth' },
    placedAtMs: atMs('00:00'),
    paidAtMs: atMs('01:00'),
    shippedAtMs: atMs('01:15'),
  })
})

test('behavior: events in any order, each delivered twice, give the same order', () => {
  const events = Object.entries(told)
  const inOrder = applyAll(events)
  for (const shuffled of everyOrderOf(events)) {
    const order = applyAll([...shuffled, ...shuffled])
    expect({ ...order, events: new Set(order?.events) }).toEqual({
      ...inOrder,
      events: new Set(inOrder?.events),
    })
  }
})

test('behavior: a repeated event changes nothing', () => {
  const order = applyEvent(undefined, told.msg_paid, 'msg_paid')
  expect(applyEvent(order, told.msg_paid, 'msg_paid')).toBe(order)
})

test('behavior: an unknown order is created from its first event', () => {
  expect(applyEvent(undefined, told.msg_delivered, 'msg_delivered')).toMatchObject({
    placedAtMs: atMs('00:00'),
    paidAtMs: atMs('01:15'),
    shippedAtMs: atMs('01:15'),
  })
})

test('behavior: a partly delivered order is not shipped, and shows what failed and what was refunded', () => {
  const event = orderEvent('orders.delivery.completed', orders.completedWithFailure, 75)
  const order = applyEvent(undefined, event, 'msg_some')
  expect(order.items.map(({ delivery }) => delivery)).toEqual(['completed', 'failed'])
  expect(order.shippedAtMs).toBeUndefined()
  expect(order.refunded).toEqual({ amount: '0.03', currency: 'eth' })
})

test('behavior: an item that could not be bought is neither shipped nor failed', () => {
  const event = orderEvent('orders.delivery.completed', soldInPart, 75)
  const order = applyEvent(undefined, event, 'msg_rest')
  expect(order.items.map(({ delivery }) => delivery)).toEqual(['completed', 'not-sold'])
  expect(order.shippedAtMs).toBe(atMs('01:15'))
})

test('behavior: an order whose items could all not be bought is not shipped', () => {
  const event = orderEvent('orders.payment.failed', orders.allUnavailable, 60)
  expect(applyEvent(undefined, event, 'msg_none').shippedAtMs).toBeUndefined()
})

test('behavior: an insufficient payment does not pay the order', () => {
  const event = orderEvent('orders.payment.failed', orders.underpaidRefunded, 60)
  const order = applyEvent(undefined, event, 'msg_short')
  expect(order).toMatchObject({ refunded: { amount: '0.02', currency: 'eth' } })
  expect(order.paidAtMs).toBeUndefined()
})

test('behavior: no data about the buyer is stored', () => {
  expect(JSON.stringify(applyAll(Object.entries(told)))).not.toMatch(/0x|@/)
})
