import { expect, test } from 'vitest'
import { fill } from '../../src/locales/fill.js'

test('default', () => {
  expect(fill('Pay {amount}', { amount: '1 ETH' })).toBe('Pay 1 ETH')
  expect(fill('Paid. {done} of {count} delivered.', { done: 0, count: 2 })).toBe('Paid. 0 of 2 delivered.')
})

test('behavior: a place that stands twice is filled twice', () => {
  expect(fill('{amount}, {amount}', { amount: '1 ETH' })).toBe('1 ETH, 1 ETH')
})

test('behavior: what is not known leaves nothing behind', () => {
  expect(fill('Pay {amount}', { amount: undefined })).toBe('Pay')
  expect(fill('{amount} bezahlen', {})).toBe('bezahlen')
})

test.each(['$&', '$1', '$$', '{count}', '{amount}', '\\'])(
  'behavior: a value is taken as it is: %s',
  (amount) => {
    expect(fill('Pay {amount} now', { amount, count: 2 })).toBe(`Pay ${amount} now`)
  },
)
