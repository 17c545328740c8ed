import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { OrderEffect, OrderEvent } from '../../../src/engine/order/event.js'
import { newOrder } from '../../../src/engine/order/newOrder.js'
import type { LineItemState, OrderState, QuotedTerms } from '../../../src/engine/order/order.js'
import { transition } from '../../../src/engine/order/transition.js'
import { viewOrder } from '../../../src/engine/order/view.js'
import { Order } from '../../../src/schema/order.js'
import { phases, refundHoldReasons } from '../../../src/schema/orderMembers.js'

const startMs = 1_000_000
const ttlMs = 10_000
const terms = (units: readonly (number | 'unavailable')[], nowMs = startMs): QuotedTerms => {
  const lineItems = units.map((unit): LineItemState => {
    const total = `${unit}`
    const charges = { unitUnits: total, salesTaxUnits: '0', shippingUnits: '0', totalUnits: total }
    return {
      collectionId: 'tea',
      chain: 'base-sepolia',
      quantity: 1,
      callData: { quantity: 1 },
      metadata: { name: 'Tea', description: '', imageUrl: '' },
      quote:
        unit === 'unavailable'
          ? { status: 'item-unavailable', unavailabilityReason: { code: 'sold-out', message: 'sold out' } }
          : { status: 'valid', charges },
      delivery: { status: 'awaiting-payment', walletAddress: '0xbb' },
    }
  })
  const total = units.reduce<number>((sum, unit) => sum + (unit === 'unavailable' ? 0 : unit), 0)
  const isPriced = units.some((unit) => unit !== 'unavailable')
  return {
    locale: 'en-US',
    recipient: { walletAddress: '0xbb' },
    lineItems,
    quote: isPriced
      ? { status: 'valid', quotedAtMs: nowMs, expiresAtMs: nowMs + ttlMs, totalUnits: `${total}` }
      : { status: 'all-line-items-unavailable' },
    payment: { chain: 'base-sepolia', currency: 'eth', decimals: 18, payerAddress: '0xaa' },
    ...(isPriced && { funds: { status: 'ready', serializedTransaction: '0x02' } }),
  }
}

type Step = { event: OrderEvent; nowMs?: number }
const play = (steps: readonly (OrderEvent | Step)[], from?: OrderState) => {
  let order = from ?? newOrder('order', 'project', terms([5, 7]))
  const effects: OrderEffect[] = []
  for (const step of steps) {
    const { event, nowMs = startMs } = 'event' in step ? step : { event: step }
    const next = transition(order, event, nowMs)
    order = next.order
    effects.push(...next.effects)
  }
  return { order, effects, view: viewOrder(order, startMs, 'buyer') }
}

const quoted: OrderEvent = { type: 'quoted', terms: terms([5, 7]) }
const seen = (
  id: string,
  units: number,
  change: { currency?: string; minedAtMs?: number } = {},
): OrderEvent => ({
  type: 'payment-seen',
  payment: {
    id,
    chain: 'base-sepolia',
    currency: 'eth',
    decimals: 18,
    units: `${units}`,
    payer: '0xaa',
    txId: `tx-${id}`,
    minedAtMs: startMs,
    ...change,
  },
})
const confirmed = (paymentId: string): OrderEvent => ({ type: 'payment-confirmed', paymentId })
const gone = (paymentId: string): OrderEvent => ({ type: 'payment-reorganised-away', paymentId })
const delivered = (lineItemIndex: number): OrderEvent => ({
  type: 'item-delivered',
  lineItemIndex,
  txId: 'mint',
  walletAddress: '0xbb',
  tokens: [{ locator: `base-sepolia:0xcc:${lineItemIndex}` }],
})
/** Minted in a block that may still be replaced. */
const shown = (lineItemIndex: number): OrderEvent => ({
  ...(delivered(lineItemIndex) as Extract<OrderEvent, { type: 'item-delivered' }>),
  isSettling: true,
})
const settled = (lineItemIndex: number): OrderEvent => ({
  type: 'item-settled',
  lineItemIndex,
  txId: 'again',
})
const undone = (lineItemIndex: number, attempt = 1): OrderEvent => ({
  type: 'item-undone',
  lineItemIndex,
  attempt,
})
const failed = (lineItemIndex: number): OrderEvent => ({ type: 'item-failed', lineItemIndex })
const refunded = (n: number): OrderEvent => ({
  type: 'refund-sent',
  refundId: `refund:order:${n}`,
  txId: `back-${n}`,
})
const late = startMs + ttlMs

