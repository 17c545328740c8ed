import { afterAll, beforeAll, expect, test } from 'vitest'
import { createShop, type Shop } from '../helpers/createShop.js'

let shop: Shop
beforeAll(async () => {
  shop = await createShop()
})
afterAll(() => shop.close())

/** What every IPFS implementation calls these bytes: CIDv1, raw, sha2-256, base32. */
const known = [
  ['hello world', 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
  ['', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
] as const

test.each(known)('default, %j', async (text, cid) => {
  const { storage } = shop.deps
  const bytes = new TextEncoder().encode(text)
  expect(await storage.put(bytes, 'text/plain')).toBe(cid)
  expect(await storage.put(bytes, 'text/plain')).toBe(cid)
  const file = await storage.get(cid)
  expect(file?.contentType).toBe('text/plain')
  expect(Buffer.from(file?.bytes ?? [1])).toEqual(Buffer.from(bytes))
})

test('behavior: contents are served for ever, to any page, and never run', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const cid = await shop.deps.storage.put(new TextEncoder().encode(svg), 'image/svg+xml')
  const response = await shop.app.request(`/ipfs/${cid}`)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe(svg)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining('sandbox'),
    'content-type': 'image/svg+xml',
    etag: `"${cid}"`,
    'x-content-type-options': 'nosniff',
  })
  const again = await shop.app.request(`/ipfs/${cid}`, { headers: { 'if-none-match': `"${cid}"` } })
  expect(again.status).toBe(304)
})

test.each(['bafkreinothing', '%00', 'b%00'])('error: not-found, %s', async (cid) => {
  const response = await shop.app.request(`/ipfs/${cid}`)
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ error: true, message: 'Not found' })
})

test('error: body-too-large', async () => {
  await expect(shop.deps.storage.put(new Uint8Array(1024 * 1024 + 1), 'text/plain')).rejects.toMatchObject({
    code: 'body-too-large',
  })
})
