import { beforeAll, expect, test, vi } from 'vitest'
import { createOrderToken, readOrderToken } from '../../lib/session/orderLink'

const order = { orderId: '4cb6f8a4-6a3c-4a5e-9c9a-6a8d3c2f1b0e', clientSecret: 'cs_secret' }
const day = 24 * 60 * 60_000

beforeAll(() => {
  vi.stubEnv('KASSA_SESSION_SECRET', 's'.repeat(32))
})

test('default', () => {
  expect(readOrderToken(createOrderToken(order, 0), 89 * day)).toEqual(order)
})

test('behavior: the secret cannot be read from the token', () => {
  const token = createOrderToken(order, 0)
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(order.clientSecret)
  expect(createOrderToken(order, 0)).not.toBe(token)
})

test.each([
  ['after 90 days', (token: string) => readOrderToken(token, 90 * day)],
  ['changed', (token: string) => readOrderToken(`${token.slice(0, -3)}AAA`, 0)],
  ['cut off', (token: string) => readOrderToken(token.slice(0, 20), 0)],
  ['empty', () => readOrderToken('', 0)],
])('error: %s', (_, read) => {
  expect(read(createOrderToken(order, 0))).toBeUndefined()
})

test('error: written by another shop', () => {
  const token = createOrderToken(order, 0)
  vi.stubEnv('KASSA_SESSION_SECRET', 'o'.repeat(32))
  expect(readOrderToken(token, 0)).toBeUndefined()
})