describe('the table', () => {
  test('default: paid in full, delivered, swept', () => {
    const { order, effects, view } = play([quoted, seen('p', 12), confirmed('p'), delivered(0), delivered(1)])
    expect(view.phase).toBe('completed')
    expect(view.payment).toMatchObject({
      status: 'completed',
      received: {
        amount: '0.000000000000000012',
        txId: 'tx-p',
        payerAddress: '0xaa',
        paidAt: new Date(startMs).toISOString(),
      },
    })
    expect(effects.map(({ type }) => type)).toEqual(['schedule-expiry', 'deliver', 'deliver', 'sweep'])
    expect(order.refunds).toEqual([])
  })

  test('behavior: without a payer it asks for one; with too few funds it says so and recovers automatically', () => {
    const { payerAddress: _none, ...payment } = terms([5]).payment
    const { funds: _unchecked, ...rest } = terms([5])
    const { payment: payerless } = play([{ type: 'quoted', terms: { ...rest, payment } }]).view
    expect(payerless.status).toBe('requires-crypto-payer-address')
    expect(payerless.preparation).toBeUndefined()
    const poor = play([quoted, { type: 'funds-checked', funds: { status: 'insufficient-funds' } }])
    expect(poor.view.payment).toMatchObject({ status: 'crypto-payer-insufficient-funds' })
    expect(poor.view.payment.preparation).toEqual({ chain: 'base-sepolia', payerAddress: '0xaa' })
    const gas = play([{ type: 'funds-checked', funds: { status: 'insufficient-funds-for-gas' } }], poor.order)
    expect(gas.view.payment.status).toBe('crypto-payer-insufficient-funds-for-gas')
    const rich = play(
      [{ type: 'funds-checked', funds: { status: 'ready', serializedTransaction: '0x0202' } }],
      gas.order,
    )
    expect(rich.view.payment).toMatchObject({
      status: 'awaiting-payment',
      preparation: { serializedTransaction: '0x0202' },
    })
  })

  test('behavior: a transaction that can be signed stays while nothing changes', () => {
    const { order } = play([quoted])
    const again: OrderEvent = {
      type: 'funds-checked',
      funds: { status: 'ready', serializedTransaction: '0x0203' },
    }
    expect(transition(order, again, startMs).order).toBe(order)
  })

  test('behavior: the quote expires at its end and not before', () => {
    const { order } = play([quoted])
    expect(transition(order, { type: 'time-passed' }, late - 1).order).toBe(order)
    const expired = transition(order, { type: 'time-passed' }, late).order
    expect(viewOrder(expired, late, 'buyer')).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: { status: 'requires-quote' },
      lineItems: [{ quote: { status: 'expired' } }, { quote: { status: 'expired' } }],
    })
    expect(play([{ type: 'quoted', terms: terms([5, 7], late) }], expired).view.phase).toBe('payment')
  })

  test('behavior: a payment in time revives a quote that expired before the payment was seen', () => {
    const { order } = play([quoted, { event: { type: 'time-passed' }, nowMs: late }])
    const paid = play([{ event: seen('p', 12, { minedAtMs: late }), nowMs: late + 5 }], order)
    expect(paid.order).toMatchObject({
      phase: 'payment',
      quote: { status: 'valid' },
      payment: { status: 'in-progress' },
    })
    expect(play([confirmed('p')], paid.order).order.phase).toBe('delivery')
    const undone = transition(paid.order, gone('p'), late + 6).order
    expect(undone).toMatchObject({ phase: 'quote', quote: { status: 'expired' }, payments: [] })
  })

  test('behavior: an underpayment waits for the rest, and is refunded when the quote ends', () => {
    const waiting = play([quoted, seen('p', 11), confirmed('p')])
    expect(waiting.view).toMatchObject({
      phase: 'payment',
      payment: {
        status: 'awaiting-payment',
        failureReason: { code: 'underpaid' },
        received: { amount: '0.000000000000000011' },
      },
    })
    expect(waiting.order.refunds).toEqual([])
    const { view, effects } = play(
      [{ event: { type: 'time-passed', searchedUntilMs: late + 1 }, nowMs: late }, refunded(0)],
      waiting.order,
    )
    expect(view).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: {
        status: 'requires-quote',
        failureReason: { code: 'underpaid' },
        received: { amount: '0.000000000000000011' },
        refunded: { amount: '0.000000000000000011', txId: 'back-0' },
      },
    })
    expect(effects.filter(({ type }) => type === 'refund')).toMatchObject([
      { units: '11', reason: 'underpaid' },
    ])
  })

  test('behavior: an overpaid order is delivered, the excess is refunded, and only then it is swept', () => {
    const paid = play([quoted, seen('p', 15), confirmed('p'), delivered(0), delivered(1)])
    expect(paid.effects).toContainEqual(
      expect.objectContaining({ type: 'refund', units: '3', reason: 'overpaid' }),
    )
    expect(paid.effects).not.toContainEqual({ type: 'sweep' })
    expect(play([refunded(0)], paid.order).effects).toEqual([{ type: 'sweep' }])
  })

  test('behavior: late payments are refunded', () => {
    const { order, effects } = play([
      quoted,
      { event: seen('p', 12, { minedAtMs: late + 1 }), nowMs: late + 1 },
      { event: confirmed('p'), nowMs: late + 2 },
    ])
    expect(order).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: { failureReason: { code: 'expired' } },
    })
    expect(effects).toContainEqual(
      expect.objectContaining({ type: 'refund', units: '12', reason: 'expired' }),
    )
  })

  test('behavior: payments in the wrong currency and second payments are refunded', () => {
    const { order, effects } = play([
      quoted,
      seen('wrong', 100, { currency: 'usdc' }),
      confirmed('wrong'),
      seen('p', 12),
      seen('again', 12),
      confirmed('p'),
      confirmed('again'),
    ])
    expect(order.phase).toBe('delivery')
    expect(
      effects.flatMap((effect) => (effect.type === 'refund' ? [[effect.payment.id, effect.units]] : [])),
    ).toEqual([
      ['wrong', '100'],
      ['again', '12'],
    ])
  })

  describe('a price that changed while a payment was pending', () => {
    const dearer: OrderEvent = { type: 'quoted', terms: terms([6, 8], startMs + 5000) }
    const at = (event: OrderEvent, nowMs: number) => ({ event, nowMs })

    test('behavior: the earlier one is honoured', () => {
      const paid = play([
        quoted,
        at(dearer, startMs + 5000),
        at(seen('p', 12, { minedAtMs: startMs + 4000 }), startMs + 6000),
      ])
      expect(paid.view).toMatchObject({
        phase: 'payment',
        quote: { status: 'valid', totalPrice: { amount: '0.000000000000000012' } },
        payment: { status: 'in-progress' },
      })
      expect(paid.order.payment.serializedTransaction).toBeUndefined()
      const { order, effects } = play([confirmed('p'), failed(1), delivered(0)], paid.order)
      expect(effects).toContainEqual(
        expect.objectContaining({ type: 'refund', units: '7', reason: 'undelivered' }),
      )
      expect(order).toMatchObject({ phase: 'completed', payments: [{ use: 'accepted' }] })
    })

    test('behavior: only within its own time, and only if paid in full', () => {
      const changed = play([quoted, at(dearer, startMs + 5000)]).order
      const tooLate = play(
        [at(seen('p', 12, { minedAtMs: late + 1 }), late + 2), at(confirmed('p'), late + 3)],
        changed,
      )
      expect(tooLate.order.payment.failureReason?.code).toBe('underpaid')
      const tooLittle = play([seen('p', 11), confirmed('p')], changed)
      expect(tooLittle.order).toMatchObject({
        quote: { totalUnits: '14' },
        payment: { failureReason: { code: 'underpaid' } },
      })
    })

    test('behavior: it is restored even if the new one has expired', () => {
      const soldOut: OrderEvent = { type: 'quoted', terms: terms(['unavailable', 'unavailable']) }
      const { order } = play([quoted, soldOut, seen('p', 12), confirmed('p')])
      expect(order).toMatchObject({ phase: 'delivery', quote: { totalUnits: '12' } })
    })

    test('behavior: two payments, each for another price', () => {
      const changed = play([quoted, at(dearer, startMs + 5000), at(seen('p', 12), startMs + 6000)]).order
      const both = transition(changed, seen('q', 14, { minedAtMs: late + 1 }), late + 2).order
      const gonePlay = play([at(gone('p'), late + 3), at(confirmed('q'), late + 4)], both)
      expect(gonePlay.order).toMatchObject({ phase: 'delivery', quote: { totalUnits: '14' } })
      const kept = play([at(confirmed('p'), late + 3), at(confirmed('q'), late + 4)], both)
      expect(kept.order).toMatchObject({
        phase: 'delivery',
        quote: { totalUnits: '12' },
        refunds: [{ paymentId: 'q', units: '14', reason: 'duplicate' }],
      })
    })

    test('behavior: no earlier one is honoured for another recipient, currency or template', () => {
      const copies = terms([6, 8]).lineItems.map((item) => ({ ...item, templateId: 'green' }))
      for (const change of [
        { lineItems: copies },
        { recipient: { walletAddress: '0xbb', physicalAddress: { city: 'Bern' } } },
        { payment: { ...terms([6, 8]).payment, currency: 'usdc' } },
      ]) {
        const edited = { type: 'quoted', terms: { ...terms([6, 8]), ...change } } as OrderEvent
        const { order } = play([quoted, edited, seen('p', 12), confirmed('p')])
        expect(order.payments).toMatchObject([{ id: 'p', use: change.payment ? 'returned' : 'part' }])
        const event = { type: 'time-passed', searchedUntilMs: late + 1 } as const
        const ended = play([{ event, nowMs: late }], order).order
        expect(ended.refunds).toMatchObject([{ paymentId: 'p', units: '12' }])
        expect(ended.lineItems.every(({ delivery }) => delivery.status === 'awaiting-payment')).toBe(true)
      }
    })
  })

  test('behavior: a refused delivery is tried again, with growing delays, and then fails', () => {
    const refused = (attempt: number): OrderEvent => ({ type: 'item-refused', lineItemIndex: 1, attempt })
    const paid = play([quoted, seen('p', 12), confirmed('p')]).order
    const { order, effects } = play([refused(1), refused(1), refused(2), refused(3)], paid)
    expect(order.lineItems[1]?.delivery).toMatchObject({ status: 'in-progress', attempt: 4 })
    expect(effects.map((effect) => effect.type === 'deliver-again' && effect.atMs - startMs)).toEqual([
      15_000, 120_000, 900_000,
    ])
    expect(play([refused(4)], order).order).toMatchObject({
      lineItems: [{}, { delivery: { status: 'failed' } }],
      refunds: [{ units: '7', reason: 'undelivered' }],
    })
  })

  test('behavior: a failed refund is pending again, and sent once', () => {
    const refundId = 'refund:order:0'
    const failedRefund: OrderEvent = { type: 'refund-failed', refundId }
    const { order } = play([quoted, seen('p', 13), confirmed('p'), failedRefund])
    const again = play([{ type: 'refund-retried', refundId }], order).order
    expect(again.refunds).toMatchObject([{ status: 'pending' }])
    expect(transition(again, { type: 'refund-retried', refundId }, startMs).order).toBe(again)
    expect(play([refunded(0)], again).order.refunds).toMatchObject([{ status: 'sent', txId: 'back-0' }])
  })

  test('behavior: a reorganised payment undoes in-progress', () => {
    const { view } = play([quoted, seen('p', 12), gone('p')])
    expect(view.payment).toMatchObject({
      status: 'awaiting-payment',
      preparation: { serializedTransaction: '0x02' },
    })
  })

  test('behavior: the price of an item that cannot be delivered is refunded', () => {
    const { view, effects } = play([
      quoted,
      seen('p', 12),
      confirmed('p'),
      failed(1),
      delivered(0),
      refunded(0),
    ])
    expect(view).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'completed' } }, { delivery: { status: 'failed' } }],
      payment: { status: 'completed', refunded: { amount: '0.000000000000000007' } },
    })
    expect(effects.at(-1)).toEqual({ type: 'sweep' })
  })

  test('behavior: an item is delivered in its first block, and proceeds are swept once all blocks are final', () => {
    const first = play([quoted, seen('p', 12), confirmed('p'), delivered(0), shown(1)])
    expect(first.view.phase).toBe('completed')
    expect(first.view.lineItems[1]?.delivery).toMatchObject({ status: 'completed', txId: 'mint' })
    expect(first.effects.map(({ type }) => type)).not.toContain('sweep')
    const last = play([settled(1), settled(1), undone(1)], first.order)
    expect(last.view.lineItems[1]?.delivery).toMatchObject({ status: 'completed', txId: 'again' })
    expect(last.effects).toEqual([{ type: 'sweep' }])
  })

  test('behavior: an item that a reorganisation takes back is tried again, and its price goes back if it fails', () => {
    const taken = play([quoted, seen('p', 12), confirmed('p'), delivered(0), shown(1), undone(1)])
    expect(taken.view.phase).toBe('delivery')
    expect(taken.view.lineItems[1]?.delivery).toEqual({
      ...taken.view.lineItems[1]?.delivery,
      status: 'in-progress',
    })
    expect(taken.view.lineItems[1]?.delivery).not.toHaveProperty('tokens')
    expect(taken.view.lineItems[1]?.delivery).not.toHaveProperty('txId')
    expect(taken.effects.at(-1)).toMatchObject({ type: 'deliver-again', lineItemIndex: 1 })
    // The attempt that was taken back counts once.
    expect(play([undone(1), undone(1, 2)], taken.order).order).toBe(taken.order)
    const again = play([delivered(1)], taken.order)
    expect(again.view.phase).toBe('completed')
    expect(again.effects).toEqual([{ type: 'sweep' }])
    const over = play([failed(1)], taken.order)
    expect(over.order.refunds).toMatchObject([{ units: '7', reason: 'undelivered' }])
  })

  test('behavior: an item that is taken back with the payment waits for the payment', () => {
    const { view, effects } = play([
      quoted,
      seen('p', 12),
      confirmed('p'),
      delivered(0),
      shown(1),
      { type: 'payment-lost', paymentId: 'p', sentItems: [0, 1] },
      undone(1),
    ])
    expect(view.lineItems[1]?.delivery.status).toBe('awaiting-payment')
    expect(effects.map(({ type }) => type)).not.toContain('deliver-again')
  })

  test('behavior: an unavailable item is neither charged nor delivered', () => {
    const mixed: OrderEvent = { type: 'quoted', terms: terms([5, 'unavailable']) }
    const { view, effects } = play([mixed, seen('p', 5), confirmed('p'), delivered(0)])
    expect(view).toMatchObject({
      phase: 'completed',
      payment: { received: { amount: '0.000000000000000005' } },
    })
    expect(effects.map(({ type }) => type)).toEqual(['schedule-expiry', 'deliver', 'sweep'])
  })

  test("behavior: a token's transfer of zero never counts as a payment", () => {
    const { order } = play([quoted])
    expect(transition(order, seen('dust', 0), startMs).order).toBe(order)
  })

  test('behavior: a partly minted item is tried until it is complete, and is neither failed nor refunded', () => {
    const minted = (first: number, txId: string): OrderEvent => ({
      type: 'tokens-minted',
      lineItemIndex: 0,
      count: 50,
      first,
      txId,
    })
    const refused = Array.from(
      { length: 9 },
      (_, at): OrderEvent => ({ type: 'item-refused', lineItemIndex: 0, attempt: at + 1 }),
    )
    const paid = [quoted, seen('p', 12), confirmed('p'), delivered(1)]
    // Repeated or out of order, it counts once.
    const parts = [minted(50, '0x2'), minted(0, '0x1'), minted(0, '0x1'), minted(50, '0x2')]
    const { order, effects } = play([...paid, ...parts, ...refused, failed(0)])
    expect(order.lineItems[0]?.delivery).toMatchObject({
      status: 'in-progress',
      attempt: 10,
      minted: [
        { count: 50, txId: '0x1' },
        { count: 50, txId: '0x2' },
      ],
    })
    expect(effects.filter(({ type }) => type === 'deliver-again')).toHaveLength(9)
    expect(order.refunds).toEqual([])
    expect(play([delivered(0)], order).order.phase).toBe('completed')
  })

  test('behavior: a refused refund does not keep the proceeds from the merchant', () => {
    const { effects } = play([
      quoted,
      seen('p', 15),
      confirmed('p'),
      { type: 'refund-failed', refundId: 'refund:order:0' },
      delivered(0),
      delivered(1),
    ])
    expect(effects).toContainEqual({ type: 'sweep' })
  })
})

