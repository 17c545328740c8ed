import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertUp, equalsDecimal, multiplyDecimal } from '../../../src/engine/order/convert.js'
import { quoteOrder } from '../../../src/engine/order/quote.js'
import type {
  LineItemRequest,
  PricedCollection,
  PricedTemplate,
} from '../../../src/engine/order/quoteInput.js'
import { fromBaseUnits } from '../../../src/schema/baseUnits.js'

const config = {
  rates: { eth: '3000', pol: '0.5', usdc: '1' },
  quoteTtlMs: 600_000,
  salesTaxBasisPoints: 0,
  shippingUsd: '0',
}
const tea: PricedCollection = {
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
}
const item = (change: Partial<PricedCollection> = {}, quantity = 1): LineItemRequest => ({
  collection: { ...tea, ...change },
  quantity,
  callData: {},
})
const ethTerms = { chain: 'base-sepolia', currency: 'eth', decimals: 18 }
const usdc = { chain: 'base-sepolia', currency: 'usdc', decimals: 6 }
const recipient = { email: 'ada@example.com' }
const quote = (items: LineItemRequest[], change: object = {}, settings: object = {}) =>
  quoteOrder({ items, recipient, payment: ethTerms, nowMs: 1000, ...change }, { ...config, ...settings })

describe('quoteOrder', () => {
  test('default: price times quantity, summed, for ten minutes', () => {
    const { quote: total, lineItems } = quote([item({}, 2), item({ id: 'cup', price: '0.005' })])
    expect(total).toEqual({
      status: 'valid',
      quotedAtMs: 1000,
      expiresAtMs: 601_000,
      totalUnits: '25000000000000000',
      usdRate: '3000',
    })
    expect(lineItems[0]).toMatchObject({
      quantity: 2,
      callData: { quantity: 2 },
      quote: {
        status: 'valid',
        charges: { unitUnits: '20000000000000000', salesTaxUnits: '0', shippingUnits: '0' },
      },
      delivery: { status: 'awaiting-payment' },
    })
  })

  test('parameters: payment in another currency, rounded up', () => {
    expect(quote([item()], { payment: usdc }).quote.totalUnits).toBe('30000000')
    expect(quote([item({ price: '0.0000000001' })], { payment: usdc }).quote.totalUnits).toBe('1')
    const pol = { chain: 'polygon-amoy', currency: 'pol', decimals: 18 }
    expect(quote([item({ price: '1', priceCurrency: 'usd' })], { payment: pol }).quote.totalUnits).toBe(
      `${2n * 10n ** 18n}`,
    )
  })

  test('behavior: without a price or a rate an item is not for sale, rather than free', () => {
    const reasonOf = (change: Partial<PricedCollection>, payment = ethTerms, rates = config.rates) => {
      const { lineItems, quote: total } = quote([item(change)], { payment }, { rates })
      expect(total.status).toBe('all-line-items-unavailable')
      return lineItems[0]?.quote.unavailabilityReason?.code
    }
    expect(reasonOf({ price: null })).toBe('payments-not-enabled')
    expect(reasonOf({ priceCurrency: null })).toBe('payments-not-enabled')
    expect(reasonOf({ isChainEnabled: false })).toBe('chain-not-enabled')
    expect(reasonOf({ priceCurrency: 'doge' })).toBe('currency-not-convertible')
    expect(reasonOf({}, usdc, { ...config.rates, usdc: '0' })).toBe('currency-not-convertible')
  })

  test('behavior: an item that is shipped has no price before there is an address', () => {
    const cup = item({ requires: ['physical-address'] })
    const sold = item({ price: null })
    const waiting = quote([cup, sold])
    expect(waiting.quote).toEqual({
      status: 'requires-physical-address',
      quotedAtMs: 1000,
      usdRate: '3000',
    })
    expect(waiting.lineItems.map((one) => one.quote.status)).toEqual([
      'requires-recipient',
      'item-unavailable',
    ])
    expect(waiting.lineItems[0]?.quote).not.toHaveProperty('charges')
    expect(quote([item({ requires: ['receipt-email'] })]).quote.status).toBe('valid')
  })

  test('parameters: tax and shipping', () => {
    const address = { name: 'Ada', line1: '1 Road', city: 'Town', postalCode: '1', country: 'GB' }
    const settings = { salesTaxBasisPoints: 825, shippingUsd: '3' }
    const shipped = quote([item()], { recipient: { ...recipient, physicalAddress: address } }, settings)
    expect(shipped.lineItems[0]?.quote.charges).toEqual({
      unitUnits: '10000000000000000',
      salesTaxUnits: '825000000000000',
      shippingUnits: '1000000000000000',
      totalUnits: '11825000000000000',
    })
    expect(quote([item()], {}, settings).lineItems[0]?.quote.charges?.shippingUnits).toBe('0')
  })

  describe('a price that is converted to a coin', () => {
    const micros = (max: bigint) => fc.bigInt({ min: 1n, max }).map((units) => fromBaseUnits(units, 6))
    const coins = [ethTerms, { chain: 'solana', currency: 'sol', decimals: 9 }]
    const order = fc.record({
      prices: fc.array(fc.record({ usd: micros(10n ** 12n), quantity: fc.integer({ min: 1, max: 100 }) }), {
        minLength: 1,
        maxLength: 5,
      }),
      payment: fc.constantFrom(...coins),
      rate: micros(10n ** 12n),
      salesTaxBasisPoints: fc.constantFrom(0, 825, 2_000),
    })

    test('behavior: is never less than the conversion, and more by less than a hundred-thousandth', () => {
      fc.assert(
        fc.property(order, ({ prices, payment, rate, salesTaxBasisPoints }) => {
          const rates = { [payment.currency]: rate }
          const asked = prices.map(({ usd, quantity }) =>
            item({ price: usd, priceCurrency: 'usd' }, quantity),
          )
          const { lineItems, quote: total } = quote(asked, { payment }, { rates, salesTaxBasisPoints })
          const totalUnits = BigInt(total.totalUnits ?? 0)
          const charges = lineItems.map(({ quote: { charges } }) => charges)
          const amounts = [totalUnits, ...charges.map((charge) => BigInt(charge?.unitUnits ?? 0))]
          expect(
            Math.max(...amounts.map((units) => `${units}`.replace(/0+$/, '').length)),
          ).toBeLessThanOrEqual(6)
          charges.forEach((charge, at) => {
            const { usd, quantity } = prices[at] ?? { usd: '0', quantity: 1 }
            const exact = convertUp(multiplyDecimal(usd, quantity), 'usd', payment, rates) ?? -1n
            const tax = (exact * BigInt(salesTaxBasisPoints) + 9_999n) / 10_000n
            const [unit, salesTax] = [BigInt(charge?.unitUnits ?? 0), BigInt(charge?.salesTaxUnits ?? 0)]
            for (const gain of [unit - exact, salesTax - tax]) {
              expect(gain >= 0n).toBe(true)
              expect(gain === 0n || gain * 100_000n < totalUnits).toBe(true)
            }
            expect(BigInt(charge?.totalUnits ?? 0)).toBe(unit + salesTax)
          })
          const sum = charges.reduce((units, charge) => units + BigInt(charge?.totalUnits ?? 0), 0n)
          expect(totalUnits).toBe(sum)
        }),
      )
    })

    test('parameters: dollars and a rate', () => {
      const third = item({ price: '10', priceCurrency: 'usd' })
      expect(quote([third]).quote.totalUnits).toBe('3333340000000000')
      expect(quote([third], { payment: usdc }).quote.totalUnits).toBe('10000000')
    })

    test('behavior: is rounded, and a price that the merchant set in the coin is not', () => {
      const long = '0.012345678901234567'
      expect(quote([item({ price: long })]).quote.totalUnits).toBe('12345678901234567')
      const { lineItems, quote: total } = quote([
        item({ price: long }),
        item({ price: '10', priceCurrency: 'usd' }),
      ])
      expect(lineItems.map(({ quote: { charges } }) => charges?.unitUnits)).toEqual([
        '12345678901234567',
        '3333400000000000',
      ])
      expect(total.totalUnits).toBe('15679078901234567')
    })
  })

  test('behavior: without a recipient there is no price yet but that of the goods', () => {
    const { quote: total, lineItems } = quote([item()], { recipient: undefined })
    expect(total).toEqual({ status: 'requires-recipient', quotedAtMs: 1000, usdRate: '3000' })
    expect(lineItems[0]?.quote).toEqual({
      status: 'requires-recipient',
      goods: { unitUnits: '10000000000000000' },
    })
  })

  test('behavior: an unavailable item is marked as such and costs nothing', () => {
    const { quote: total, lineItems } = quote([
      item(),
      item({ id: 'gone', availableCount: 0 }),
      item({ id: 'free', price: null, priceCurrency: null }),
      item({ id: 'far', isChainEnabled: false }),
      item({ id: 'odd', priceCurrency: 'gold' }),
      item({ id: 'few', availableCount: 3 }, 2),
      item({ id: 'few', availableCount: 3 }, 2),
    ])
    expect(total.totalUnits).toBe('30000000000000000')
    expect(lineItems.map(({ quote: { unavailabilityReason } }) => unavailabilityReason?.code)).toEqual([
      undefined,
      'sold-out',
      'payments-not-enabled',
      'chain-not-enabled',
      'currency-not-convertible',
      undefined,
      'supply-insufficient',
    ])
    expect(quote([item({ availableCount: 0 })]).quote.status).toBe('all-line-items-unavailable')
  })

  test('behavior: an item says how many are left of a limited supply, before the order takes them', () => {
    const availableOf = (items: LineItemRequest[], change = {}) =>
      quote(items, change).lineItems.map((one) => one.quote.available)
    const few = (quantity: number) => item({ availableCount: 5 }, quantity)
    expect(availableOf([item(), few(9), few(2), few(4), few(3), few(1)])).toEqual([undefined, 5, 5, 3, 3, 0])
    expect(availableOf([few(2)], { recipient: undefined })).toEqual([5])
    expect(availableOf([item({ availableCount: 5, requires: ['physical-address'] })])).toEqual([5])
    expect(availableOf([item({ availableCount: 5, price: null })])).toEqual([undefined])
    // More may be sold than the supply allows, if its limit was lowered.
    expect(availableOf([item({ availableCount: -1 })])).toEqual([0])
  })
})

