import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSessionCookie, endSessionCookie, readSession } from '../../lib/session/session'
import { createSignInToken, readSignInToken, takeSignInToken } from '../../lib/session/signInLink'

const plain = new Headers()
const secure = new Headers({ 'x-forwarded-proto': 'https' })
const jar = (cookie: { name: string; value: string }) => ({
  get: (name: string) => (name === cookie.name ? cookie : undefined),
})

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubEnv('KASSA_SERVER_KEY', 'sk_staging_1')
  vi.stubEnv('KASSA_SESSION_SECRET', '')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

test('default', () => {
  const cookie = createSessionCookie({ email: 'ada@example.com' }, plain)
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'lax', path: '/', secure: false })
  expect(readSession(jar(cookie), plain)).toEqual({ email: 'ada@example.com' })
})

test('behavior: over https only a `__Host-` cookie counts', () => {
  const cookie = createSessionCookie({ email: 'ada@example.com' }, secure)
  expect(cookie).toMatchObject({ name: expect.stringMatching(/^__Host-/), secure: true })
  expect(readSession(jar(cookie), secure)).toEqual({ email: 'ada@example.com' })
  expect(readSession(jar(createSessionCookie({ email: 'ada@example.com' }, plain)), secure)).toBeUndefined()
})

test('behavior: the session ends after a week and after signing out', () => {
  const cookie = createSessionCookie({ email: 'ada@example.com' }, plain)
  vi.advanceTimersByTime(7 * 24 * 3_600_000)
  expect(readSession(jar(cookie), plain)).toBeUndefined()
  expect(readSession(jar(endSessionCookie(plain)), plain)).toBeUndefined()
})

test('behavior: a link signs in once, and reading it does not consume it', () => {
  const token = createSignInToken('ada@example.com')
  expect(readSignInToken(token)?.email).toBe('ada@example.com')
  expect(takeSignInToken(token)?.email).toBe('ada@example.com')
  expect(takeSignInToken(token)).toBeUndefined()
  expect(readSignInToken(token)).toBeUndefined()
})

test('behavior: a link is not a session and expires after 15 minutes', () => {
  const token = createSignInToken('ada@example.com')
  const cookie = createSessionCookie({ email: 'ada@example.com' }, plain)
  expect(readSession(jar({ ...cookie, value: token }), plain)).toBeUndefined()
  expect(readSignInToken(cookie.value)).toBeUndefined()
  vi.advanceTimersByTime(15 * 60_000)
  expect(takeSignInToken(token)).toBeUndefined()
})

test('behavior: a new secret signs every user out', () => {
  const cookie = createSessionCookie({ email: 'ada@example.com' }, plain)
  vi.stubEnv('KASSA_SESSION_SECRET', 'x'.repeat(32))
  expect(readSession(jar(cookie), plain)).toBeUndefined()
})

test.each([{ KASSA_SESSION_SECRET: 'short' }, { KASSA_SERVER_KEY: '' }])('error: %j', (env) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  expect(() => createSignInToken('ada@example.com')).toThrow(/^KASSA_SESSION_SECRET: /)
})