const ids = fc.constantFrom('a', 'b', 'c')
const items = fc.constantFrom(0, 1, 2, 9)
const anyUnits = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 9 }) },
    { weight: 1, arbitrary: fc.constant('unavailable' as const) },
  ),
  { minLength: 1, maxLength: 3 },
)
const anyEvent: fc.Arbitrary<OrderEvent> = fc.oneof(
  anyUnits.map((units): OrderEvent => ({ type: 'quoted', terms: terms(units) })),
  fc.constantFrom('ready', 'insufficient-funds', 'insufficient-funds-for-gas').map(
    (status): OrderEvent => ({
      type: 'funds-checked',
      funds:
        status === 'ready'
          ? { status, serializedTransaction: '0x02' }
          : { status: status as 'insufficient-funds' },
    }),
  ),
  fc.constant<OrderEvent>({ type: 'time-passed' }),
  fc.constant<OrderEvent>({ type: 'time-passed', searchedUntilMs: Number.POSITIVE_INFINITY }),
  fc
    .record({
      id: ids,
      units: fc.integer({ min: 0, max: 40 }),
      currency: fc.constantFrom('eth', 'eth', 'eth', 'usdc'),
      delay: fc.integer({ min: 0, max: 2 * ttlMs }),
    })
    .map(({ id, units, currency, delay }) => seen(id, units, { currency, minedAtMs: startMs + delay })),
  ids.map(confirmed),
  ids.map(confirmed),
  ids.map(gone),
  items.map((index): OrderEvent => ({ type: 'tokens-allocated', lineItemIndex: index, tokenIds: ['1'] })),
  fc
    .record({ lineItemIndex: items, first: fc.constantFrom(0, 1), count: fc.constant(1), txId: ids })
    .map((minted): OrderEvent => ({ type: 'tokens-minted', ...minted })),
  items.map(delivered),
  items.map(shown),
  items.map(settled),
  fc
    .record({ index: items, attempt: fc.integer({ min: 1, max: 5 }) })
    .map((one) => undone(one.index, one.attempt)),
  items.map(failed),
  fc
    .record({ lineItemIndex: items, attempt: fc.integer({ min: 1, max: 5 }) })
    .map((refused): OrderEvent => ({ type: 'item-refused', ...refused })),
  fc
    .integer({ min: 0, max: 5 })
    .map((n): OrderEvent => ({ type: 'refund-retried', refundId: `refund:order:${n}` })),
  fc.integer({ min: 0, max: 5 }).map(refunded),
  fc
    .record({ n: fc.integer({ min: 0, max: 5 }), heldAs: fc.constantFrom(...refundHoldReasons) })
    .map(({ n, heldAs }): OrderEvent => {
      const refundId = `refund:order:${n}`
      return heldAs === 'refused'
        ? { type: 'refund-failed', refundId }
        : { type: 'refund-held', refundId, heldAs }
    }),
  fc.integer({ min: 0, max: 5 }).map((n): OrderEvent => {
    return {
      type: 'refund-credited',
      refundId: `refund:order:${n}`,
      txId: `credit-${n}`,
      contract: '0xrouter',
    }
  }),
  fc.string({ maxLength: 5 }).map((txId): OrderEvent => ({ type: 'payment-reported', txId })),
)
const anySteps = fc.array(fc.record({ event: anyEvent, waitMs: fc.constantFrom(0, 0, 0, 1000, 6000) }), {
  maxLength: 40,
})

