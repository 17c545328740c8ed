import { describe, expect, test } from 'vitest'
import { hintedForMs } from '../../../src/engine/order/applyQuote.js'
import { listProceeds, sweepAttempt } from '../../../src/engine/order/applySweep.js'
import type { OrderEffect, OrderEvent } from '../../../src/engine/order/event.js'
import { newOrder } from '../../../src/engine/order/newOrder.js'
import type { FundsCheck, LineItemState, OrderState, QuotedTerms } from '../../../src/engine/order/order.js'
import { orderEvents } from '../../../src/engine/order/orderEvents.js'
import { transition } from '../../../src/engine/order/transition.js'

const startMs = 1_000_000
const expiresAtMs = startMs + 600_000
const chain = 'base-sepolia'

/** Items at 5 and 7 base units. The second one earns for a payee. */
const createTerms = (change: Partial<LineItemState> = {}): QuotedTerms => {
  const lineItems = [5, 7].map((unit): LineItemState => {
    const units = `${unit}`
    const charges = { unitUnits: units, salesTaxUnits: '0', shippingUnits: '0', totalUnits: units }
    return {
      collectionId: 'tea',
      chain,
      quantity: 1,
      callData: {},
      metadata: { name: 'Tea', description: '', imageUrl: '' },
      quote: { status: 'valid', charges, ...(unit === 7 && { payee: '0xada' }) },
      delivery: { status: 'awaiting-payment', walletAddress: '0xbb' },
      ...change,
    }
  })
  return {
    locale: 'en-US',
    recipient: { walletAddress: '0xbb' },
    lineItems,
    quote: { status: 'valid', quotedAtMs: startMs, expiresAtMs, totalUnits: '12' },
    payment: { chain, currency: 'eth', decimals: 18, payerAddress: '0xaa' },
    funds: { status: 'ready', serializedTransaction: '0x02' },
  }
}

const play = (order: OrderState, events: readonly OrderEvent[], nowMs = startMs) => {
  const effects: OrderEffect[] = []
  for (const event of events) {
    const next = transition(order, event, nowMs)
    order = next.order
    effects.push(...next.effects)
  }
  return { order, effects }
}

const open = (terms = createTerms()): OrderState =>
  play(newOrder('order', 'project', terms), [{ type: 'quoted', terms }]).order

const seen = (units: number, id = 'p'): OrderEvent => {
  const amount = { chain, currency: 'eth', decimals: 18, units: `${units}` }
  return {
    type: 'payment-seen',
    payment: { id, ...amount, payer: '0xaa', txId: `tx-${id}`, minedAtMs: startMs },
  }
}
const confirmed = (paymentId = 'p'): OrderEvent => ({ type: 'payment-confirmed', paymentId })
const lost = (sentItems: number[] = [], paymentId = 'p'): OrderEvent => ({
  type: 'payment-lost',
  paymentId,
  sentItems,
})
const delivered = (lineItemIndex: number): OrderEvent => {
  return { type: 'item-delivered', lineItemIndex, txId: 'mint', walletAddress: '0xbb', tokens: [] }
}
const pay = (units = 12): OrderState => play(open(), [seen(units), confirmed()]).order
const statuses = ({ lineItems }: OrderState) => lineItems.map(({ delivery }) => delivery.status)

