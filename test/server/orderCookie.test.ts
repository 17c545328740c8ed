import fc from 'fast-check'
import { orderCookie, readOrderCookie } from 'kassa/server'
import { expect, test } from 'vitest'
import { writeOrderCookies } from '../../src/server/writeOrderCookies.js'

const orderId = '4cb6f8a4-6a3c-4a5e-9c9a-6a8d3c2f1b0e'
const name = `kassa-order-${orderId}`

test('default', () => {
  expect(orderCookie({ orderId, clientSecret: 'cs_1' }, { isSecure: true })).toEqual({
    name,
    value: 'cs_1',
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: true,
    maxAge: 604_800,
  })
  expect(readOrderCookie(`a=1; ${name}=cs_1; b=2`, orderId)).toBe('cs_1')
  expect(readOrderCookie(`a=1; ${name}=cs_1`, orderId.toUpperCase())).toBe('cs_1')
})

test('parameters: maxAgeSeconds, isSecure', () => {
  const cookie = orderCookie({ orderId, clientSecret: 'cs_1' }, { isSecure: false, maxAgeSeconds: 60 })
  expect(cookie).toMatchObject({ secure: false, maxAge: 60 })
})

test('parameters: cookies as Next.js reads them', () => {
  const jar = new Map([[name, { name, value: 'cs_1' }]])
  expect(readOrderCookie(jar, orderId)).toBe('cs_1')
  expect(readOrderCookie(new Map(), orderId)).toBe(undefined)
})

test('behavior: there is none where there is none, or nothing a header can hold', () => {
  for (const cookies of [null, undefined, '', 'a=1', `x${name}=cs_1`, `${name}=`, `${name}=%E0%A4%A`])
    expect(readOrderCookie(cookies, orderId)).toBe(undefined)
  expect(readOrderCookie(`${name}=cs_1%0d%0ax-evil:1`, orderId)).toBe(undefined)
  expect(readOrderCookie(`${name}=${'x'.repeat(513)}`, orderId)).toBe(undefined)
  expect(readOrderCookie('kassa-order-x=cs_1', 'x')).toBe(undefined)
})

test('error: input.id-invalid', () => {
  for (const id of ['', 'x', `${orderId}; Domain=example`, '../orders'])
    expect(() => orderCookie({ orderId: id, clientSecret: 'cs_1' }, { isSecure: true })).toThrow(
      expect.objectContaining({ code: 'input.id-invalid' }),
    )
})

test('behavior: what is written is read, whatever the secret is, and is one cookie', () => {
  const secret = fc.stringMatching(/^[\x21-\x7e]{1,150}$/)
  fc.assert(
    fc.property(secret, fc.boolean(), (clientSecret, isSecure) => {
      const [cookie = '', ...others] = writeOrderCookies({ orderId, clientSecret }, null, isSecure)
      expect(others).toEqual([])
      expect(readOrderCookie(cookie.split('; ')[0], orderId)).toBe(clientSecret)
      expect(cookie.split('; ').slice(1)).toEqual([
        'Path=/',
        'Max-Age=604800',
        'HttpOnly',
        'SameSite=Lax',
        ...(isSecure ? ['Secure'] : []),
      ])
    }),
  )
})

test('behavior: of more than 20 the oldest are ended, never the new one nor a foreign cookie', () => {
  const ids = Array.from({ length: 23 }, () => crypto.randomUUID())
  const write = (held: string[], id: string) =>
    writeOrderCookies(
      { orderId: id, clientSecret: 'cs_1' },
      ['kassa-order-x=1', 'session=1', ...held.map((one) => `kassa-order-${one}=cs_0`)].join('; '),
      true,
    ).map((cookie) => [cookie.slice(12, 48), /Max-Age=(\d+)/.exec(cookie)?.[1]])
  expect(write(ids.slice(0, 19), orderId)).toEqual([[orderId, '604800']])
  expect(write(ids.slice(0, 20), orderId)).toEqual([
    [orderId, '604800'],
    [ids[0], '0'],
  ])
  expect(write(ids, orderId).slice(1)).toEqual(ids.slice(0, 4).map((id) => [id, '0']))
  // A replay brings no new one.
  expect(write(ids.slice(0, 20), ids[0] ?? '')).toEqual([[ids[0], '604800']])
})
