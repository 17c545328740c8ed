import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteOrder } from '../../../src/engine/order/quote.js'
import type { LineItemRequest, QuoteInput } from '../../../src/engine/order/quoteInput.js'
import { listHolds, type SaleRules } from '../../../src/engine/order/sale.js'

const nowMs = Date.parse('2027-01-10T12:00:00Z')
const config = {
  rates: { eth: '3000', usdc: '1' },
  quoteTtlMs: 600_000,
  salesTaxBasisPoints: 0,
  shippingUsd: '0',
}
const address = '0x00000000000000000000000000000000000000Bb'

const item = (sale: SaleRules | null, more: Partial<LineItemRequest> = {}): LineItemRequest => ({
  collection: {
    id: 'tea',
    chain: 'base-sepolia',
    name: 'Tea',
    description: 'Green',
    imageUrl: 'ipfs://tea',
    price: '0.01',
    priceCurrency: 'eth',
    availableCount: undefined,
    isChainEnabled: true,
    requires: [],
    sale,
  },
  quantity: 1,
  callData: {},
  walletAddress: address,
  ...more,
})
const payment = { chain: 'base-sepolia', currency: 'eth', decimals: 18 }
const quote = (items: LineItemRequest[], change: Partial<QuoteInput> = {}, settings: object = {}) =>
  quoteOrder(
    { items, recipient: { walletAddress: address }, payment, nowMs, ...change },
    { ...config, ...settings },
  )
const reasonOf = ({ lineItems }: ReturnType<typeof quote>, at = 0) =>
  lineItems[at]?.quote.unavailabilityReason
const at = (offsetMs: number) => new Date(nowMs + offsetMs).toISOString()

describe('start and end', () => {
  test('default: an item is unavailable before the start, and says when it will be available', () => {
    expect(reasonOf(quote([item({ startsAt: '2027-01-10T15:00:00+02:00' })]))).toEqual({
      code: 'sale-not-started',
      message: 'the sale of Tea starts at 2027-01-10T13:00:00.000Z',
      availableAtMs: nowMs + 3_600_000,
    })
  })

  test('behavior: the start is part of the sale, and the end is not', () => {
    expect(quote([item({ startsAt: at(0) })]).quote.status).toBe('valid')
    expect(quote([item({ startsAt: at(1) })]).quote.status).toBe('all-line-items-unavailable')
    expect(quote([item({ endsAt: at(1) })]).quote.status).toBe('valid')
    expect(reasonOf(quote([item({ endsAt: at(0) })]))).toEqual({
      code: 'sale-ended',
      message: 'the sale of Tea ended at 2027-01-10T12:00:00.000Z',
    })
  })

  test('behavior: a price does not outlive the first sale to end among the items that it is for', () => {
    const expiryOf = (...items: LineItemRequest[]) => (quote(items).quote.expiresAtMs ?? 0) - nowMs
    expect(expiryOf(item({ endsAt: at(60_000) }))).toBe(60_000)
    expect(expiryOf(item({ endsAt: at(60_000) }), item({ endsAt: at(30_000) }), item(null))).toBe(30_000)
    expect(expiryOf(item({ endsAt: at(3_600_000) }))).toBe(config.quoteTtlMs)
    expect(expiryOf(item(null), item({ endsAt: at(-1) }))).toBe(config.quoteTtlMs)
  })
})

