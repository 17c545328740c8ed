import { expect, test } from 'vitest'
import { formatDate } from '../../src/order/index.js'

// Noon wherever the test runs.
const noon = new Date(2026, 2, 2, 12).toISOString()

test.each([
  ['en-US', 'Mar 2, 2026'],
  ['de-DE', '02.03.2026'],
  ['ja-JP', '2026/03/02'],
  [undefined, 'Mar 2, 2026'],
  ['not a locale', 'Mar 2, 2026'],
])('parameters: %s: %s', (locale, text) => {
  expect(formatDate(noon, locale)).toBe(text)
})

test('behavior: what is no timestamp is shown as it came', () => {
  expect(formatDate('soon', 'en-US')).toBe('soon')
})
