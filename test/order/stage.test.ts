import { describe, expect, test } from 'vitest'
import { getStage, isPaymentReturned, isPaymentSeen } from '../../src/order/index.js'
import type { LineItem, Order } from '../../src/schema/index.js'
import { unheardOf } from '../helpers/unheardOf.js'

const make = (
  phase: Order['phase'],
  payment: Order['payment']['status'],
  quote: Order['quote']['status'] = 'valid',
  delivery: LineItem['delivery']['status'] = 'awaiting-payment',
): Order => ({
  orderId: 'one',
  phase,
  lineItems: [{ quote: { status: 'valid' }, delivery: { status: delivery } }],
  quote: { status: quote, expiresAt: '2026-01-01T00:10:00.000Z' },
  payment: { status: payment },
})

/** An order whose payer has no coins for the fee, and that offers to be paid by a signature. */
const sponsored = (gas: unknown, authorization: unknown): Order => ({
  ...make('payment', 'crypto-payer-insufficient-funds-for-gas'),
  payment: {
    status: 'crypto-payer-insufficient-funds-for-gas',
    gas,
    preparation: { chain: 'base', authorization },
  },
})

const beforeExpiry = Date.parse('2026-01-01T00:09:59.999Z')
const atExpiry = Date.parse('2026-01-01T00:10:00.000Z')

describe('getStage', () => {
  test('behavior: a payer without coins can pay where the shop pays the fee', () => {
    expect(getStage(sponsored('shop', { kind: 'erc3009' }), beforeExpiry)).toBe('ready-to-pay')
    expect(getStage(sponsored('shop', { kind: 'erc3009' }), atExpiry)).toBe('expired')
    expect(getStage(sponsored('shop', undefined), beforeExpiry)).toBe('insufficient-funds')
    expect(getStage(sponsored('payer', { kind: 'erc3009' }), beforeExpiry)).toBe('insufficient-funds')
    const short = { ...sponsored('shop', {}).payment, status: 'crypto-payer-insufficient-funds' } as const
    expect(getStage({ ...make('payment', 'failed'), payment: short }, beforeExpiry)).toBe(
      'insufficient-funds',
    )
  })

  test.each([
    ['quote', 'requires-quote', 'requires-recipient', 'needs-recipient'],
    ['quote', 'requires-quote', 'requires-physical-address', 'needs-address'],
    ['quote', 'requires-quote', 'all-line-items-unavailable', 'unavailable'],
    ['quote', 'requires-quote', 'expired', 'expired'],
    ['payment', 'requires-crypto-payer-address', 'valid', 'needs-payer'],
    ['payment', 'requires-email', 'valid', 'needs-email'],
    ['payment', 'crypto-payer-insufficient-funds', 'valid', 'insufficient-funds'],
    ['payment', 'crypto-payer-insufficient-funds-for-gas', 'valid', 'insufficient-funds'],
    ['payment', 'awaiting-payment', 'valid', 'ready-to-pay'],
    ['payment', 'in-progress', 'valid', 'paying'],
    ['payment', 'failed', 'valid', 'failed'],
    ['payment', 'manual-kyc', 'valid', 'unknown'],
    ['payment', unheardOf('constructor'), 'valid', 'unknown'],
    ['quote', 'requires-quote', unheardOf('toString'), 'unknown'],
    ['delivery', 'completed', 'valid', 'delivering'],
    [unheardOf('disputed'), 'completed', 'valid', 'unknown'],
  ] as const)('parameters: %s, %s, %s', (phase, payment, quote, stage) => {
    expect(getStage(make(phase, payment, quote), beforeExpiry)).toBe(stage)
  })

  test('behavior: a quote that ran out is expired before the service says so', () => {
    expect(getStage(make('payment', 'awaiting-payment'), atExpiry)).toBe('expired')
  })

  test('behavior: a payment on its way does not expire', () => {
    expect(getStage(make('payment', 'in-progress'), atExpiry)).toBe('paying')
  })

  test('behavior: completed is not the same as delivered', () => {
    expect(getStage(make('completed', 'completed', 'valid', 'completed'))).toBe('completed')
    expect(getStage(make('completed', 'completed', 'valid', 'failed'))).toBe('failed')
  })
})

describe('isPaymentSeen', () => {
  test('default', () => {
    expect(isPaymentSeen(make('payment', 'in-progress'))).toBe(true)
    expect(isPaymentSeen(make('delivery', 'completed'))).toBe(true)
    expect(isPaymentSeen(make('payment', 'awaiting-payment'))).toBe(false)
    expect(isPaymentSeen(make('quote', 'requires-quote', 'expired'))).toBe(false)
  })
})

describe('isPaymentReturned', () => {
  const underpaid: Order = {
    ...make('payment', 'awaiting-payment'),
    payment: { status: 'awaiting-payment', received: { amount: '1', currency: 'eth', txId: '0xAB' } },
  }

  test('default', () => {
    expect(isPaymentReturned(underpaid, '0xab')).toBe(true)
  })

  test('behavior: another transaction is not the one that was returned', () => {
    expect(isPaymentReturned(underpaid, '0xcd')).toBe(false)
  })
})