describe('phases', () => {
  const phases = [
    { name: 'Members', startsAt: at(0), allowList: { merkleRoot: '0x' }, maxTokens: 3 },
    { name: 'Everyone', startsAt: at(60_000) },
  ]
  const sale = { phases }
  const unavailable = (more: Partial<LineItemRequest>, change: Partial<QuoteInput> = {}) =>
    reasonOf(quote([item(sale, more)], change))

  test('default: a phase with an allow-list is for its wallets, and says when the next one starts', () => {
    expect(unavailable({ isListed: true })).toBeUndefined()
    expect(unavailable({ isListed: false })).toEqual({
      code: 'not-in-phase',
      message: 'Tea: Members is for the wallets of its allow-list',
      availableAtMs: nowMs + 60_000,
    })
    expect(unavailable({ isListed: false }, { nowMs: nowMs + 60_000 })).toBeUndefined()
  })

  test('behavior: without a recipient, no wallet is refused yet', () => {
    const { quote: total } = quote([item(sale, { isListed: false })], { recipient: undefined })
    expect(total.status).toBe('requires-recipient')
  })

  test('behavior: a phase without an answer about its list is closed', () => {
    expect(unavailable({})?.code).toBe('not-in-phase')
  })

  test('behavior: before the first phase nothing is sold', () => {
    expect(unavailable({ isListed: true }, { nowMs: nowMs - 1 })).toMatchObject({
      code: 'sale-not-started',
      availableAtMs: nowMs,
    })
    const later = { ...sale, startsAt: at(30_000) }
    expect(reasonOf(quote([item(later, { isListed: true })]))?.availableAtMs).toBe(nowMs + 30_000)
  })

  test('behavior: a price does not outlive its phase', () => {
    expect(quote([item(sale, { isListed: true })]).quote.expiresAtMs).toBe(nowMs + 60_000)
  })

  test('behavior: a phase sells as many as it has, and line items share them', () => {
    const held = new Map([['phase:Members', 1]])
    const listed = { isListed: true, held }
    expect(unavailable({ ...listed, quantity: 3 })).toEqual({
      code: 'phase-sold-out',
      message: 'Tea: only 2 are left in Members',
      availableAtMs: nowMs + 60_000,
    })
    const { lineItems } = quote([item(sale, { ...listed, quantity: 2 }), item(sale, listed)])
    expect(lineItems[0] && listHolds(lineItems[0], { payments: [] })).toEqual([
      { key: 'phase:Members', max: 3, count: 2 },
    ])
    expect(lineItems[1]?.quote.unavailabilityReason?.message).toBe('Tea: Members is sold out')
  })
})

