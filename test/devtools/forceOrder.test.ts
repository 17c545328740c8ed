import { describe, expect, test } from 'vitest'
import { type ForcedState, type ForcedStateName, forcedStates } from '../../src/devtools/forcedStates.js'
import { canForce, forceOrder } from '../../src/devtools/forceOrder.js'
import { getStage, getTimeLeftMs } from '../../src/order/index.js'
import { members, Order } from '../../src/schema/index.js'
import { orders } from '../../stories/fixtures/orders.js'

const nowMs = Date.parse('2026-03-02T12:04:30.000Z')
const names = Object.keys(forcedStates) as ForcedStateName[]
const real = orders.awaitingPaymentNative
const force = (name: ForcedStateName, order = real) => forceOrder(order, name, nowMs)

describe('forceOrder', () => {
  test('default', () => {
    expect(force('awaiting-payment')).toEqual(real)
    expect(force('completed')).toMatchObject({
      orderId: real.orderId,
      phase: 'completed',
      quote: { totalPrice: { amount: '0.042', currency: 'eth' } },
      payment: { status: 'completed', received: { amount: '0.042', currency: 'eth', chain: 'base-sepolia' } },
      lineItems: [
        { delivery: { status: 'completed', tokens: [{ tokenId: '1' }] } },
        { delivery: { status: 'completed', tokens: [{ tokenId: '2' }] } },
      ],
    })
    const { serializedTransaction: _, ...payer } = real.payment.preparation ?? {}
    expect(force('completed').payment.preparation).toEqual(payer)
  })

  test('behavior: every member of every list of an order is in some state', () => {
    const forced = names.map((name) => force(name))
    const items = forced.flatMap(({ lineItems }) => lineItems)
    expect(forced.map(({ phase }) => phase)).toEqual(expect.arrayContaining([...members.phases]))
    expect(forced.map(({ quote }) => quote.status)).toEqual(
      expect.arrayContaining([...members.quoteStatuses]),
    )
    expect(forced.map(({ payment }) => payment.status)).toEqual(
      expect.arrayContaining([...members.paymentStatuses, ...members.foreignPaymentStatuses]),
    )
    expect(forced.map(({ payment }) => payment.failureReason?.code)).toEqual(
      expect.arrayContaining([...members.paymentFailureCodes]),
    )
    expect(items.map(({ quote }) => quote.status)).toEqual(
      expect.arrayContaining([...members.lineItemQuoteStatuses]),
    )
    expect(items.map(({ delivery }) => delivery.status)).toEqual(
      expect.arrayContaining([...members.deliveryStatuses]),
    )
  })

  test('behavior: any order can be shown in any state, and comes out as the schema reads it', () => {
    for (const order of Object.values(orders))
      for (const name of names) {
        const forced = force(name, order)
        expect(forced).toEqual(Order.parse(JSON.parse(JSON.stringify(forced))))
        const { phase, payment }: ForcedState = forcedStates[name]
        expect([forced.orderId, forced.phase, forced.payment.status]).toEqual([order.orderId, phase, payment])
        if (forced.phase === 'payment') expect(getTimeLeftMs(forced, nowMs)).toBeGreaterThan(0)
      }
  })

  test('behavior: a state shows at the stage it is named for', () => {
    expect(getStage(force('requires-recipient', orders.completed), nowMs)).toBe('needs-recipient')
    expect(getStage(force('quote-expired'), nowMs)).toBe('expired')
    expect(getStage(force('awaiting-payment', orders.expired), nowMs)).toBe('ready-to-pay')
    expect(getStage(force('insufficient-funds-for-gas'), nowMs)).toBe('insufficient-funds')
    expect(getStage(force('completed-in-part'), nowMs)).toBe('failed')
    expect(getStage(force('unknown-future-state'), nowMs)).toBe('unknown')
  })

  test('behavior: money is exact', () => {
    expect(force('underpaid-refunded').payment).toMatchObject({
      received: { amount: '0.021' },
      refunded: { amount: '0.021' },
    })
    expect(force('overpaid-refunded').payment).toMatchObject({
      received: { amount: '0.063' },
      refunded: { amount: '0.021' },
    })
    expect(force('completed-in-part').payment.refunded?.amount).toBe('0.03')
    expect(force('one-item-unavailable').quote.totalPrice).toEqual({ amount: '0.012', currency: 'eth' })
  })

  test('behavior: what was delivered in truth is shown, and what was not is easily told to be invented', () => {
    const [first] = force('completed', orders.completed).lineItems
    expect(first?.delivery.tokens).toEqual(orders.completed.lineItems[0]?.delivery.tokens)
    expect(force('completed').lineItems[0]?.delivery.tokens?.[0]?.contractAddress).toMatch(/^0x(f0){20}$/)
    const onSolana = { ...real, lineItems: real.lineItems.map((item) => ({ ...item, chain: 'solana' })) }
    expect(force('completed', onSolana).lineItems[0]?.delivery.tokens?.[0]?.mintHash).toMatch(/^Forced/)
  })

  test('behavior: no state has anything to sign that the order has not', () => {
    for (const name of names)
      expect([name, force(name).payment.preparation?.serializedTransaction]).toEqual([
        name,
        name in { 'awaiting-payment': 1, 'one-item-unavailable': 1, underpaid: 1 }
          ? real.payment.preparation?.serializedTransaction
          : undefined,
      ])
  })
})

describe('canForce', () => {
  test('default', () => {
    expect(names.every((name) => canForce(real, name))).toBe(true)
    const single = { lineItems: real.lineItems.slice(0, 1) }
    expect(names.filter((name) => !canForce(single, name))).toEqual([
      'one-item-unavailable',
      'partly-delivered',
      'completed-in-part',
    ])
  })
})