describe('templates', () => {
  const green = { id: 'green', name: 'Green', description: 'A leaf', imageUrl: 'ipfs://green' }
  const copies = (template: Partial<PricedTemplate>, quantity: number, change: object = {}) => ({
    ...item(change, quantity),
    template: { ...green, availableCount: undefined, ...template },
  })
  const codesOf = (items: LineItemRequest[]) =>
    quote(items).lineItems.map(
      ({ quote: { status, unavailabilityReason } }) => unavailabilityReason?.message ?? status,
    )

  test("default: a template's looks at its collection's price", () => {
    const { lineItems } = quote([copies({}, 3)])
    expect(lineItems).toMatchObject([
      {
        collectionId: 'tea',
        templateId: 'green',
        quantity: 3,
        metadata: { name: 'Green', description: 'A leaf', imageUrl: 'ipfs://green' },
        quote: { status: 'valid', charges: { unitUnits: `${3n * 10n ** 16n}` } },
      },
    ])
    expect(quote([item()]).lineItems[0]).not.toHaveProperty('templateId')
  })

  test('behavior: the smaller of both supplies decides', () => {
    expect(codesOf([copies({ availableCount: 2 }, 3, { availableCount: 9 })])).toEqual([
      'only 2 of Green are left',
    ])
    expect(codesOf([copies({ availableCount: 9 }, 3, { availableCount: 2 })])).toEqual([
      'only 2 of Tea are left',
    ])
    expect(codesOf([copies({ availableCount: 0 }, 1, { availableCount: 5 })])).toEqual(['Green is sold out'])
    expect(codesOf([copies({ availableCount: 3 }, 3, { availableCount: 3 })])).toEqual(['valid'])
  })

  test('behavior: line items take from shared supplies in their order', () => {
    const both = (quantity: number) => copies({ availableCount: 3 }, quantity, { availableCount: 5 })
    const other = {
      ...both(1),
      template: { ...green, id: 'black', name: 'Black', availableCount: undefined },
    }
    expect(codesOf([both(2), both(2), both(1), both(1), other, item({ availableCount: 5 }), other])).toEqual([
      'valid',
      // A refused item takes nothing from either supply.
      'only 1 of Green are left',
      'valid',
      'Green is sold out',
      'valid',
      'valid',
      'Tea is sold out',
    ])
  })

  test('behavior: a template and a collection with one name have separate supplies', () => {
    const one = {
      ...item({ id: 'x', availableCount: 1 }),
      template: { ...green, id: 'x', availableCount: 1 },
    }
    expect(codesOf([one])).toEqual(['valid'])
  })
})