describe('the most for each buyer', () => {
  const perWallet = { maxPerBuyer: { wallet: 3 } }
  const heldBy = (key: string, count: number) => new Map([[key, count]])
  const key = `wallet:${address.toLowerCase()}`

  test('default: what a buyer has counts, and an order says what is left', () => {
    const { lineItems } = quote([item(perWallet, { quantity: 2, held: heldBy(key, 1) })])
    expect(lineItems[0]?.quote).toMatchObject({
      status: 'valid',
      allowance: { max: 3, left: 2 },
      limits: [{ of: 'wallet', key, max: 3 }],
    })
  })

  test('behavior: too many are refused, with the number that is left', () => {
    const some = quote([item(perWallet, { quantity: 3, held: heldBy(key, 1) })])
    expect(reasonOf(some)).toEqual({
      code: 'limit-reached',
      message: 'Tea: a buyer can get at most 3, and this buyer can get 2 more',
    })
    expect(some.lineItems[0]?.quote.allowance).toEqual({ max: 3, left: 2 })
    const none = quote([item(perWallet, { held: heldBy(key, 5) })])
    expect(reasonOf(none)?.message).toBe('Tea: a buyer can get at most 3, and this buyer already has them')
    expect(none.lineItems[0]?.quote.allowance).toEqual({ max: 3, left: 0 })
  })

  test('behavior: line items of one collection share what is left', () => {
    const { lineItems } = quote([
      item(perWallet, { quantity: 2 }),
      item(perWallet, { quantity: 2 }),
      item(perWallet),
    ])
    expect(lineItems.map((one) => one.quote.status)).toEqual(['valid', 'item-unavailable', 'valid'])
  })

  test('behavior: of several limits the tightest decides', () => {
    const sale = { maxPerBuyer: { wallet: 5, email: 2, payer: 4 } }
    const emails = { recipient: { email: 'Ada@example.com' }, payment: { ...payment, payerAddress: address } }
    const held = new Map([['payer:0x00000000000000000000000000000000000000bb', 3]])
    const { lineItems } = quote([item(sale, { walletKey: 'email:ada@example.com', held })], emails)
    expect(lineItems[0]?.quote).toMatchObject({
      allowance: { max: 4, left: 1 },
      limits: [
        { of: 'wallet', key: 'wallet:email:ada@example.com', max: 5 },
        { of: 'email', key: 'email:ada@example.com', max: 2 },
        { of: 'payer', key: 'payer:0x00000000000000000000000000000000000000bb', max: 4 },
      ],
    })
  })

  test('behavior: both e-mail addresses of an order count, each once', () => {
    const sale = { maxPerBuyer: { email: 1 } }
    const limitsOf = (receiptEmail: string) =>
      quote([item(sale)], {
        recipient: { email: 'ada@example.com' },
        payment: { ...payment, receiptEmail },
      }).lineItems[0]?.quote.limits?.map((limit) => limit.key)
    expect(limitsOf('ADA@example.com')).toEqual(['email:ada@example.com'])
    expect(limitsOf('bob@example.com')).toEqual(['email:ada@example.com', 'email:bob@example.com'])
  })

  test('behavior: a limit by e-mail asks for an e-mail address, unless the recipient has one', () => {
    const sale = { maxPerBuyer: { email: 1 } }
    expect(quote([item(sale)]).lineItems[0]?.requires).toEqual(['receipt-email'])
    expect(
      quote([item(sale)], { recipient: { email: 'a@b.example' } }).lineItems[0]?.requires,
    ).toBeUndefined()
  })

  test('behavior: the limit of a payer counts the account that paid', () => {
    const sale = { maxPerBuyer: { payer: 2 } }
    const [line] = quote([item(sale, { quantity: 2 })]).lineItems
    if (!line) throw new Error('no line item')
    const paid = {
      id: 'p',
      chain: 'base-sepolia',
      currency: 'eth',
      decimals: 18,
      units: '1',
      txId: '0x',
      minedAtMs: 1,
    }
    expect(listHolds(line, { payments: [] })).toEqual([])
    const payments = [
      { ...paid, payer: '0xAA', use: 'returned' as const },
      { ...paid, payer: '0xBB', use: 'accepted' as const },
    ]
    expect(listHolds(line, { payments })).toEqual([{ key: 'payer:0xbb', max: 2, count: 2 }])
  })
})

