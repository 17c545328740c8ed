import { describe, expect, test } from 'vitest'
import { formatAmount } from '../../src/order/index.js'

test('default', () => {
  expect(formatAmount({ amount: '12345678.123456789012345678', currency: 'eth' }, 'en-US')).toBe(
    '12,345,678.123456789012345678\u00a0ETH',
  )
})

describe('behavior: tokens that stand for dollars have two digits at least', () => {
  test.each([
    ['usdc', '1249.5', '1,249.50\u00a0USDC'],
    ['USDC', '3', '3.00\u00a0USDC'],
    ['usdxm', '0.123456', '0.123456\u00a0USDXM'],
    ['eth', '3', '3\u00a0ETH'],
  ])('%s %s', (currency, amount, text) => {
    expect(formatAmount({ amount, currency }, 'en-US')).toBe(text)
  })
})

describe('parameters: locale', () => {
  test.each([
    ['de-DE', '1.249,50\u00a0USDC'],
    [undefined, '1,249.50\u00a0USDC'],
    ['xx', '1,249.50\u00a0USDC'],
    ['not a locale', '1,249.50\u00a0USDC'],
  ])('%s', (locale, text) => {
    expect(formatAmount({ amount: '1249.5', currency: 'usdc' }, locale)).toBe(text)
  })
})

describe('behavior: what Intl would round, or cannot read, is shown as it came', () => {
  test.each(['0.123456789012345678901', 'a lot', ''])('%s', (amount) => {
    expect(formatAmount({ amount, currency: 'eth' }, 'en-US')).toBe(`${amount}\u00a0ETH`)
  })
})