const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n)

/** How an order begins: some have a payment that went back already, so that they are quoted again. */
const anyOpening = fc.constantFrom<OrderEvent[]>([], [seen('a', 3, { currency: 'usdc' }), confirmed('a')])

/** Applies any events and passes each step to a check. */
const everywhere = (
  check: (step: {
    before: OrderState
    after: OrderState
    event: OrderEvent
    effects: OrderEffect[]
    all: OrderEffect[]
  }) => void,
) =>
  fc.assert(
    fc.property(anyUnits, anyOpening, anySteps, (units, opening, steps) => {
      let nowMs = startMs
      let order = transition(
        newOrder('order', 'project', terms(units)),
        { type: 'quoted', terms: terms(units) },
        nowMs,
      ).order
      const all: OrderEffect[] = []
      for (const { event, waitMs } of [...opening.map((event) => ({ event, waitMs: 0 })), ...steps]) {
        nowMs += waitMs
        const before = order
        const next = transition(order, event, nowMs)
        order = next.order
        all.push(...next.effects)
        check({ before, after: order, event, effects: next.effects, all })
      }
    }),
    { numRuns: 1500 },
  )

describe('any sequence of events', () => {
  test('behavior: every confirmed base unit is delivered, pending, or being refunded', () => {
    everywhere(({ after }) => {
      const confirmedUnits = sum(
        after.payments.flatMap(({ use, units }) => (use === 'undecided' || use === 'part' ? [] : [units])),
      )
      const backUnits = sum(after.refunds.map(({ units }) => units))
      const isPaid = after.payments.some(({ use }) => use === 'accepted')
      const goods = after.lineItems.filter(
        ({ delivery, quote }) =>
          quote.status === 'valid' && (delivery.status === 'completed' || delivery.status === 'in-progress'),
      )
      const goodsUnits = isPaid ? sum(goods.map(({ quote }) => quote.charges?.totalUnits ?? '0')) : 0n
      expect(confirmedUnits).toBe(goodsUnits + backUnits)
    })
  })

  test('behavior: a part of the price waits only before the delivery, untouched, and is less than the price', () => {
    everywhere(({ after }) => {
      const parts = after.payments.filter(({ use }) => use === 'part')
      if (!parts.length) return
      expect(`${after.phase}, ${after.quote.status}`).toMatch(/^(payment, valid|quote, expired)$/)
      expect(sum(parts.map(({ units }) => units))).toBeLessThan(BigInt(after.quote.totalUnits ?? 0))
      expect(after.refunds.some(({ paymentId }) => parts.some(({ id }) => id === paymentId))).toBe(false)
    })
  })

  test('behavior: no payment refunds more than it brought, and refunds go to the payer', () => {
    everywhere(({ after, effects }) => {
      for (const payment of after.payments) {
        const back = sum(
          after.refunds.flatMap(({ paymentId, units }) => (paymentId === payment.id ? [units] : [])),
        )
        expect(back <= BigInt(payment.units)).toBe(true)
      }
      for (const effect of effects) {
        if (effect.type === 'refund') expect(after.payments.map(({ id }) => id)).toContain(effect.payment.id)
      }
      expect(after.refunds.every(({ paymentId }) => after.payments.some(({ id }) => id === paymentId))).toBe(
        true,
      )
      expect(new Set(after.refunds.map(({ id }) => id)).size).toBe(after.refunds.length)
    })
  })

  test('behavior: a delivery starts once, after a full and confirmed payment, and never restarts', () => {
    everywhere(({ before, after, event, effects, all }) => {
      if (before.phase === 'delivery') expect(['delivery', 'completed']).toContain(after.phase)
      const isUndone =
        event.type === 'item-undone' && before.lineItems[event.lineItemIndex]?.delivery.isSettling
      if (before.phase === 'completed' && !isUndone) expect(after.phase).toBe('completed')
      if (after.isSwept) expect(after.lineItems.some(({ delivery }) => delivery.isSettling)).toBe(false)
      const deliveries = all.flatMap((effect) => (effect.type === 'deliver' ? [effect.lineItemIndex] : []))
      expect(new Set(deliveries).size).toBe(deliveries.length)
      expect(all.filter(({ type }) => type === 'sweep').length).toBeLessThanOrEqual(1)
      if (effects.some(({ type }) => type === 'deliver')) {
        const paid = after.payments.filter(({ use }) => use === 'accepted')
        expect(event.type).toBe('payment-confirmed')
        const total = BigInt(after.quote.totalUnits ?? -1)
        expect(sum(paid.map(({ units }) => units)) >= total).toBe(true)
        // A payment that is enough is accepted alone.
        if (paid.some(({ units }) => BigInt(units) >= total)) expect(paid).toHaveLength(1)
        expect(paid.every(({ minedAtMs }) => minedAtMs <= (after.quote.expiresAtMs ?? 0))).toBe(true)
      }
    })
  })

  test('behavior: completed means that each item is completed or failed', () => {
    everywhere(({ after }) => {
      const statuses = after.lineItems.map(({ delivery }) => delivery.status)
      const isDone = statuses.every((status) => status === 'completed' || status === 'failed')
      expect(after.phase === 'completed').toBe(isDone)
    })
  })

  test('behavior: while a payment may pay for the order, it takes no new price', () => {
    let requotes = 0
    everywhere(({ before, after, event }) => {
      if (event.type !== 'quoted') return
      if (before.payments.some(({ use }) => use !== 'returned')) expect(after).toBe(before)
      else if (before.payments.length && after !== before) requotes += 1
    })
    expect(requotes).toBeGreaterThan(100)
  })

  test('behavior: a payment that goes back never counts again, whatever the order is quoted at', () => {
    everywhere(({ before, after }) => {
      for (const { id, use } of before.payments) {
        if (use !== 'returned') continue
        expect(after.payments.find((paid) => paid.id === id)?.use).toBe('returned')
        const [was, is] = [before, after].map(({ refunds }) => refunds.filter((one) => one.paymentId === id))
        expect(is?.map(({ units }) => units)).toEqual(was?.map(({ units }) => units))
      }
    })
  })

  test('behavior: every state is a valid order of the interface', () => {
    everywhere(({ after }) => {
      const view = viewOrder(after, startMs, 'buyer')
      expect(z.parse(Order, JSON.parse(JSON.stringify(view)))).toEqual(view)
      expect(phases).toContain(view.phase)
      expect(
        (view.phase === 'payment') === (after.quote.status === 'valid' && after.phase === 'payment'),
      ).toBe(true)
    })
  })
})
