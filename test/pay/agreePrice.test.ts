import { describe, expect, test } from 'vitest'
import { isAgreed, isSamePrice } from '../../src/pay/agreePrice.js'
import { orders } from '../../src/testing/orders.js'

describe('isAgreed', () => {
  const eth = (amount: string) => ({ amount, currency: 'eth' })

  test('default: the total, or what is left of it', () => {
    expect(isAgreed(eth('0.042'), orders.awaitingPaymentNative)).toBe(true)
    expect(isAgreed(eth('0.022'), orders.underpaid)).toBe(true)
    expect(isAgreed(eth('0.042'), orders.underpaid)).toBe(true)
  })

  test('behavior: who has agreed to what was left has not agreed to the whole', () => {
    expect(isAgreed(eth('0.022'), orders.awaitingPaymentNative)).toBe(false)
    expect(isAgreed(eth('0.02'), orders.underpaid)).toBe(false)
  })
})

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
