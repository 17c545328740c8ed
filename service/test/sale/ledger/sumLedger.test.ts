import fc from 'fast-check'
import type { LineItemState, OrderEvent, QuotedTerms } from 'kassa/engine'
import {
  divideRefund,
  leftOf,
  listProceeds,
  newOrder,
  sumRefundable,
  sumUnits,
  transition,
} from 'kassa/engine'
import { describe, expect, test } from 'vitest'
import {
  type Books,
  listLines,
  listUnattributedFunds,
  type OrderLine,
  sumLines,
} from '#sale/ledger/sumLedger.js'

const chain = 'base-sepolia'
const expiresAtMs = 10_000
const currencies = [
  { currency: 'eth', decimals: 18 },
  { currency: 'usdc', decimals: 6, address: '0xusdc' },
]

/** Who earns the first line item, and the next ones. */
const payees = [undefined, '0xada', '0xbob', '0xada']

const terms = (prices: readonly number[]): QuotedTerms => ({
  locale: 'en-US',
  recipient: { walletAddress: '0xbb' },
  lineItems: prices.map((units, index): LineItemState => {
    const totalUnits = `${units}`
    const payee = payees[index]
    return {
      collectionId: 'tea',
      chain,
      quantity: 1,
      callData: {},
      metadata: { name: 'Tea', description: '', imageUrl: '' },
      quote: {
        status: 'valid',
        charges: { unitUnits: totalUnits, salesTaxUnits: '0', shippingUnits: '0', totalUnits },
        ...(payee && { payee }),
      },
      delivery: { status: 'awaiting-payment', walletAddress: '0xbb' },
    }
  }),
  quote: { status: 'valid', expiresAtMs, totalUnits: `${prices.reduce((sum, units) => sum + units, 0)}` },
  payment: { chain, currency: 'eth', decimals: 18 },
})