test('parameters: payee: fixed with the price, and without a price there is none', () => {
  const paid = { ...item(), payee: '0xada' }
  expect(quote([paid, item()]).lineItems.map(({ quote: { payee } }) => payee)).toEqual(['0xada', undefined])
  expect(quote([paid], { recipient: undefined }).lineItems[0]?.quote).not.toHaveProperty('payee')
})

const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, decimals]) => fromBaseUnits(units, decimals))

describe('conversion', () => {
  test('behavior: never loses a fraction, never gains a whole unit', () => {
    const rate = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((units) => fromBaseUnits(units, 6))
    fc.assert(
      fc.property(decimal, rate, rate, (amount, from, to) => {
        const units = convertUp(amount, 'a', { currency: 'b', decimals: 6 }, { a: from, b: to }) ?? -1n
        const scaled = (text: string) =>
          BigInt(text.replace('.', '')) * 10n ** BigInt(18 - (text.split('.')[1]?.length ?? 0))
        // units / 10^6 × to ≥ amount × from > (units − 1) / 10^6 × to
        const worth = scaled(amount) * scaled(from)
        const price = (count: bigint) => (count * scaled(to) * 10n ** 18n) / 10n ** 6n
        expect(price(units) >= worth).toBe(true)
        if (units > 0n) expect(price(units - 1n) < worth).toBe(true)
      }),
    )
  })

  test('behavior: a decimal times a number equals the repeated sum', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 1, max: 100 }), (amount, factor) => {
        const product = multiplyDecimal(amount, factor)
        const units = convertUp(product, 'x', { currency: 'x', decimals: 18 }, {})
        expect(units).toBe(
          (convertUp(amount, 'x', { currency: 'x', decimals: 18 }, {}) ?? 0n) * BigInt(factor),
        )
        expect(equalsDecimal(product, `${product.includes('.') ? product : `${product}.`}000`)).toBe(true)
      }),
    )
  })

  test('parameters: equal numbers in any notation', () => {
    expect(equalsDecimal('0.10', '0.1')).toBe(true)
    expect(equalsDecimal('1', '1.000')).toBe(true)
    expect(equalsDecimal('0.1', '0.10000000000000000001')).toBe(false)
    expect(multiplyDecimal('10', 3)).toBe('30')
    expect(multiplyDecimal('0.05', 20)).toBe('1')
  })
})