describe('a reported transaction', () => {
  const reported: OrderEvent = { type: 'payment-reported', txId: 'tx-1' }
  const fail = (code: 'insufficient-funds' | 'tx-id-not-found', txId = 'tx-1'): OrderEvent => {
    return { type: 'payment-failed', txId, code }
  }

  test.each(['insufficient-funds', 'tx-id-not-found'] as const)(
    'default: %s is said of the order, which can still be paid',
    (code) => {
      const before = play(open(), [reported]).order
      const { order, effects } = play(before, [fail(code)])
      expect(order).toMatchObject({
        phase: 'payment',
        payment: { status: 'awaiting-payment', failureReason: { code } },
      })
      expect(order.payment.failureReason?.message).toMatch(/reported transaction/)
      expect(effects).toEqual([])
      expect(orderEvents(before, order)).toEqual(['orders.payment.failed'])
      expect(transition(order, fail(code), startMs).order).toBe(order)
      expect(
        orderEvents(
          order,
          play(order, [{ type: 'funds-checked', funds: { status: 'insufficient-funds' } }]).order,
        ),
      ).toEqual([])
      expect(play(order, [seen(12), confirmed()]).order.payment.failureReason).toBeUndefined()
    },
  )

  test('behavior: another report, or a payment, takes the failure back; another failure is kept', () => {
    const { order } = play(open(), [reported, fail('tx-id-not-found')])
    expect(
      play(order, [{ type: 'payment-reported', txId: 'tx-2' }]).order.payment.failureReason,
    ).toBeUndefined()
    expect(play(order, [seen(12)]).order.payment.failureReason).toBeUndefined()
    const { order: poor } = play(open(), [reported, fail('insufficient-funds')])
    expect(play(poor, [reported]).order.payment.failureReason).toBeUndefined()
    const { order: underpaid } = play(open(), [seen(11), confirmed(), reported])
    expect(underpaid.payment.failureReason?.code).toBe('underpaid')
  })

  test('behavior: nothing is said of a transaction that the buyer did not report, or of an order that is being paid', () => {
    const order = open()
    expect(transition(order, fail('insufficient-funds'), startMs).order).toBe(order)
    for (const events of [
      [reported, seen(12)],
      [reported, seen(12), confirmed()],
    ]) {
      const paid = play(order, events).order
      expect(transition(paid, fail('insufficient-funds'), startMs).order).toBe(paid)
    }
  })

  test('behavior: a report explains an empty wallet for a while, unless the transaction failed for lack of funds', () => {
    const empty: OrderEvent = { type: 'funds-checked', funds: { status: 'insufficient-funds' } }
    const { order } = play(open(), [reported])
    const later = startMs + hintedForMs
    expect(transition(order, empty, later - 1).order).toBe(order)
    expect(transition(order, empty, later).order.payment.status).toBe('crypto-payer-insufficient-funds')
    const unknown = play(order, [fail('tx-id-not-found')]).order
    expect(transition(unknown, empty, later - 1).order).toBe(unknown)
    const failed = play(order, [fail('insufficient-funds')]).order
    expect(failed).not.toHaveProperty('hintedAtMs')
    expect(transition(failed, empty, startMs).order.payment.status).toBe('crypto-payer-insufficient-funds')
  })

  test('behavior: the last ten are remembered, each once', () => {
    const reports = Array.from(
      { length: 12 },
      (_, at): OrderEvent => ({ type: 'payment-reported', txId: `tx-${at}` }),
    )
    const { order, effects } = play(open(), [...reports, { type: 'payment-reported', txId: 'tx-5' }])
    expect(order.hints).toEqual([2, 3, 4, 6, 7, 8, 9, 10, 11, 5].map((at) => `tx-${at}`))
    expect(effects).toEqual(Array.from({ length: 13 }, () => ({ type: 'look-for-payments' })))
  })
})