/** An order, what is written down beside it, and a chain that does what the order asks for. */
const createModel = (orderId: string, prices: readonly number[], windowMs?: number) => {
  const held = new Map<string, bigint>()
  const paidOut: Books['chains'][number]['statement']['paidOut'][number][] = []
  let credited: typeof paidOut = []
  let order = {
    ...newOrder(orderId, 'project', terms(prices)),
    ...(windowMs !== undefined && { capture: { windowMs } }),
  }
  let payments: { id: string; orderId: string; chain: string; currency: string; units: string }[] = []
  const refunds: Books['refunds'][number][] = []
  const toBeSwept: (string | undefined)[] = []
  /** What deep reorganisations have taken back. */
  const lost = new Map<string, { currency: string; units: number; minedAtMs: number }>()
  const seen = new Map<string, { currency: string; units: number; minedAtMs: number }>()
  /** What the treasury has put at the places of refunds. */
  const lent = new Map<string, { currency: string; units: bigint }>()
  const move = (currency: string, units: bigint) => held.set(currency, (held.get(currency) ?? 0n) + units)
  const apply = (event: OrderEvent, nowMs = 0) => {
    const next = transition(order, event, nowMs)
    order = next.order
    for (const effect of next.effects) {
      if (effect.type === 'sweep') toBeSwept.push(effect.recipient)
      if (effect.type !== 'refund') continue
      const { currency } = effect.payment
      const { refundId: id, units, source = 'order' } = effect
      refunds.push({ id, orderId, chain, currency, units, source })
    }
  }
  apply({ type: 'quoted', terms: terms(prices) })
  const pay = (id: string, currency: string, units: number, minedAtMs: number) => {
    if (payments.some((paid) => paid.id === id) || lost.has(id)) return
    seen.set(id, { currency, units, minedAtMs })
    payments.push({ id, orderId, chain, currency, units: `${units}` })
    move(currency, BigInt(units))
    const payment = {
      id,
      chain,
      currency,
      decimals: 18,
      units: `${units}`,
      payer: '0xaa',
      txId: id,
      minedAtMs,
    }
    apply({ type: 'payment-seen', payment })
  }
  const isPaidOut = (id: string) => paidOut.some(({ key }) => key === id)
  const isLostRefund = (id: string) => {
    const refund = order.refunds.find((each) => each.id === id)
    return order.payments.some((paid) => paid.id === refund?.paymentId && paid.isLost)
  }
  return {
    pay,
    reorganise: (id: string) => {
      const paid = payments.find((each) => each.id === id)
      if (!paid || order.payments.find((each) => each.id === id)?.use !== 'undecided') return
      payments = payments.filter((each) => each !== paid)
      move(paid.currency, -BigInt(paid.units))
      apply({ type: 'payment-reorganised-away', paymentId: id })
    },
    decide: (type: 'capture-requested' | 'void-requested' | 'time-passed', nowMs: number) =>
      apply(type === 'time-passed' ? { type, searchedUntilMs: nowMs + 1 } : { type }, nowMs),
    /**
     * A deep reorganisation removes a final payment of which nothing has left. What was minted is sent, and so is what
     * is on its way if that is said.
     */
    lose: (id: string, isSent = false, nowMs = 0) => {
      const paid = payments.find((each) => each.id === id)
      const known = order.payments.find((each) => each.id === id)
      const paidRefund = order.refunds.some((refund) => refund.paymentId === id && isPaidOut(refund.id))
      const isSwept = paidOut.some(({ key }) => key.startsWith('sweep'))
      const { currency, units, minedAtMs } = seen.get(id) ?? {}
      if (!paid || !known || known.use === 'undecided' || paidRefund || isSwept) return
      if (currency === undefined || units === undefined || minedAtMs === undefined) return
      payments = payments.filter((each) => each !== paid)
      lost.set(id, { currency, units, minedAtMs })
      move(paid.currency, -BigInt(paid.units))
      const sentItems = order.lineItems.flatMap(({ delivery: { status } }, index) =>
        status === 'completed' || (isSent && status === 'in-progress') ? [index] : [],
      )
      apply({ type: 'payment-lost', paymentId: id, sentItems }, nowMs)
    },
    /** The chain includes a lost payment again, and it is final. */
    regain: (id: string, nowMs: number) => {
      const { currency, units, minedAtMs } = lost.get(id) ?? {}
      if (currency === undefined || units === undefined || minedAtMs === undefined) return
      lost.delete(id)
      pay(id, currency, units, minedAtMs)
      apply({ type: 'payment-confirmed', paymentId: id }, nowMs)
    },
    confirm: (id: string, nowMs: number) => {
      if (!lost.has(id)) apply({ type: 'payment-confirmed', paymentId: id }, nowMs)
    },
    finish: (index: number, isDelivered: boolean) =>
      apply(
        isDelivered
          ? { type: 'item-delivered', lineItemIndex: index, txId: 'mint', walletAddress: '0xbb', tokens: [] }
          : { type: 'item-failed', lineItemIndex: index },
      ),
    /** A refund reaches the chain; whether the service hears of it is another matter. */
    refund: (at: number, isHeardOf: boolean) => {
      const refund = refunds[at]
      // The service does not sign the refund of a payment that is not on the chain.
      if (refund && isLostRefund(refund.id)) return
      if (refund && !paidOut.some(({ key }) => key === refund.id)) {
        const units = BigInt(refund.units)
        paidOut.push({ key: refund.id, currency: refund.currency, units })
        if (refund.source === 'treasury') lent.delete(refund.id)
        else move(refund.currency, -units)
      }
      if (refund && isHeardOf) apply({ type: 'refund-sent', refundId: refund.id, txId: 'back' })
    },
    /** The merchant refunds everything that is left, a line item, or an amount. */
    request: (kind: 'whole' | 'item' | 'amount', at: number) => {
      const units = (sumRefundable(order) * BigInt(at + 1)) / 4n
      const shares = divideRefund(order, {
        ...(kind === 'item' && { lineItemIndexes: [at] }),
        ...(kind === 'amount' && { units }),
      })
      apply({ type: 'refund-requested', request: { shares } })
    },
    /** The treasury puts the money of a refund at its place, before the contracts pay it out. */
    lend: (at: number) => {
      const refund = refunds[at]
      if (refund?.source !== 'treasury' || paidOut.some(({ key }) => key === refund.id)) return
      lent.set(refund.id, { currency: refund.currency, units: BigInt(refund.units) })
    },
    /** The payer cannot receive what was refunded last. */
    credit: () => {
      const last = paidOut.at(-1)
      const refund = refunds.find(({ id }) => id === last?.key)
      if (!last || !refund || order.refunds.some(({ id, status }) => id === refund.id && status === 'sent'))
        return
      credited = [...credited.filter(({ key }) => key !== last.key), last]
      apply({ type: 'refund-credited', refundId: refund.id, txId: 'back', contract: '0xrouter' })
    },
    claim: () => {
      const [first, ...rest] = credited
      credited = rest
      if (first) apply({ type: 'refund-sent', refundId: first.key, txId: 'claim' })
    },
    hold: (at: number) => {
      const refund = refunds[at]
      if (!refund || paidOut.some(({ key }) => key === refund.id)) return
      apply({ type: 'refund-held', refundId: refund.id, heldAs: 'cap' })
    },
    refuse: (at: number) => {
      const refund = refunds[at]
      if (!refund || paidOut.some(({ key }) => key === refund.id)) return
      apply({ type: 'refund-failed', refundId: refund.id })
    },
    sweep: () => {
      if (!toBeSwept.length) return
      const recipient = toBeSwept.shift()
      const taking = listProceeds(order).find((one) => one.recipient === recipient)
      const isLacking = order.payments.some(({ use, isLost }) => use === 'accepted' && isLost)
      // It is requested again once every payment is back, and moves once.
      if ((!taking && isLacking) || (taking && isPaidOut(taking.key))) return
      if (!taking) throw new Error(`there is nothing for ${recipient}`)
      const { key, currency, units } = taking
      paidOut.push({ key, currency, units })
      move(currency, -units)
    },
    books: (): Books => ({
      orders: [order],
      payments,
      refunds,
      chains: [
        {
          chain,
          currencies,
          statement: {
            held: [
              ...[...held].map(([currency, units]) => ({ orderId, currency, units })),
              ...[...lent].map(([place, loan]) => ({ orderId: place, ...loan })),
            ],
            unattributedFunds: [],
            paidOut,
            credited,
          },
        },
      ],
    }),
  }
}

