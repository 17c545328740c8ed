import { hkdfSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal } from '#base/lib/seal.js'
import { openReply, sealReply } from '#interface/http/sealReply.js'

const item = (at: number) => ({
  metadata: { name: 'Füße 🦶', description: 'The same in each' },
  quantity: at,
})
const reply = JSON.stringify({ clientSecret: 'cs_1', order: { lineItems: Array.from({ length: 50 }, item) } })

test('default: the same bytes, in less space', () => {
  const sealed = sealReply(reply, 'sk_1', 'key', randomBytes)
  expect(openReply(sealed, 'sk_1', 'key')).toBe(reply)
  expect(sealed.length).toBeLessThan(Buffer.byteLength(reply) / 4)
})

test('behavior: a reply stored by an earlier release is returned unchanged', () => {
  const context = 'kassa remembered reply'
  const key = new Uint8Array(hkdfSync('sha256', 'sk_1', 'key', context, 32))
  expect(openReply(seal(Buffer.from(reply), key, context, randomBytes), 'sk_1', 'key')).toBe(reply)
})

test.each([
  ['sk_2', 'key'],
  ['sk_1', 'other'],
])('error: another credential or idempotency key, %s and %s', (credential, key) => {
  const sealed = sealReply(reply, 'sk_1', 'key', randomBytes)
  expect(() => openReply(sealed, credential, key)).toThrow()
})