describe("the payer's funds", () => {
  const check = (funds: FundsCheck): OrderEvent => ({ type: 'funds-checked', funds })
  const ready = check({ status: 'ready', serializedTransaction: '0x03' })
  const poor = check({ status: 'insufficient-funds' })

  test('behavior: they are not looked at without a payer, while a payment is on its way, or once it is paid', () => {
    const { payerAddress: _none, ...payment } = createTerms().payment
    for (const order of [
      open({ ...createTerms(), payment }),
      play(open(), [seen(12)]).order,
      pay(),
      play(open(), [{ type: 'time-passed' }], expiresAtMs).order,
    ]) {
      for (const event of [ready, poor]) expect(transition(order, event, startMs).order).toBe(order)
    }
  })

  test('behavior: an order without money for it has no transaction to sign, and asks once', () => {
    const { order } = play(open(), [poor])
    expect(order.payment).not.toHaveProperty('serializedTransaction')
    expect(transition(order, poor, startMs).order).toBe(order)
    expect(play(order, [ready]).order.payment).toMatchObject({
      status: 'awaiting-payment',
      serializedTransaction: '0x03',
    })
  })

  test('behavior: a transaction that is missing is put in its place', () => {
    const { funds: _unchecked, ...terms } = createTerms()
    const order = open(terms)
    expect(order.payment).toMatchObject({ status: 'awaiting-payment' })
    expect(order.payment).not.toHaveProperty('serializedTransaction')
    expect(play(order, [ready]).order.payment.serializedTransaction).toBe('0x03')
  })

  test.each(['insufficient-funds', 'insufficient-funds-for-gas'] as const)(
    'behavior: an order that is created with %s says so',
    (status) => {
      const order = open({ ...createTerms(), funds: { status } })
      expect(order.payment.status).toBe(`crypto-payer-${status}`)
      expect(order.payment).not.toHaveProperty('serializedTransaction')
    },
  )

  test('behavior: an item that requires an e-mail address comes first, unless it cannot be bought', () => {
    const requires = ['receipt-email' as const]
    const terms = createTerms({ requires })
    expect(open(terms).payment.status).toBe('requires-email')
    expect(open(terms).payment).not.toHaveProperty('serializedTransaction')
    const answered = { ...terms, payment: { ...terms.payment, receiptEmail: 'ada@example.com' } }
    expect(open(answered).payment).toMatchObject({
      status: 'awaiting-payment',
      serializedTransaction: '0x02',
    })
    const [sold] = createTerms({ requires, quote: { status: 'item-unavailable' } }).lineItems
    const [open5] = createTerms().lineItems
    if (!sold || !open5) throw new Error('no items')
    expect(open({ ...createTerms(), lineItems: [sold, open5] }).payment.status).toBe('awaiting-payment')
    expect(open(createTerms({ requires: ['physical-address'] })).payment.status).toBe('awaiting-payment')
  })

  test('behavior: an order that is edited keeps no transaction of another price, and its quote ends when it says', () => {
    const { order, effects } = play(open(), [
      { type: 'quoted', terms: { ...createTerms(), funds: { status: 'insufficient-funds' } } },
    ])
    expect(order.payment).not.toHaveProperty('serializedTransaction')
    expect(effects).toEqual([{ type: 'schedule-expiry', atMs: expiresAtMs }])
    const { recipient: _nobody, ...rest } = createTerms()
    const open5 = play(order, [
      { type: 'quoted', terms: { ...rest, quote: { status: 'requires-recipient', quotedAtMs: startMs } } },
    ])
    expect(open5.order).toMatchObject({ phase: 'quote', payment: { status: 'requires-quote' } })
    expect(open5.order).not.toHaveProperty('recipient')
    expect(open5.effects).toEqual([])
  })
})

