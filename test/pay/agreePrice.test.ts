import { describe, expect, test } from 'vitest'
import { isSamePrice } from '../../src/pay/agreePrice.js'

describe('isSamePrice', () => {
  const price = { amount: '1.5', currency: 'usdc' }

  test('default: by amount and currency', () => {
    expect(isSamePrice(price, { ...price })).toBe(true)
    expect(isSamePrice(price, { ...price, amount: '1.50' })).toBe(false)
    expect(isSamePrice(price, { ...price, currency: 'eth' })).toBe(false)
  })

  test('behavior: the case of a currency does not count', () => {
    expect(isSamePrice(price, { ...price, currency: 'USDC' })).toBe(true)
    expect(isSamePrice({ ...price, currency: 'Usdc' }, price)).toBe(true)
  })

  test('behavior: a price that is missing equals only another one that is', () => {
    expect(isSamePrice(price, undefined)).toBe(false)
    expect(isSamePrice(undefined, price)).toBe(false)
    expect(isSamePrice(undefined, undefined)).toBe(true)
  })
})
