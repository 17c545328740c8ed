import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CreateOrderBody, EditOrderBody, Order } from '../../src/schema/index.js'

const order = {
  orderId: '6f1d3c0e-2b1a-4a53-8a0e-0d2a7c9a1f11',
  phase: 'payment',
  lineItems: [{ quote: { status: 'valid' }, delivery: { status: 'awaiting-payment' } }],
  quote: { status: 'valid' },
  payment: { status: 'awaiting-payment' },
}

const paths = (result: { error?: z.core.$ZodError | undefined }) =>
  result.error?.issues.map((issue) => issue.path.join('.'))

describe('Order', () => {
  test('default', () => {
    expect(z.parse(Order, order)).toEqual(order)
  })

  test('behavior: unknown fields and members are kept', () => {
    const future = { ...order, phase: 'disputed', insurance: { status: 'open' } }
    expect(z.parse(Order, future)).toEqual(future)
  })

  test('error: an order without an id is none', () => {
    expect(paths(z.safeParse(Order, { ...order, orderId: undefined }))).toEqual(['orderId'])
  })
})

describe('CreateOrderBody', () => {
  const payment = { method: 'base-sepolia', currency: 'eth' }
  const lineItem = { collectionLocator: 'kassa:dunes' }

  test('behavior: a single line item is read as a list of one', () => {
    expect(z.parse(CreateOrderBody, { payment, lineItems: lineItem }).lineItems).toEqual([lineItem])
  })

  test('behavior: further mint-function arguments are kept', () => {
    const item = { ...lineItem, callData: { quantity: 2, edition: 'gold' } }
    expect(z.parse(CreateOrderBody, { payment, lineItems: [item] }).lineItems).toEqual([item])
  })

  test.each([
    [{ payment }, 'lineItems'],
    [{ payment, lineItems: [] }, 'lineItems'],
    [{ payment, lineItems: Array(51).fill(lineItem) }, 'lineItems'],
    [{ payment, lineItems: [{ ...lineItem, callData: { quantity: 0 } }] }, 'lineItems.0.callData.quantity'],
    [{ payment, lineItems: [{ ...lineItem, callData: { quantity: 101 } }] }, 'lineItems.0.callData.quantity'],
    [{ payment, lineItems: [{ ...lineItem, callData: { quantity: 1.5 } }] }, 'lineItems.0.callData.quantity'],
    [
      { payment, lineItems: [{ ...lineItem, callData: { totalPrice: '-1' } }] },
      'lineItems.0.callData.totalPrice',
    ],
    [
      { payment, lineItems: [{ ...lineItem, callData: { note: 'é'.repeat(8_192) } }] },
      'lineItems.0.callData',
    ],
    [{ payment, lineItems: [{ collectionLocator: 'dunes' }] }, 'lineItems.0.collectionLocator'],
    [{ lineItems: lineItem }, 'payment'],
    [{ payment: { method: 'base-sepolia' }, lineItems: lineItem }, 'payment.currency'],
    [{ payment: { ...payment, payerAddress: '0x12' }, lineItems: lineItem }, 'payment.payerAddress'],
    [{ payment, lineItems: lineItem, locale: 'en_US' }, 'locale'],
    [{ payment, lineItems: lineItem, recipient: {} }, 'recipient'],
    [
      { payment, lineItems: lineItem, recipient: { email: 'a@b.co', walletAddress: `0x${'1'.repeat(40)}` } },
      'recipient',
    ],
    [{ payment, lineItems: lineItem, recipient: { email: 'nobody' } }, 'recipient.email'],
    [{ payment, lineItems: lineItem, metadata: { note: 'x'.repeat(16 * 1024) } }, 'metadata'],
  ])('error: input %#', (body, path) => {
    expect(paths(z.safeParse(CreateOrderBody, body))).toContain(path)
  })
})

describe('EditOrderBody', () => {
  test('error: a field that cannot change is named', () => {
    const result = z.safeParse(EditOrderBody, { lineItems: [] })
    expect(result.error?.issues[0]).toMatchObject({ code: 'unrecognized_keys', keys: ['lineItems'] })
  })
})