describe('a final payment that a reorganisation takes back', () => {
  test('behavior: an order that nothing was sent for is unpaid again, and can be paid again', () => {
    const before = pay()
    const { order, effects } = play(before, [lost()])
    expect(order).toMatchObject({
      phase: 'payment',
      payments: [],
      payment: { status: 'awaiting-payment', failureReason: { code: 'unknown' } },
    })
    expect(order.payment.failureReason?.message).toMatch(/taken this payment back/)
    expect(order.lineItems.map(({ delivery }) => delivery)).toEqual([
      { status: 'awaiting-payment', walletAddress: '0xbb' },
      { status: 'awaiting-payment', walletAddress: '0xbb' },
    ])
    expect(effects).toEqual([])
    expect(orderEvents(before, order)).toEqual(['orders.payment.failed'])
    expect(play(order, [seen(12, 'q'), confirmed('q')])).toMatchObject({
      order: { phase: 'delivery' },
      effects: [
        { type: 'deliver', lineItemIndex: 0 },
        { type: 'deliver', lineItemIndex: 1 },
      ],
    })
  })

  test('behavior: after the quote has ended, the order asks for a new one', () => {
    expect(play(pay(), [lost()], expiresAtMs).order).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
    })
  })

  test('behavior: what was sent goes on, what was not waits until the payment is back', () => {
    const { order, effects } = play(pay(), [lost([0])])
    expect(order.phase).toBe('delivery')
    expect(statuses(order)).toEqual(['in-progress', 'awaiting-payment'])
    expect(order.payments).toMatchObject([{ use: 'accepted', isLost: true }])
    expect(order.payment.failureReason?.code).toBe('unknown')
    expect(effects).toEqual([])
    expect(transition(order, lost([]), startMs).order).toBe(order)
    const back = play(order, [delivered(0), confirmed()])
    expect(statuses(back.order)).toEqual(['completed', 'in-progress'])
    expect(back.order.payments[0]).not.toHaveProperty('isLost')
    expect(back.order.payment).not.toHaveProperty('failureReason')
    expect(back.effects).toEqual([{ type: 'deliver', lineItemIndex: 1 }])
  })

  test('behavior: an item that fails meanwhile gives nothing back of a payment that is gone', () => {
    const { order, effects } = play(pay(), [lost([0, 1]), { type: 'item-failed', lineItemIndex: 1 }])
    expect(statuses(order)).toEqual(['in-progress', 'awaiting-payment'])
    expect(effects).toEqual([])
    expect(order.refunds).toEqual([])
  })

  test.each([
    ['on its way', pay()],
    ['delivered', play(pay(), [delivered(0), delivered(1)]).order],
  ])('behavior: the project hears when the payment of an order %s is lost and when it is back', (_, paid) => {
    const { order } = play(paid, [lost([0, 1])])
    expect(orderEvents(paid, order)).toEqual(['orders.payment.failed'])
    const { order: regained } = play(order, [confirmed()])
    expect(orderEvents(order, regained)).toEqual(['orders.payment.succeeded'])
    const twice = play(paid, [seen(12, 'q'), confirmed('q')]).order
    expect(orderEvents(twice, play(twice, [lost([0, 1], 'q')]).order)).toEqual([])
  })

  test('behavior: no proceeds move of a payment that is gone, and they move once it is back', () => {
    const { order, effects } = play(pay(), [lost([0, 1]), delivered(0), delivered(1)])
    expect(order.phase).toBe('completed')
    expect(effects).toEqual([])
    expect(play(order, [confirmed()]).effects).toEqual([
      { type: 'sweep' },
      { type: 'sweep', recipient: '0xada' },
    ])
  })

  test('behavior: an order with a refund is not undone', () => {
    const { order } = play(pay(15), [lost()])
    expect(order).toMatchObject({
      phase: 'delivery',
      payments: [{ isLost: true }],
      refunds: [{ units: '3' }],
    })
    expect(statuses(order)).toEqual(['awaiting-payment', 'awaiting-payment'])
  })

  test('behavior: the loss of a payment that went back, or of one that is not final, changes nothing else', () => {
    const twice = play(pay(), [seen(12, 'q'), confirmed('q'), lost([], 'q')])
    expect(twice.order).toMatchObject({
      phase: 'delivery',
      payments: [
        { id: 'p', use: 'accepted' },
        { id: 'q', use: 'returned', isLost: true },
      ],
    })
    expect(twice.order.payments[0]).not.toHaveProperty('isLost')
    expect(statuses(twice.order)).toEqual(['in-progress', 'in-progress'])
    const regained = play(twice.order, [confirmed('q')])
    expect(regained.order.payments[1]).toEqual({ ...twice.order.payments[1], isLost: undefined })
    expect(regained.effects).toEqual([])
    expect(play(open(), [seen(12), lost()]).order).toMatchObject({
      phase: 'payment',
      payments: [],
      payment: { status: 'awaiting-payment' },
    })
    const order = pay()
    expect(transition(order, lost([], 'unknown'), startMs).order).toBe(order)
  })
})

