// @vitest-environment node
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { orders } from 'kassa/testing'
import { expect, test } from 'vitest'
import { openStore } from '../../lib/store/openStore'
import { orderEvent, told } from '../helpers/orderEvents'
import { temporaryFile } from '../helpers/temporaryFile'

test('default: stored events survive a restart', async () => {
  const path = temporaryFile('orders.json')
  expect(await openStore(path).list()).toEqual([])
  await openStore(path).record(told.msg_paid, 'msg_paid')
  await openStore(path).record(told.msg_delivered, 'msg_delivered')
  const [order] = await openStore(path).list()
  expect(order?.events.map(({ id }) => id)).toEqual(['msg_paid', 'msg_delivered'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('behavior: two simultaneous deliveries of one event count once', async () => {
  const path = temporaryFile('orders.json')
  const store = openStore(path)
  await Promise.all([1, 2, 3].map(() => store.record(told.msg_paid, 'msg_paid')))
  const before = readFileSync(path, 'utf8')
  const writtenAtMs = statSync(path).mtimeMs
  await store.record(told.msg_paid, 'msg_paid')
  expect((await store.list()).map(({ events }) => events.length)).toEqual([1])
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(statSync(path).mtimeMs).toBe(writtenAtMs)
})

test('behavior: concurrent writes through several copies of the module lose nothing', async () => {
  const path = temporaryFile('orders.json')
  const ids = Array.from({ length: 30 }, (_, index) => `order-${index}`)
  await Promise.all(
    ids.map((orderId, index) =>
      openStore(path).record(
        orderEvent('orders.payment.succeeded', { ...orders.delivering, orderId }, index),
        `msg_${index}`,
      ),
    ),
  )
  const kept = await openStore(path).list()
  expect(kept.map(({ orderId }) => orderId).sort()).toEqual([...ids].sort())
  expect(readdirSync(dirname(path))).toEqual(['orders.json'])
})

test('behavior: the newest order comes first', async () => {
  const store = openStore(temporaryFile('orders.json'))
  for (const [orderId, startedAt] of [
    ['second', '2026-03-02T12:00:02.000Z'],
    ['third', '2026-03-02T12:00:03.000Z'],
    ['first', '2026-03-02T12:00:01.000Z'],
  ] as const) {
    const event = orderEvent('orders.payment.succeeded', { ...orders.delivering, orderId }, 60)
    await store.record({ ...event, startedAt }, `msg_${orderId}`)
  }
  expect((await store.list()).map(({ orderId }) => orderId)).toEqual(['third', 'second', 'first'])
})

test.each([
  ['', 'nothing'],
  ['{ "orders": [', 'half a file'],
  ['{ "orders": {} }', 'something else'],
  ['{ "orders": [{ "orderId": "1" }] }', 'half an order'],
])('error: a file that holds %j is named, and left as it is', async (text) => {
  const path = temporaryFile('orders.json')
  writeFileSync(path, text)
  const store = openStore(path)
  await expect(store.list()).rejects.toThrow(path)
  await expect(store.record(told.msg_paid, 'msg_paid')).rejects.toThrow(path)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('error: a repaired file is writable again', async () => {
  const path = temporaryFile('orders.json')
  const store = openStore(path)
  writeFileSync(path, '?')
  await expect(store.record(told.msg_paid, 'msg_paid')).rejects.toThrow(path)
  writeFileSync(path, '{ "orders": [] }')
  await store.record(told.msg_paid, 'msg_paid')
  expect(await store.list()).toHaveLength(1)
})
