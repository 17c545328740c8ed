import { describe, expect, test } from 'vitest'
import { getCharge, getItemCharge } from '../../src/order/index.js'
import { item, order } from '../../stories/fixtures/build.js'

const charged = (amount: string, currency = 'eth') =>
  item({ quote: { charges: { unit: { amount, currency } } } })

const sum = (...lineItems: ReturnType<typeof item>[]) => getCharge(order({ lineItems }), 'unit')

test('default', () => {
  expect(sum(charged('0.1'), charged('0.2'))).toEqual({ amount: '0.3', currency: 'eth' })
})

test('behavior: sums to the last digit', () => {
  expect(sum(charged('12345678901234567890.123456789012345678'), charged('0.000000000000000001'))).toEqual({
    amount: '12345678901234567890.123456789012345679',
    currency: 'eth',
  })
})

test('parameters: name', () => {
  const eth = (amount: string) => ({ amount, currency: 'eth' })
  const charges = { unit: eth('1'), salesTax: eth('0.19'), shipping: eth('0') }
  const [first = charged('1')] = order({ lineItems: [item({ quote: { charges } })] }).lineItems
  expect(getItemCharge(first, 'unit')).toEqual(eth('1'))
  expect(getItemCharge(first, 'salesTax')).toEqual(eth('0.19'))
  expect(getItemCharge(first, 'shipping')).toEqual(eth('0'))
})

test('behavior: an item that cannot be bought costs nothing', () => {
  const unavailable = item({
    quote: {
      status: 'item-unavailable',
      charges: { unit: { amount: '7', currency: 'eth' } },
    },
  })
  expect(sum(charged('1'), unavailable)).toEqual({ amount: '1', currency: 'eth' })
  expect(sum(unavailable)).toBe(undefined)
})

describe('behavior: no sum where there cannot be one', () => {
  const uncharged = item({ quote: { charges: undefined } })
  test('of nothing', () => {
    expect(sum()).toBe(undefined)
    expect(sum(uncharged)).toBe(undefined)
  })
  test('of two currencies', () => expect(sum(charged('1'), charged('1', 'usdc'))).toBe(undefined))
  test('of what is no decimal', () => expect(sum(charged('1'), charged('a lot'))).toBe(undefined))
})
