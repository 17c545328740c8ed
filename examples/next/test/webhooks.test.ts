// @vitest-environment node
import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, test, vi } from 'vitest'
import { openShopStore } from '../lib/store/shopStore'
import { told } from './helpers/orderEvents'
import { temporaryFile } from './helpers/temporaryFile'

const secret = 'whsec_c2VjcmV0IG9mIHRoaXMgdGVzdCBhbG9uZQ=='
let POST: (request: Request) => Promise<Response>
beforeEach(async () => {
  vi.resetModules()
  vi.stubEnv('KASSA_WEBHOOK_SECRET', secret)
  vi.stubEnv('KASSA_STORE', temporaryFile('orders.json'))
  ;({ POST } = await import('../app/api/webhooks/route'))
  return () => vi.unstubAllEnvs()
})

/** Creates a webhook request as the service sends it. */
const webhook = (id: string, event: object, signedWith = secret): Request => {
  const body = JSON.stringify(event)
  const sentAt = new Date()
  return new Request('https://shop.example/api/webhooks', {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(sentAt.getTime() / 1_000)}`,
      'webhook-signature': new Webhook(signedWith).sign(id, sentAt, body),
    },
    body,
  })
}

test('default: a delivered order is marked as shipped', async () => {
  expect((await POST(webhook('msg_paid', told.msg_paid))).status).toBe(200)
  expect((await POST(webhook('msg_delivered', told.msg_delivered))).status).toBe(200)
  expect(await openShopStore().list()).toMatchObject([{ shippedAtMs: told.msg_delivered.timestamp }])
})

test('behavior: an event delivered concurrently and once more counts once', async () => {
  const deliver = () => POST(webhook('msg_delivered', told.msg_delivered))
  const answers = [...(await Promise.all([deliver(), deliver()])), await deliver()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await openShopStore().list()).map(({ events }) => events.length)).toEqual([1])
})

test('behavior: an event the shop does not need is accepted and ignored', async () => {
  const event = { type: 'collections.create.succeeded', data: {} }
  expect((await POST(webhook('msg_other', event))).status).toBe(200)
  expect(await openShopStore().list()).toEqual([])
})

test('error: an event signed by another party is refused', async () => {
  const forged = webhook('msg_paid', told.msg_paid, 'whsec_c29tZWJvZHkgZWxzZSBhbHRvZ2V0aGVy')
  expect((await POST(forged)).status).toBe(400)
  expect(await openShopStore().list()).toEqual([])
})

test('error: an event that cannot be stored is requested again', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  vi.stubEnv('KASSA_STORE', '/dev/null/orders.json')
  expect((await POST(webhook('msg_paid', told.msg_paid))).status).toBe(500)
  expect(log).toHaveBeenCalledWith('A webhook was not handled.', expect.any(Error))
  log.mockRestore()
})
