import { isKassaError } from 'kassa'
import { expect, test } from 'vitest'
import { readCart } from '../lib/readCart'
import type { Edition } from '../lib/shop'
import { translate } from './helpers/english'

const t = translate('buy')

const editions = Array.from(
  { length: 51 },
  (_, index): Edition => ({
    id: `edition-${index}`,
    locator: `kassa:edition-${index}`,
    chain: 'base-sepolia',
    chainLabel: 'Base Sepolia',
    standard: 'ERC-721',
    name: `Edition ${index}`,
    description: '',
    imageUrl: undefined,
    price: '0.012',
    currency: 'eth',
    currencies: undefined,
    fiat: undefined,
    supplyLimit: undefined,
    available: undefined,
    sale: undefined,
  }),
)

const take = (index: number, quantity: unknown = 1) => ({ edition: `edition-${index}`, quantity })

const read = (...items: unknown[]) => readCart({ items }, editions, t)

const refusal = (cart: unknown): string | undefined => {
  try {
    readCart(cart, editions, t)
  } catch (error) {
    if (isKassaError(error, 'cart.refused')) return error.context.message
    throw error
  }
}

test('default', () => {
  expect(read(take(0, 2), take(1))).toEqual({
    lineItems: [
      { collectionLocator: 'kassa:edition-0', callData: { quantity: 2 } },
      { collectionLocator: 'kassa:edition-1', callData: { quantity: 1 } },
    ],
    metadata: { editions: ['edition-0', 'edition-1'] },
  })
})

test('behavior: a list price has its worth in dollars, if the edition has', () => {
  const known = editions.map((edition) => ({ ...edition, fiat: { amount: '36.00', currency: 'usd' } }))
  expect(readCart({ items: [take(0, 2)] }, known, t).metadata).toMatchObject({
    listFiat: { amount: '72.00', currency: 'usd' },
  })
})

test('behavior: the checkout offers only what every edition of the cart may be paid in', () => {
  const [one, two, three] = editions.map((edition, index) => ({
    ...edition,
    currencies: [undefined, ['eth', 'usdc'], ['usdc', 'usdxm']][index],
  }))
  const cart = { items: [take(0), take(1), take(2)] }
  const known = [one, two, three].flatMap((edition) => edition ?? [])
  expect(readCart(cart, known, t).metadata).toMatchObject({ currencies: ['usdc'] })
})

test('behavior: a single edition has a price before its buyer is known', () => {
  expect(read(take(0, 3)).metadata).toEqual({
    editions: ['edition-0'],
    listPrice: { amount: '0.036', currency: 'eth' },
  })
})

test('behavior: repeated entries of an edition become one line', () => {
  expect(read(take(0, 2), take(1), take(0, 3)).lineItems).toEqual([
    { collectionLocator: 'kassa:edition-0', callData: { quantity: 5 } },
    { collectionLocator: 'kassa:edition-1', callData: { quantity: 1 } },
  ])
  expect(read(take(0, 60), take(0, 40)).metadata).toMatchObject({
    listPrice: { amount: '1.200', currency: 'eth' },
  })
})

test("behavior: the service's maximum number of lines", () => {
  expect(read(...editions.slice(1).map((_, index) => take(index))).lineItems).toHaveLength(50)
})

test('behavior: the stock limits the quantity over all entries of an edition', () => {
  const few = editions.map((edition) => ({ ...edition, available: edition.id === 'edition-1' ? 0 : 3 }))
  const ask = (...items: unknown[]) => readCart({ items }, few, t)
  expect(ask(take(0, 3)).lineItems).toHaveLength(1)
  expect(() => ask(take(0, 2), take(0, 2))).toThrow('Edition 0: 3 left. Choose at most 3.')
  expect(() => ask(take(1))).toThrow('Edition 1 is sold out.')
})

test.each([0, -1, 1.5, '1', Number.NaN, undefined])('error: a quantity of %j', (quantity) => {
  expect(refusal({ items: [take(0, 2), { ...take(0), quantity }] })).toBe('Choose a quantity from 1 to 100.')
})

test.each<[name: string, cart: unknown, message: string]>([
  ['nothing', undefined, 'Choose an edition first.'],
  ['an empty cart', { items: [] }, 'Choose an edition first.'],
  ['what is not on sale', { items: [take(51)] }, 'This edition is no longer on sale.'],
  ['no item', { items: [null] }, 'This edition is no longer on sale.'],
  ['101 of one', { items: [take(0, 101)] }, 'Choose at most 100 copies at a time.'],
  ['100 of one, twice', { items: [take(0, 100), take(0, 100)] }, 'Choose at most 100 copies at a time.'],
  ['101 of two', { items: [take(0, 51), take(1, 50)] }, 'Choose at most 100 copies at a time.'],
  [
    '51 editions',
    { items: editions.map((_, index) => take(index)) },
    'Choose at most 50 editions at a time.',
  ],
])('error: %s', (_, cart, message) => {
  expect(refusal(cart)).toBe(message)
})