describe('a refund', () => {
  const refundId = 'refund:order:0'
  const credited: OrderEvent = { type: 'refund-credited', refundId, txId: 'credit', contract: '0xrouter' }
  const sent: OrderEvent = { type: 'refund-sent', refundId, txId: 'claim' }
  const held: OrderEvent = { type: 'refund-held', refundId, heldAs: 'cap' }
  const failed: OrderEvent = { type: 'refund-failed', refundId }
  const retried: OrderEvent = { type: 'refund-retried', refundId }
  const overpaid = (): OrderState => pay(15)

  test('behavior: one that the payer could not receive is a credit, until the payer claims it', () => {
    const { order } = play(overpaid(), [credited])
    expect(order.refunds).toMatchObject([{ status: 'credited', txId: 'credit', contract: '0xrouter' }])
    for (const event of [held, failed, retried, credited])
      expect(transition(order, event, startMs).order).toBe(order)
    const claimed = play(order, [sent]).order
    expect(claimed.refunds).toMatchObject([{ status: 'sent', txId: 'claim' }])
    expect(claimed.refunds[0]).not.toHaveProperty('contract')
    for (const event of [credited, held, failed, retried, sent]) {
      expect(transition(claimed, event, startMs).order).toBe(claimed)
    }
  })

  test.each([
    ['held', held],
    ['failed', failed],
  ])('behavior: one that is %s is sent only after it was asked for again', (status, event) => {
    const { order } = play(overpaid(), [event])
    expect(order.refunds).toMatchObject([{ status }])
    for (const other of [sent, credited, held, failed])
      expect(transition(order, other, startMs).order).toBe(order)
    expect(play(order, [retried, sent]).order.refunds).toMatchObject([{ status: 'sent' }])
  })

  test('behavior: only the refund that is meant changes', () => {
    const two = play(overpaid(), [{ type: 'item-failed', lineItemIndex: 0 }]).order
    expect(two.refunds).toMatchObject([{ units: '3' }, { units: '5' }])
    expect(play(two, [sent]).order.refunds).toMatchObject([{ status: 'sent' }, { status: 'pending' }])
    const { order } = play(two, [
      held,
      { type: 'refund-held', refundId: 'refund:order:1', heldAs: 'cap' },
      retried,
    ])
    expect(order.refunds).toMatchObject([{ status: 'pending' }, { status: 'held' }])
  })

  test.each([
    [100, 1, true],
    [101, 1, false],
    [100, 0, undefined],
  ])('behavior: of a price of %i, one of %i base units is urgent: %s', (price, units, isUrgent) => {
    const base = createTerms()
    const terms = { ...base, quote: { ...base.quote, totalUnits: `${price}` } }
    const { effects } = play(open(terms), [seen(price + units), confirmed()])
    const refund = effects.find(({ type }) => type === 'refund')
    expect(refund && 'isUrgent' in refund ? refund.isUrgent : undefined).toBe(isUrgent)
  })

  test('behavior: one in another currency than the price is not urgent', () => {
    const amount = { chain, currency: 'usdc', decimals: 6, units: '1000' }
    const payment = { id: 'p', ...amount, payer: '0xaa', txId: 'tx', minedAtMs: startMs }
    const { order, effects } = play(open(), [{ type: 'payment-seen', payment }, confirmed()])
    expect(effects).toMatchObject([{ type: 'refund', units: '1000', reason: 'unknown', isUrgent: false }])
    expect(order.payment.failureReason?.message).toBe('The payment does not match the quote.')
  })
})

describe('a price of another currency', () => {
  test('behavior: an order that changed its currency is not paid by as many base units of the earlier price', () => {
    const terms = createTerms()
    const edited = {
      ...terms,
      quote: { ...terms.quote, totalUnits: '1400' },
      payment: { ...terms.payment, currency: 'usdc', decimals: 6 },
    }
    const amount = { chain, currency: 'usdc', decimals: 6, units: '12' }
    const payment = { id: 'p', ...amount, payer: '0xaa', txId: 'tx', minedAtMs: startMs }
    const { order, effects } = play(open(), [
      { type: 'quoted', terms: edited },
      { type: 'payment-seen', payment },
      confirmed(),
    ])
    expect(order).toMatchObject({ phase: 'payment', payment: { failureReason: { code: 'underpaid' } } })
    expect(effects).not.toContainEqual(expect.objectContaining({ type: 'deliver' }))
    const endMs = order.quote.expiresAtMs ?? 0
    const ended = transition(order, { type: 'time-passed', searchedUntilMs: endMs + 1 }, endMs)
    expect(ended.effects).toMatchObject([{ type: 'refund', units: '12', reason: 'underpaid' }])
  })

  test('behavior: the funds of its payer are not looked at while a payment in another currency is undecided', () => {
    const amount = { chain, currency: 'usdc', decimals: 6, units: '12' }
    const payment = { id: 'p', ...amount, payer: '0xaa', txId: 'tx', minedAtMs: startMs }
    const { order } = play(open(), [{ type: 'payment-seen', payment }])
    const poor: OrderEvent = { type: 'funds-checked', funds: { status: 'insufficient-funds' } }
    expect(transition(order, poor, startMs).order).toBe(order)
    const returned = play(order, [confirmed()]).order
    expect(play(returned, [poor]).order.payment.status).toBe('crypto-payer-insufficient-funds')
  })
})