describe('promotion codes', () => {
  const half: SaleRules = { promotionCodes: [{ code: 'HALF', percent: '50' }] }
  const unitsOf = (quoted: ReturnType<typeof quote>) => quoted.lineItems[0]?.quote.charges

  test('default: a percentage lowers the price, in any case of letters', () => {
    const quoted = quote([item(half, { quantity: 2 })], { promotionCode: 'half' })
    expect(quoted.quote).toMatchObject({ promotion: 'applied', totalUnits: `${10n ** 16n}` })
    expect(unitsOf(quoted)).toEqual({
      unitUnits: `${2n * 10n ** 16n}`,
      discountUnits: `${10n ** 16n}`,
      salesTaxUnits: '0',
      shippingUnits: '0',
      totalUnits: `${10n ** 16n}`,
    })
  })

  test('parameters: an amount in the currency of the price', () => {
    const off = (amount: string) => ({ promotionCodes: [{ code: 'LESS', amount }] })
    const promoted = { promotionCode: 'LESS' }
    expect(unitsOf(quote([item(off('0.004'))], promoted))?.totalUnits).toBe(`${6n * 10n ** 15n}`)
    const inUsdc = { ...promoted, payment: { ...payment, currency: 'usdc', decimals: 6 } }
    expect(unitsOf(quote([item(off('0.004'))], inUsdc))).toMatchObject({
      unitUnits: '30000000',
      discountUnits: '12000000',
      totalUnits: '18000000',
    })
  })

  test.each([{ amount: '0.01' }, { amount: '5' }, { percent: '100' }])(
    'behavior: a code of %o leaves nothing to pay',
    (off) => {
      const quoted = quote([item({ promotionCodes: [{ code: 'FREE', ...off }] })], { promotionCode: 'FREE' })
      expect(quoted.quote).toMatchObject({ promotion: 'applied', totalUnits: '0' })
      const { unitUnits, discountUnits } = unitsOf(quoted) ?? {}
      expect(discountUnits).toBe(unitUnits)
    },
  )

  test('behavior: tax is on what is left to pay', () => {
    const quoted = quote([item(half)], { promotionCode: 'HALF' }, { salesTaxBasisPoints: 1000 })
    expect(unitsOf(quoted)).toMatchObject({
      salesTaxUnits: `${5n * 10n ** 14n}`,
      totalUnits: `${55n * 10n ** 14n}`,
    })
  })

  test('behavior: a code that is unknown, expired or used up lowers nothing, and the quote says why', () => {
    const statusOf = (code: string, rules: object = {}, held = new Map<string, number>()) => {
      const sale = { promotionCodes: [{ code: 'HALF', percent: '50', ...rules }] }
      const quoted = quote([item(sale, { held })], { promotionCode: code })
      expect(unitsOf(quoted)?.discountUnits).toBeUndefined()
      return quoted.quote.promotion
    }
    expect(statusOf('OTHER')).toBe('not-found')
    expect(statusOf('HALF', { expiresAt: at(0) })).toBe('expired')
    expect(statusOf('HALF', { limit: 2 }, new Map([['code:HALF', 2]]))).toBe('used-up')
  })

  test('behavior: each discounted line item is one use', () => {
    const sale = { promotionCodes: [{ code: 'half', percent: '50', limit: 1 }] }
    const { lineItems, quote: total } = quote([item(sale, { quantity: 3 }), item(sale)], {
      promotionCode: 'HALF',
    })
    expect(total.promotion).toBe('applied')
    expect(lineItems.map((one) => one.quote.charges?.discountUnits)).toEqual([
      `${15n * 10n ** 15n}`,
      undefined,
    ])
    expect(lineItems.map((one) => listHolds(one, { payments: [] }))).toEqual([
      [{ key: 'code:HALF', max: 1, count: 1 }],
      [],
    ])
  })

  test('behavior: a price does not outlive its code', () => {
    const sale = { promotionCodes: [{ code: 'HALF', percent: '50', expiresAt: at(5_000) }] }
    expect(quote([item(sale)], { promotionCode: 'HALF' }).quote.expiresAtMs).toBe(nowMs + 5_000)
    expect(quote([item(sale)]).quote.expiresAtMs).toBe(nowMs + config.quoteTtlMs)
  })

  test('behavior: charges always add up, and a discount never exceeds the price', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999 }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.constantFrom('eth', 'usdc'),
        (points, price, currency) => {
          const percent = (points / 100).toFixed(2)
          const sale = { promotionCodes: [{ code: 'SOME', percent }] }
          const request = item(sale)
          const collection = {
            ...request.collection,
            price: `0.${`${price}`.padStart(18, '0')}`,
            priceCurrency: 'eth',
          }
          const paid = { ...payment, currency, decimals: currency === 'eth' ? 18 : 6 }
          const charges = unitsOf(
            quote([{ ...request, collection }], { promotionCode: 'SOME', payment: paid }),
          )
          const [unit, discount, total] = [
            charges?.unitUnits,
            charges?.discountUnits,
            charges?.totalUnits,
          ].map((units) => BigInt(units ?? -1))
          expect(unit).toBe((discount ?? 0n) + (total ?? 0n))
          expect(total).toBeGreaterThanOrEqual(0n)
        },
      ),
    )
  })
})
