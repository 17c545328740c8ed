import * as fc from 'fast-check'
import type { Order } from 'kassa/schema'
import { expect, test } from 'vitest'
import { formatFiat, formatMoney, readUserAgent } from '../../console/src/lib/format.js'
import { isMore } from '../../console/src/lib/isMore.js'
import { canRefund, readStatus } from '../../console/src/lib/orderStatus.js'

test.each([
  [{ amount: '0.012', currency: 'eth' }, '0.012 ETH'],
  [{ amount: '1234567.5', currency: 'usdc' }, '1,234,567.50 USDC'],
  [{ amount: '42', currency: 'usdc' }, '42.00 USDC'],
  [
    { amount: '1000000000000000000000.000000000000000001', currency: 'eth' },
    '1,000,000,000,000,000,000,000.000000000000000001 ETH',
  ],
])('default: %j', (money, text) => {
  expect(formatMoney(money)).toBe(text)
})

test('parameters: dollars beside an amount', () => {
  expect(formatFiat('36')).toBe('$36.00')
  expect(formatFiat('1234.5678')).toBe('$1,234.56')
})

const write = (units: bigint, scale: number): string => {
  const digits = units.toString().padStart(scale + 1, '0')
  return scale ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits
}

test('behavior: amounts are compared exactly, whatever their decimals', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 30n })
  fc.assert(
    fc.property(units, units, fc.nat(18), fc.nat(18), (a, b, left, right) => {
      const [x, y] = [a * 10n ** BigInt(right), b * 10n ** BigInt(left)]
      expect(isMore(write(a, left), write(b, right))).toBe(x > y)
    }),
  )
})

const order = (fields: object): Order =>
  ({
    orderId: 'o',
    phase: 'completed',
    quote: { status: 'valid' },
    payment: { status: 'completed', balances: { captured: '2', refunded: '0', refundable: '2' } },
    lineItems: [{ quote: { status: 'valid' }, delivery: { status: 'completed' } }],
    ...fields,
  }) as Order

const paid = (balances: object, more = {}) => ({ payment: { status: 'completed', balances, ...more } })
const failed = { quote: { status: 'valid' }, delivery: { status: 'failed' } }
const addressed = {
  quote: { status: 'valid' },
  delivery: { status: 'completed', recipient: { physicalAddress: { name: 'Ada' } } },
}
const done = { quote: { status: 'valid' }, delivery: { status: 'completed' } }

test.each([
  ['Delivered', {}],
  ['Refunded', paid({ captured: '2', refunded: '2', refundable: '0' })],
  ['Partly refunded', paid({ captured: '2', refunded: '0.5', refundable: '1.5' })],
  ['To ship', { lineItems: [addressed] }],
  ['To ship', { lineItems: [addressed], ...paid({ captured: '2', refunded: '0.5', refundable: '1.5' }) }],
  ['To ship', { lineItems: [addressed], shipments: [{ status: 'cancelled', lineItems: [{ index: 0 }] }] }],
  [
    'To ship',
    { lineItems: [addressed, done], shipments: [{ status: 'shipped', lineItems: [{ index: 1 }] }] },
  ],
  ['Delivered', { lineItems: [addressed], shipments: [{ status: 'shipped', lineItems: [{ index: 0 }] }] }],
  ['Refunded', { lineItems: [addressed], ...paid({ captured: '2', refunded: '2', refundable: '0' }) }],
  ['Not delivered', { lineItems: [failed] }],
  ['Partly delivered', { lineItems: [failed, done] }],
  ['Delivering', { phase: 'delivery' }],
  ['To capture', { phase: 'delivery', payment: { status: 'completed', captureStatus: 'requires-capture' } }],
  ['Voided', { payment: { status: 'completed', captureStatus: 'voided' } }],
  ['Not captured', { payment: { status: 'completed', captureStatus: 'expired' } }],
  ['Confirming', { phase: 'payment', payment: { status: 'in-progress' } }],
  ['Awaiting payment', { phase: 'payment', payment: { status: 'awaiting-payment' } }],
  ['Expired', { phase: 'quote', quote: { status: 'expired' }, payment: { status: 'requires-quote' } }],
  [
    'Incomplete',
    { phase: 'quote', quote: { status: 'requires-recipient' }, payment: { status: 'requires-quote' } },
  ],
])('parameters: the status of an order: %s', (label, fields) => {
  expect(readStatus(order(fields)).label).toBe(label)
})

test('behavior: an order without a balance cannot be refunded', () => {
  expect(canRefund(order({}))).toBe(true)
  expect(canRefund(order(paid({ captured: '2', refunded: '2', refundable: '0.00' })))).toBe(false)
  expect(canRefund(order({ payment: { status: 'awaiting-payment' } }))).toBe(false)
})

test('parameters: the browser of a session', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36'
  expect(readUserAgent(chrome)).toEqual({ browser: 'Chrome', system: 'Linux' })
  expect(readUserAgent('curl/8')).toBeUndefined()
})