type Model = ReturnType<typeof createModel>
const join = (all: readonly Books[]): Books => ({
  orders: all.flatMap(({ orders }) => orders),
  payments: all.flatMap(({ payments }) => payments),
  refunds: all.flatMap(({ refunds }) => refunds),
  chains: [
    {
      chain,
      currencies,
      statement: {
        held: all.flatMap(({ chains }) => chains.flatMap(({ statement }) => statement.held)),
        unattributedFunds: [],
        paidOut: all.flatMap(({ chains }) => chains.flatMap(({ statement }) => statement.paidOut)),
        credited: all.flatMap(({ chains }) => chains.flatMap(({ statement }) => statement.credited)),
      },
    },
  ],
})

const ids = fc.constantFrom('a', 'b', 'c', 'd')
const small = fc.integer({ min: 0, max: 3 })
const times = fc.constantFrom(0, 0, 0, expiresAtMs + 1)
const anyRequest: fc.Arbitrary<(model: Model) => void> = fc.oneof(
  fc.tuple(fc.constantFrom('whole' as const, 'item' as const, 'amount' as const), small).map(
    ([kind, at]) =>
      (model: Model) =>
        model.request(kind, at),
  ),
  small.map((at) => (model: Model) => model.lend(at)),
)
const anyStep: fc.Arbitrary<(model: Model) => void> = fc.oneof(
  fc.tuple(ids, fc.constantFrom('eth', 'eth', 'eth', 'usdc'), fc.integer({ min: 1, max: 30 }), times).map(
    ([id, currency, units, at]) =>
      (model: Model) =>
        model.pay(id, currency, units, at),
  ),
  ids.map((id) => (model: Model) => model.reorganise(id)),
  fc.tuple(ids, times).map(
    ([id, at]) =>
      (model: Model) =>
        model.confirm(id, at),
  ),
  fc.tuple(small, fc.boolean()).map(
    ([at, isDelivered]) =>
      (model: Model) =>
        model.finish(at, isDelivered),
  ),
  fc.tuple(small, fc.boolean()).map(
    ([at, isHeardOf]) =>
      (model: Model) =>
        model.refund(at, isHeardOf),
  ),
  small.map((at) => (model: Model) => model.refuse(at)),
  small.map((at) => (model: Model) => model.hold(at)),
  fc.constant((model: Model) => model.credit()),
  fc.constant((model: Model) => model.claim()),
  fc.constant((model: Model) => model.sweep()),
)
const prices = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: payees.length })
const anySteps = fc.array(fc.tuple(fc.boolean(), anyStep), { maxLength: 40 })

