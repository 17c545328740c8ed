import fc from 'fast-check'
import { orderCookie, readOrderCookie } from 'kassa/server'
import { expect, test } from 'vitest'
import { writeOrderCookies } from '../../src/server/orderCookie.js'

const orderId = '4cb6f8a4-6a3c-4a5e-9c9a-6a8d3c2f1b0e'
const plain = `kassa-order-${orderId}`
const name = `__Host-${plain}`

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
  expect(cookie).toMatchObject({ name: plain, secure: false, maxAge: 60 })
})

test.each([
  [true, { 'x-forwarded-proto': 'https' }, undefined],
  [true, { 'x-forwarded-proto': 'https, http', origin: 'http://shop.example' }, 'http://10.0.0.1/'],
  [false, { 'x-forwarded-proto': 'http', origin: 'https://shop.example' }, 'https://shop.example/'],
  [true, { origin: 'http://shop.example' }, 'https://shop.example/'],
  [true, { origin: 'https://shop.example' }, undefined],
  [false, { origin: 'null' }, undefined],
  [false, {}, undefined],
])('parameters: headers, secure %s for %j and %s', (secure, headers, url) => {
  const visit = { headers: new Headers(headers), url }
  const cookie = orderCookie({ orderId, clientSecret: 'cs_1' }, visit)
  expect(cookie).toMatchObject({ name: secure ? name : plain, secure })
  expect(readOrderCookie(`${cookie.name}=${cookie.value}`, orderId, visit)).toBe('cs_1')
})

test('parameters: a request as it is', () => {
  const request = new Request('https://shop.example/buy', { headers: { cookie: `${plain}=cs_planted` } })
  expect(orderCookie({ orderId, clientSecret: 'cs_1' }, request).name).toBe(name)
  expect(readOrderCookie(request.headers.get('cookie'), orderId, request)).toBe(undefined)
})

test('behavior: a cookie that another host planted does not take the place of the shop’s own', () => {
  const header = `${plain}=cs_planted; ${name}=cs_1; ${plain}=cs_again`
  const jar = new Map([
    [plain, { value: 'cs_planted' }],
    [name, { value: 'cs_1' }],
  ])
  for (const cookies of [header, jar])
    for (const visit of [undefined, { isSecure: true }, { isSecure: false }])
      expect(readOrderCookie(cookies, orderId, visit)).toBe('cs_1')
  expect(readOrderCookie(`${plain}=cs_planted`, orderId, { isSecure: true })).toBe(undefined)
  expect(readOrderCookie(`${plain}=cs_1`, orderId, { isSecure: false })).toBe('cs_1')
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
      ['__Host-kassa-order-x=1', 'session=1', ...held.map((one) => `__Host-kassa-order-${one}=cs_0`)].join(
        '; ',
      ),
      true,
    ).map((cookie) => [cookie.slice(19, 55), /Max-Age=(\d+)/.exec(cookie)?.[1]])
  expect(write(ids.slice(0, 19), orderId)).toEqual([[orderId, '604800']])
  expect(write(ids.slice(0, 20), orderId)).toEqual([
    [orderId, '604800'],
    [ids[0], '0'],
  ])
  expect(write(ids, orderId).slice(1)).toEqual(ids.slice(0, 4).map((id) => [id, '0']))
  // A replay brings no new one.
  expect(write(ids.slice(0, 20), ids[0] ?? '')).toEqual([[ids[0], '604800']])
})
