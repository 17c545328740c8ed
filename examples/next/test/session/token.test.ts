import { expect, test } from 'vitest'
import { readToken, writeToken } from '../../lib/session/token'

const secret = 's'.repeat(32)
const claim = { id: '1', email: 'ada@example.com', expiresAtMs: 1_000 }
const token = writeToken(secret, 'session', claim)
const [payload = '', signature = ''] = token.split('.')

test('default', () => {
  expect(readToken(secret, 'session', token, 999)).toEqual(claim)
})

const forged = Buffer.from(JSON.stringify({ ...claim, email: 'eve@example.com' })).toString('base64url')

test.each([
  ['another address', `${forged}.${signature}`],
  ['no signature', payload],
  ['an empty signature', `${payload}.`],
  ['a longer token', `${token}.${signature}`],
  ['nothing', ''],
  ['a shortened signature', token.slice(0, -4)],
])('error: %s', (_, text) => {
  expect(readToken(secret, 'session', text, 0)).toBeUndefined()
})

test('error: the token has expired', () => {
  expect(readToken(secret, 'session', token, 1_000)).toBeUndefined()
})

test('error: the token was made for another purpose', () => {
  expect(readToken(secret, 'sign-in', token, 0)).toBeUndefined()
})

test('error: another shop signed the token', () => {
  expect(readToken('t'.repeat(32), 'session', token, 0)).toBeUndefined()
})

test('error: the token was altered after signing', () => {
  expect(readToken(secret, 'session', writeToken(secret, 'session', { ...claim, id: '' }), 0)).toBeUndefined()
})
