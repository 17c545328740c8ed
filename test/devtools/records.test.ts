import { describe, expect, test } from 'vitest'
import { listChanges } from '../../src/devtools/listChanges.js'
import { formatBytes, formatGap, formatTime, shortenId } from '../../src/devtools/panel/format.js'
import { toCallRecord } from '../../src/devtools/toCallRecord.js'
import { toTimeline } from '../../src/devtools/toTimeline.js'
import { orders } from '../../stories/fixtures/orders.js'

describe('listChanges', () => {
  test('default', () => {
    expect(listChanges(orders.delivering, orders.partlyDelivered)).toEqual([
      { field: 'delivery 1', from: 'in-progress', to: 'completed' },
    ])
    expect(listChanges(orders.expired, orders.underpaidRefunded)).toEqual([
      { field: 'failure', to: 'underpaid' },
      { field: 'received', to: '0.02 ETH' },
      { field: 'refunded', to: '0.02 ETH' },
    ])
    expect(listChanges(orders.underpaid, orders.awaitingPaymentNative)).toEqual([
      { field: 'failure', from: 'underpaid', to: 'none' },
      { field: 'received', from: '0.02 ETH', to: 'none' },
    ])
  })

  test('behavior: what is read first has nothing before it', () => {
    const changes = listChanges(undefined, orders.awaitingPaymentUsdc)
    expect(changes).toContainEqual({ field: 'total', to: '1249.5 USDC' })
    expect(changes).toContainEqual({ field: 'delivery', to: 'awaiting-payment' })
    expect(changes.every((change) => !('from' in change))).toBe(true)
  })
})

describe('toCallRecord', () => {
  const call = { method: 'POST', status: 200, isCancelled: false, fromMs: 1_000, toMs: 1_025, bytes: 7 }

  test('default', () => {
    expect(toCallRecord({ ...call, path: '/2022-06-09/orders/a%20b/refresh' })).toEqual({
      atMs: 1_000,
      orderId: 'a b',
      method: 'POST',
      path: 'refresh',
      status: 200,
      isCancelled: false,
      ms: 25,
      bytes: 7,
    })
    expect(toCallRecord({ ...call, path: '/2022-06-09/orders/a' })).toMatchObject({ orderId: 'a', path: '' })
  })

  test('behavior: a call about no order, or with an id that is none', () => {
    expect(toCallRecord({ ...call, path: '/2022-06-09/orders' })).toMatchObject({
      orderId: undefined,
      path: '/2022-06-09/orders',
    })
    expect(toCallRecord({ ...call, path: '/2022-06-09/orders/%' })).toMatchObject({ orderId: '%' })
  })
})

describe('toTimeline', () => {
  const common = { orderId: 'a', atMs: 1 }

  test('default', () => {
    expect(
      toTimeline({ ...common, type: 'payment.step', from: 'checking', to: 'failed', code: 'pay.rejected' }),
    ).toEqual({
      kind: 'step',
      changes: [{ field: 'step', from: 'checking', to: 'failed' }],
      code: 'pay.rejected',
    })
    expect(
      toTimeline({
        ...common,
        type: 'payment.step',
        from: 'awaiting-signature',
        to: 'broadcast',
        txId: '0x1',
      }).changes,
    ).toContainEqual({ field: 'transaction', to: '0x1' })
    expect(toTimeline({ ...common, type: 'payment.repriced', txId: '0x2', replacedTxId: '0x1' })).toEqual({
      kind: 'payment',
      changes: [{ field: 'transaction', from: '0x1', to: '0x2' }],
    })
    expect(
      toTimeline({
        ...common,
        type: 'quote.refreshed',
        from: undefined,
        to: { amount: '1', currency: 'eth' },
        isPriceChanged: true,
      }),
    ).toEqual({ kind: 'quote', changes: [{ field: 'total', from: 'none', to: '1 ETH' }] })
  })
})

describe('format', () => {
  test('default', () => {
    const { time, rest } = formatTime(Date.parse('2026-03-02T12:00:05.007Z'))
    expect(time).toMatch(/^\d\d:\d\d:05$/)
    expect(rest).toBe('.007')
    expect([0, 40, 1_240, 90_000, 180_000].map(formatGap)).toEqual([
      '+0 ms',
      '+40 ms',
      '+1.24 s',
      '+90 s',
      '+3 min',
    ])
    expect([0, 812, 1_940].map(formatBytes)).toEqual(['0 B', '812 B', '1.9 kB'])
    expect(shortenId('b4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11')).toBe('b4d1f0f2…')
    expect(shortenId('short')).toBe('short')
  })
})