const differenceOf = (lines: readonly OrderLine[]): bigint =>
  lines.reduce((sum, { difference }) => sum + difference, 0n)

/** Two orders to which anything happens in any order. */
const play = (
  [first, second]: readonly [number[], number[]],
  steps: readonly (readonly [boolean, (model: Model) => void])[],
  afterStep = (_books: Books) => {},
): Books => {
  const models = [createModel('one', first), createModel('two', second)] as const
  const books = () => join(models.map((model) => model.books()))
  for (const [isFirst, step] of steps) {
    step(models[isFirst ? 0 : 1])
    afterStep(books())
  }
  return books()
}

describe('listLines', () => {
  test('default: paid too much, delivered in part, refunded, swept', () => {
    const model = createModel('one', [5, 7])
    model.pay('a', 'eth', 15, 0)
    model.pay('b', 'usdc', 4, 0)
    const none = { delivered: 0n, refunded: 0n, claimable: 0n, owed: 0n, swept: 0n, difference: 0n }
    const line = { orderId: 'one', chain, ...none }
    expect(listLines(model.books())).toEqual([
      { ...line, currency: 'eth', decimals: 18, received: 15n, open: 15n, held: 15n },
      { ...line, currency: 'usdc', decimals: 6, received: 4n, open: 4n, held: 4n },
    ])
    model.confirm('a', 0)
    model.confirm('b', 0)
    model.finish(0, true)
    model.finish(1, false)
    for (const at of [0, 2]) model.refund(at, true)
    expect(listLines(model.books())).toMatchObject([
      {
        received: 15n,
        delivered: 5n,
        open: 0n,
        refunded: 10n,
        owed: 0n,
        swept: 0n,
        held: 5n,
        difference: 0n,
      },
      { received: 4n, delivered: 0n, refunded: 0n, owed: 4n, held: 4n, difference: 0n },
    ])
    model.refund(1, true)
    model.sweep()
    expect(listLines(model.books())).toMatchObject([
      { received: 15n, delivered: 5n, refunded: 10n, swept: 5n, held: 0n, difference: 0n },
      { received: 4n, refunded: 4n, owed: 0n, held: 0n, difference: 0n },
    ])
  })

  test('behavior: what is paid for and on its way is open, and what was not priced is nothing', () => {
    const model = createModel('one', [5, 7])
    model.pay('a', 'eth', 12, 0)
    model.confirm('a', 0)
    model.finish(0, true)
    expect(listLines(model.books())).toMatchObject([{ delivered: 5n, open: 7n, difference: 0n }])
    const [order] = model.books().orders
    if (!order) throw new Error('no order')
    const lineItems = order.lineItems.map(({ quote: { charges: _, ...quote }, ...item }) => ({
      ...item,
      quote,
    }))
    const [line] = listLines({ ...model.books(), orders: [{ ...order, lineItems }] })
    expect(line).toMatchObject({ received: 12n, delivered: 0n, open: 0n, difference: 12n })
  })

  test('behavior: an amount has the decimals of its currency on its chain', () => {
    const payments = [
      { id: 'a', orderId: 'one', chain, currency: 'usdc', units: '1' },
      { id: 'b', orderId: 'one', chain: 'other', currency: 'usdc', units: '1' },
      { id: 'c', orderId: 'one', chain, currency: 'unknown', units: '1' },
      { id: 'd', orderId: 'one', chain: 'left', currency: 'usdc', units: '1' },
    ]
    const statement = { held: [], unattributedFunds: [], paidOut: [], credited: [] }
    const chains = [
      { chain, currencies, statement },
      { chain: 'other', currencies: [{ currency: 'usdc', decimals: 18 }], statement },
    ]
    const lines = listLines({ orders: [], payments, refunds: [], chains })
    expect(lines.map(({ decimals }) => decimals)).toEqual([6, 18, 0, 0])
  })

  const expectAccounted = (books: Books): void => {
    for (const line of listLines(books)) {
      expect(line.difference).toBe(0n)
      const { received, delivered, open, refunded, claimable, owed, swept, held } = line
      expect(received).toBe(delivered + open + refunded + claimable + owed)
      expect(received).toBe(refunded + claimable + swept + held)
    }
  }

  test('behavior: whatever happens to orders, every base unit is accounted for', () => {
    fc.assert(
      fc.property(prices, prices, anySteps, (first, second, steps) => {
        play([first, second], steps, expectAccounted)
      }),
      { numRuns: 300 },
    )
  })

  test('behavior: whatever a merchant refunds, no payment is refunded beyond its amount', () => {
    const outcome = fc.constantFrom('delivered', 'delivered', 'failed', 'on its way')
    const outcomes = fc.array(outcome, { minLength: 4, maxLength: 4 })
    const steps = fc.array(fc.oneof(anyRequest, anyStep), { maxLength: 30 })
    const counts = { order: 0, treasury: 0 }
    fc.assert(
      fc.property(prices, fc.nat({ max: 3 }), outcomes, steps, (goods, excess, delivered, all) => {
        const model = createModel('one', goods)
        model.pay(
          'z',
          'eth',
          goods.reduce((sum, units) => sum + units, excess),
          0,
        )
        model.confirm('z', 0)
        for (const index of goods.keys())
          if (delivered[index] !== 'on its way') model.finish(index, delivered[index] === 'delivered')
        for (const step of all) {
          step(model)
          const books = model.books()
          expectAccounted(books)
          const [order] = books.orders
          for (const { id, units } of order?.payments ?? []) {
            const own = order?.refunds.filter(({ paymentId }) => paymentId === id) ?? []
            expect(own.reduce((sum, refund) => sum + BigInt(refund.units), 0n)).toBeLessThanOrEqual(
              BigInt(units),
            )
          }
        }
        for (const { request, source = 'order' } of model.books().orders[0]?.refunds ?? []) {
          if (request) counts[source]++
        }
      }),
      { numRuns: 700 },
    )
    expect(Math.min(counts.order, counts.treasury)).toBeGreaterThan(0)
  })

  test('behavior: one base unit more or less, anywhere, is a difference', () => {
    const tampered = fc.constantFrom('payments', 'refunds', 'held', 'paidOut')
    let count = 0
    fc.assert(
      fc.property(prices, prices, anySteps, tampered, fc.nat(), fc.boolean(), (...input) => {
        const [first, second, steps, where, pick, isMore] = input
        const books = play([first, second], steps)
        const by = isMore ? 1n : -1n
        const statement = books.chains[0]?.statement
        const rows = { payments: books.payments, refunds: books.refunds, ...statement }[where] ?? []
        const at = pick % Math.max(rows.length, 1)
        const change = <Row extends { units: string | bigint }>(all: readonly Row[]): Row[] =>
          all.map((row, index) => (index === at ? { ...row, units: BigInt(row.units) + by } : row))
        const text = <Row extends { units: string }>(all: readonly Row[]): Row[] =>
          change(all).map((row) => ({ ...row, units: `${row.units}` }))
        // What the chain has paid out is what it says, whatever the refund was to be.
        const isPaid =
          where === 'refunds' && statement?.paidOut.some(({ key }) => key === books.refunds[at]?.id)
        if (!rows.length || isPaid || !statement) return
        count++
        const wrong: Books = {
          ...books,
          ...(where === 'payments' && { payments: text(books.payments) }),
          ...(where === 'refunds' && { refunds: text(books.refunds) }),
          chains: [
            {
              chain,
              currencies,
              statement: {
                held: where === 'held' ? change(statement.held) : statement.held,
                unattributedFunds: [],
                paidOut: where === 'paidOut' ? change(statement.paidOut) : statement.paidOut,
                credited: statement.credited,
              },
            },
          ],
        }
        expect(differenceOf(listLines(wrong))).toBeGreaterThan(0n)
      }),
      { numRuns: 700 },
    )
    expect(count).toBeGreaterThan(0)
  })

  test('behavior: whatever is captured, voided or late, a payment is captured or goes back, never both', () => {
    const deadlineMs = 1_000
    const anyTime = fc.constantFrom(0, deadlineMs - 1, deadlineMs, 2 * deadlineMs)
    const anyDecision = fc
      .tuple(fc.constantFrom('capture-requested', 'void-requested', 'time-passed'), anyTime)
      .map(
        ([type, at]) =>
          (model: Model) =>
            model.decide(type as 'time-passed', at),
      )
    const anyLoss = ids.map((id) => (model: Model) => model.lose(id))
    const steps = fc.array(fc.oneof(anyDecision, anyLoss, anyRequest, anyStep), { maxLength: 40 })
    const counts = { captured: 0, voided: 0, expired: 0 }
    fc.assert(
      fc.property(prices, fc.nat({ max: 3 }), steps, (goods, excess, all) => {
        const model = createModel('one', goods, deadlineMs)
        const total = goods.reduce((sum, units) => sum + units, 0)
        model.pay('z', 'eth', total + excess, 0)
        model.confirm('z', 0)
        const seen = new Set<string>()
        for (const step of all) {
          step(model)
          const books = model.books()
          expectAccounted(books)
          const [order] = books.orders
          if (!order) throw new Error('no order')
          const { status } = order.capture ?? {}
          if (status && status !== 'requires-capture') seen.add(status)
          expect(seen.size).toBeLessThanOrEqual(1)
          const isCaptured = status === 'captured'
          if (order.lineItems.some(({ delivery }) => delivery.status === 'completed')) {
            expect(isCaptured).toBe(true)
          }
          const paid = order.payments.filter(({ use }) => use === 'accepted')
          const received = sumUnits(paid)
          const refunded = paid.reduce((sum, each) => sum + BigInt(each.units) - leftOf(order, each), 0n)
          expect(refunded).toBeLessThanOrEqual(received)
          if (status === 'voided' || status === 'expired') expect(refunded).toBe(received)
          if (status === 'requires-capture') expect(refunded).toBe(received - BigInt(total))
        }
        for (const status of seen) counts[status as 'voided'] += 1
      }),
      { numRuns: 500 },
    )
    const { captured, voided, expired } = counts
    expect(Math.min(captured, voided, expired)).toBeGreaterThan(0)
  })

  test('behavior: whatever payments add up to, each is used or goes back, never both and never neither', () => {
    const deadlineMs = 2 * expiresAtMs
    const anyTime = fc.constantFrom(0, 0, 0, expiresAtMs, deadlineMs)
    const anyId = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const steps = fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.tuple(anyId, fc.integer({ min: 1, max: 9 })).map(
            ([id, units]) =>
              (model: Model) =>
                model.pay(id, 'eth', units, 0),
          ),
        },
        {
          weight: 5,
          arbitrary: fc.tuple(anyId, anyTime).map(
            ([id, at]) =>
              (model: Model) =>
                model.confirm(id, at),
          ),
        },
        fc.tuple(anyId, fc.boolean(), anyTime).map(
          ([id, isSent, at]) =>
            (model: Model) =>
              model.lose(id, isSent, at),
        ),
        fc.tuple(anyId, anyTime).map(
          ([id, at]) =>
            (model: Model) =>
              model.regain(id, at),
        ),
        fc
          .tuple(
            fc.constantFrom('capture-requested' as const, 'void-requested' as const, 'time-passed' as const),
            anyTime,
          )
          .map(
            ([type, at]) =>
              (model: Model) =>
                model.decide(type, at),
          ),
        {
          weight: 4,
          arbitrary: fc.tuple(small, fc.constantFrom(true, true, false)).map(
            ([at, isDelivered]) =>
              (model: Model) =>
                model.finish(at, isDelivered),
          ),
        },
        { weight: 2, arbitrary: anyRequest },
        { weight: 2, arbitrary: anyStep },
      ),
      { minLength: 10, maxLength: 60 },
    )
    const counts = { together: 0, expired: 0, covered: 0, undone: 0, split: 0, waiting: 0 }
    const check = (model: Model, before: Books) => {
      const books = model.books()
      expectAccounted(books)
      const [order] = books.orders
      const [earlier] = before.orders
      if (!order || !earlier) throw new Error('no order')
      for (const paid of order.payments) {
        const left = leftOf(order, paid)
        expect(left).toBeGreaterThanOrEqual(0n)
        if (paid.use === 'undecided' || paid.use === 'part') expect(left).toBe(BigInt(paid.units))
        if (paid.use === 'part') expect(order.phase).not.toBe('delivery')
        if (paid.use === 'returned' && !paid.isLost) expect(left).toBe(0n)
        const { use } = earlier.payments.find(({ id }) => id === paid.id) ?? {}
        if (use === 'returned') expect(paid.use).toBe('returned')
        if (use === 'part' && paid.use === 'returned')
          counts[order.phase === 'quote' ? 'expired' : 'covered']++
        if (use === 'accepted' && paid.use === 'part') counts.undone++
      }
      const accepted = order.payments.filter(({ use }) => use === 'accepted')
      if (accepted.length > 1) counts[accepted.some(({ isLost }) => isLost) ? 'waiting' : 'together']++
      if (
        order.refunds.filter(({ request }) => request).length >
        1 + earlier.refunds.filter(({ request }) => request).length
      )
        counts.split++
    }
    fc.assert(
      fc.property(prices, fc.boolean(), steps, fc.nat({ max: 3 }), (goods, isHeld, all, begun) => {
        const model = createModel('one', goods, isHeld ? deadlineMs : undefined)
        const total = goods.reduce((sum, units) => sum + units, 0)
        // Some orders are half paid before anything else happens, some paid with two payments, and some delivered.
        if (begun && total > 1) {
          const first = Math.ceil(total / 2)
          model.pay('a', 'eth', first, 0)
          if (begun > 1) model.pay('b', 'eth', total - first + (total % 2), 0)
          for (const id of ['a', 'b']) model.confirm(id, 0)
          if (begun > 2) model.decide('capture-requested', 0)
          if (begun > 2) for (const index of goods.keys()) model.finish(index, true)
        }
        for (const step of all) {
          const before = model.books()
          step(model)
          check(model, before)
        }
        // In the end, everything is final and every time is over.
        for (const id of ['a', 'b', 'c', 'd', 'e']) model.regain(id, deadlineMs)
        for (const id of ['a', 'b', 'c', 'd', 'e']) model.confirm(id, deadlineMs)
        model.decide('time-passed', 3 * deadlineMs)
        expectAccounted(model.books())
        const [order] = model.books().orders
        for (const paid of order?.payments ?? []) {
          expect(paid.isLost).toBeUndefined()
          expect(['accepted', 'returned']).toContain(paid.use)
        }
      }),
      { numRuns: 800 },
    )
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
  })

  test('behavior: what a payer could not receive is claimable, and refunded once it is claimed', () => {
    const model = createModel('one', [5])
    model.pay('a', 'eth', 3, 0)
    model.confirm('a', 0)
    model.decide('time-passed', expiresAtMs)
    model.refund(0, false)
    model.credit()
    const line = { received: 3n, owed: 0n, held: 0n, difference: 0n }
    expect(listLines(model.books())).toMatchObject([{ ...line, claimable: 3n, refunded: 0n }])
    model.claim()
    expect(listLines(model.books())).toMatchObject([{ ...line, claimable: 0n, refunded: 3n }])
  })

  test('behavior: what a contract lacks, or was paid out unasked, is a difference', () => {
    const lines = (statement: Books['chains'][number]['statement']) =>
      listLines({ orders: [], payments: [], refunds: [], chains: [{ chain, currencies, statement }] })
    expect(
      lines({ held: [{ currency: 'eth', units: -3n }], unattributedFunds: [], paidOut: [], credited: [] }),
    ).toMatchObject([{ currency: 'eth', held: -3n, difference: 3n }])
    expect(
      lines({
        held: [],
        unattributedFunds: [],
        credited: [],
        paidOut: [{ key: 'x', currency: 'eth', units: 3n }],
      }),
    ).toMatchObject([{ swept: 3n, difference: 3n }])
  })

  test('behavior: what came past every way of paying is no difference, and listed apart', () => {
    const unattributedFunds = [
      { orderId: 'one', currency: 'eth', units: 3n },
      { currency: 'eth', units: 4n },
      { orderId: 'one', currency: '0xforeign', units: 5n },
    ]
    const chains = [
      { chain, currencies, statement: { held: [], unattributedFunds, paidOut: [], credited: [] } },
    ]
    expect(listLines({ orders: [], payments: [], refunds: [], chains })).toEqual([])
    expect(listUnattributedFunds(chains)).toEqual([
      { orderId: 'one', chain, currency: 'eth', decimals: 18, units: 3n },
      { chain, currency: 'eth', decimals: 18, units: 4n },
      { orderId: 'one', chain, currency: '0xforeign', decimals: 0, units: 5n },
    ])
  })
})

