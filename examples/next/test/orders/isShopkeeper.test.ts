import { expect, test } from 'vitest'
import { isShopkeeper } from '../../app/orders/isShopkeeper'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

test('default', () => {
  expect(isShopkeeper(basic('anybody:pass:wörd'), 'pass:wörd')).toBe(true)
  expect(isShopkeeper(basic(':pass:wörd'), 'pass:wörd')).toBe(true)
})

test.each([
  ['nothing', null],
  ['another password', basic('anybody:password')],
  ['the beginning of it', basic('anybody:pass')],
  ['no password', basic('pass:wörd').replace('Basic', 'Bearer')],
  ['the password alone', basic('wörd')],
  ['no base64', 'Basic *'],
])('error: %s', (_, authorization) => {
  expect(isShopkeeper(authorization, 'pass:wörd')).toBe(false)
})