describe('proceeds', () => {
  test('behavior: they are those of the payment that was accepted, not of one that went back', () => {
    const { order } = play(open(), [
      seen(11),
      confirmed(),
      seen(12, 'q'),
      confirmed('q'),
      delivered(0),
      delivered(1),
    ])
    expect(listProceeds(order).map(({ units }) => units)).toEqual([5n, 7n])
  })

  const key = 'sweep:order:0xada'
  const refused = (attempt: number, of = key): OrderEvent => ({
    type: 'sweep-refused',
    key: of,
    attempt,
    reason: 'paused',
  })
  const completed = () => play(pay(), [delivered(0), delivered(1)]).order

  test('default: what the chain refuses to move is tried again, more and more seldom, and never given up', () => {
    const waits = [1, 2, 3, 4, 5]
    const { order, effects } = play(
      completed(),
      waits.map((attempt) => refused(attempt)),
    )
    const sixHours = 6 * 60 * 60_000
    expect(effects).toEqual(
      [15_000, 120_000, 900_000, sixHours, sixHours].map((ms) => {
        return { type: 'sweep-again', atMs: startMs + ms, recipient: '0xada' }
      }),
    )
    expect(order.sweepRefusals).toEqual({ [key]: { attempts: 5, reason: 'paused' } })
    expect(sweepAttempt(order, key)).toBe(6)
    expect(sweepAttempt(order, 'sweep:order')).toBe(1)
  })

  test('behavior: a refusal of another attempt, of a key that nothing moves under, or before the end, is none', () => {
    const order = completed()
    for (const event of [refused(2), refused(1, 'sweep:order:0xbob')]) {
      expect(transition(order, event, startMs).order).toBe(order)
    }
    const early = pay()
    expect(transition(early, refused(1, 'sweep:order'), startMs).order).toBe(early)
  })

  test('behavior: each part is tried on its own, and forgotten once it moved', () => {
    const own = 'sweep:order'
    const { order, effects } = play(completed(), [refused(1), refused(1, own)])
    expect(effects[1]).toEqual({ type: 'sweep-again', atMs: startMs + 15_000 })
    const one = play(order, [{ type: 'swept', key }])
    expect(one.order.sweepRefusals).toEqual({ [own]: { attempts: 1, reason: 'paused' } })
    expect(one.effects).toEqual([])
    expect(transition(one.order, { type: 'swept', key }, startMs).order).toBe(one.order)
    expect(play(one.order, [{ type: 'swept', key: own }]).order).not.toHaveProperty('sweepRefusals')
  })

  test('behavior: they do not move while a payment is undecided', () => {
    const { order, effects } = play(pay(), [seen(12, 'q'), delivered(0), delivered(1)])
    expect(order.phase).toBe('completed')
    expect(effects).toEqual([])
    expect(play(order, [{ type: 'payment-reorganised-away', paymentId: 'q' }]).effects).toHaveLength(2)
  })
})

describe('ids of tokens', () => {
  test('behavior: they are given out once, with the end of a subscription, while the item is on its way', () => {
    const allocated: OrderEvent = {
      type: 'tokens-allocated',
      lineItemIndex: 0,
      tokenIds: ['1'],
      expiresAtMs: 9,
    }
    const { order, effects } = play(pay(), [allocated])
    expect(order.lineItems[0]?.delivery).toMatchObject({ tokenIds: ['1'], expiresAtMs: 9 })
    expect(order.lineItems[1]?.delivery).not.toHaveProperty('tokenIds')
    expect(effects).toEqual([])
    expect(transition(order, { ...allocated, tokenIds: ['2'] }, startMs).order).toBe(order)
    const endless = play(pay(), [{ type: 'tokens-allocated', lineItemIndex: 1, tokenIds: ['3'] }]).order
    expect(endless.lineItems[1]?.delivery).not.toHaveProperty('expiresAtMs')
    for (const early of [open(), play(pay(), [delivered(0)]).order]) {
      expect(transition(early, allocated, startMs).order).toBe(early)
    }
  })
})