describe('sumLines', () => {
  const lineOf = (orderId: string, currency: string, received: bigint, difference: bigint): OrderLine => ({
    orderId,
    chain,
    currency,
    decimals: 6,
    received,
    difference,
    delivered: 0n,
    open: received,
    refunded: 0n,
    claimable: 0n,
    owed: 0n,
    swept: 0n,
    held: received,
  })

  test('default: by chain and currency, in order', () => {
    const sums = sumLines([
      lineOf('one', 'usdc', 5n, 0n),
      lineOf('two', 'eth', 1n, 0n),
      lineOf('two', 'usdc', 6n, 0n),
    ])
    expect(sums).toMatchObject([
      { currency: 'eth', received: 1n, held: 1n },
      { currency: 'usdc', received: 11n, open: 11n, held: 11n, difference: 0n },
    ])
    expect(sums[0]).not.toHaveProperty('orderId')
  })

  test('behavior: what one order lacks is not made up for by what another has too much', () => {
    const model = (orderId: string, wrongBy: bigint) => {
      const books = createModel(orderId, [5])
      books.pay('a', 'eth', 5, 0)
      const [known] = books.books().chains
      const held = [{ orderId, currency: 'eth', units: 5n + wrongBy }]
      const statement = { held, unattributedFunds: [], paidOut: [], credited: [] }
      return { ...books.books(), chains: [{ ...(known ?? { chain, currencies }), statement }] }
    }
    const sums = sumLines(listLines(join([model('one', 2n), model('two', -2n)])))
    expect(sums).toMatchObject([{ received: 10n, held: 10n, difference: 4n }])
  })
})
