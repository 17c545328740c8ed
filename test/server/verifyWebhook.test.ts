import fc from 'fast-check'
import { verifyWebhook } from 'kassa/server'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import { members } from '../../src/schema/index.js'
import { orders } from '../../stories/fixtures/orders.js'
import { failureOf } from '../helpers/failureOf.js'
import { transactionFixture } from '../helpers/walletFixtures.js'
import { orderEvent, otherSecret, post, secret, sentAt, sign } from './signed.js'

const now = () => sentAt.getTime()

/** The event as it is received. */
const received = { ...orderEvent, id: 'msg_1' }

/** Verifies at the moment it was sent. */
const verify = (
  request: Parameters<typeof verifyWebhook>[0],
  by: string | readonly string[] = secret,
  options: Parameters<typeof verifyWebhook>[2] = {},
) => verifyWebhook(request, by, { now, ...options })

const codeOf = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).code

describe('verifyWebhook', () => {
  test('default', async () => {
    const event = await verify(post(orderEvent))
    expect(event).toEqual(received)
    if (event.type !== 'orders.delivery.completed') throw new Error('another type')
    expect(event.data.orderId).toBe(orders.completed.orderId)
  })

  test('default: the clock is this server’s', async () => {
    const body = JSON.stringify(orderEvent)
    const request = new Request('https://shop.example', {
      method: 'POST',
      body,
      headers: sign(body, { at: new Date() }),
    })
    expect(await verifyWebhook(request, secret)).toEqual(received)
  })

  test('behavior: its id is that of the webhook, the same each time it comes', async () => {
    const again = { ...orderEvent, id: 'what the body says counts for nothing' }
    const headers = sign(JSON.stringify(again), { id: 'msg_7' })
    expect((await verify(post(again, headers))).id).toBe('msg_7')
  })

  test('behavior: the same webhook passes in both public libraries', async () => {
    const body = JSON.stringify(orderEvent)
    const now = new Date()
    const headers = sign(body, { at: now })
    expect(new Webhook(secret).verify(body, headers)).toEqual(orderEvent)
    expect(new SvixWebhook(secret).verify(body, headers)).toEqual(orderEvent)
    expect(await verifyWebhook({ headers, body }, secret)).toEqual(received)
  })

  test('behavior: signed by svix, under its names', async () => {
    const body = JSON.stringify(orderEvent)
    const headers = {
      'svix-id': 'msg_2',
      'svix-timestamp': String(sentAt.getTime() / 1_000),
      'svix-signature': new SvixWebhook(secret).sign('msg_2', sentAt, body),
    }
    expect(await verify(new Request('https://a.example', { method: 'POST', body, headers }))).toEqual({
      ...received,
      id: 'msg_2',
    })
  })

  test.each(members.webhookEventTypes)('behavior: %s has the data of its type', async (type) => {
    const [area = ''] = type.split('.')
    const ofArea: Readonly<Record<string, object>> = {
      orders: orders.completed,
      wallets: transactionFixture('x'),
    }
    const data = ofArea[area] ?? { chain: 'base', token: { id: 'one' } }
    expect(await verify(post({ type, data }))).toEqual({ type, data, id: 'msg_1' })
    expect(await codeOf(verify(post({ type, data: 'none' })))).toBe('webhook.body-invalid')
  })

  test('behavior: fields and types of a newer service are kept', async () => {
    const event = { type: 'subscriptions.renewed', data: [1, null], newField: { deep: true } }
    expect(await verify(post(event))).toEqual({ ...event, id: 'msg_1' })
    const more = { ...orderEvent, newField: 1, data: { ...orderEvent.data, newField: 2, phase: 'returned' } }
    expect(await verify(post(more))).toEqual({ ...more, id: 'msg_1' })
    expect(await verify(post({ type: 'nothing.to.tell' }))).toEqual({ type: 'nothing.to.tell', id: 'msg_1' })
  })

  test('parameters: request as headers and raw body', async () => {
    const body = JSON.stringify(orderEvent)
    const signed = sign(body)
    const { 'webhook-id': id, ...others } = signed
    const headers = { ...others, 'Webhook-Id': [id], host: undefined }
    const bytes = new TextEncoder().encode(body)
    for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)])
      expect(await verify({ headers, body: raw })).toEqual(received)
    expect(await verify({ headers: new Headers(signed), body })).toEqual(received)
  })

  test('behavior: a body that comes in pieces, cut inside a letter', async () => {
    const body = JSON.stringify(orderEvent)
    const bytes = new TextEncoder().encode(body)
    let at = 0
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(bytes.slice(at, at + 7))
        at += 7
        if (at >= bytes.length) controller.close()
      },
    })
    const init = { method: 'POST', body: stream, headers: sign(body), duplex: 'half' }
    expect(await verify(new Request('https://a.example', init))).toEqual(received)
  })

  test('parameters: secret, several during a rotation', async () => {
    expect(await verify(post(orderEvent), [otherSecret, secret])).toEqual(received)
    expect(await verify(post(orderEvent), [secret, otherSecret])).toEqual(received)
  })

  test('behavior: one of several signatures suffices, and those of other versions are passed over', async () => {
    const body = JSON.stringify(orderEvent)
    const right = sign(body)['webhook-signature']
    const wrong = sign(body, { by: otherSecret })['webhook-signature']
    const send = (signature: string) => verify(post(body, { 'webhook-signature': signature }))
    expect(await send(`v1a,abc ${wrong} v1,%%% v1 ${right}`)).toEqual(received)
    expect(await codeOf(send(right.replace('v1,', 'v2,')))).toBe('webhook.signature-invalid')
    expect(await codeOf(send('v1, v1,AAAA'))).toBe('webhook.signature-invalid')
  })

  test.each([
    [-300, undefined],
    [300, undefined],
    [-301, undefined],
    [301, undefined],
    [-10, 10],
    [11, 10],
    [0, Number.NaN],
  ])('parameters: sent %s s from now, tolerance %s', async (aheadSeconds, toleranceSeconds) => {
    const isTolerated = Math.abs(aheadSeconds) <= (toleranceSeconds ?? 300)
    // The last moment of the second in which it still passes.
    const atMs = sentAt.getTime() - aheadSeconds * 1_000 + 999
    const verified = verify(post(orderEvent), secret, { now: () => atMs, toleranceSeconds })
    if (isTolerated) expect(await verified).toEqual(received)
    else expect(await codeOf(verified)).toBe('webhook.timestamp-invalid')
  })

  test.each(['', 'soon', '1e9', '-5', '1767323045.5', '99999999999999'])(
    'error: a timestamp that is none: %s',
    async (timestamp) => {
      const request = post(orderEvent, { 'webhook-timestamp': timestamp })
      expect(await codeOf(verify(request))).toBe(
        timestamp ? 'webhook.timestamp-invalid' : 'webhook.headers-missing',
      )
    },
  )

  test('error: webhook.headers-missing names them', async () => {
    const body = JSON.stringify(orderEvent)
    const { 'webhook-id': _, ...headers } = sign(body)
    expect(await failureOf(verify({ headers, body }))).toMatchObject({
      code: 'webhook.headers-missing',
      context: { missing: ['webhook-id'] },
    })
    expect((await failureOf(verify({ headers: {}, body }))).message).toContain(
      'webhook-id, webhook-timestamp, webhook-signature',
    )
  })

  test('error: webhook.signature-invalid for another secret, id or time', async () => {
    expect(await codeOf(verify(post(orderEvent), otherSecret))).toBe('webhook.signature-invalid')
    for (const changed of [
      { 'webhook-id': 'msg_2' },
      { 'webhook-timestamp': String(sentAt.getTime() / 1_000 + 1) },
    ])
      expect(await codeOf(verify(post(orderEvent, changed)))).toBe('webhook.signature-invalid')
  })

  test('error: no byte can be changed, added or left out', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(orderEvent))
    const headers = sign(JSON.stringify(orderEvent))
    const index = fc.nat({ max: bytes.length - 1 })
    const changed = fc.oneof(
      fc
        .tuple(index, fc.integer({ min: 1, max: 255 }))
        .map(([at, by]) => bytes.map((byte, place) => (place === at ? byte ^ by : byte))),
      fc
        .tuple(index, fc.nat({ max: 255 }))
        .map(([at, byte]) => Uint8Array.from([...bytes.slice(0, at), byte, ...bytes.slice(at)])),
      index.map((at) => Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at + 1)])),
      fc.uint8Array({ maxLength: 200 }).map((some) => Uint8Array.from(some)),
    )
    await fc.assert(
      fc.asyncProperty(changed, async (body) => {
        expect(await codeOf(verify({ headers, body }))).toBe('webhook.signature-invalid')
      }),
      { numRuns: 500 },
    )
  })

  test('error: no bit of a signature can be changed', async () => {
    const body = JSON.stringify(orderEvent)
    const right = atob(sign(body)['webhook-signature'].slice('v1,'.length))
    const bit = fc.tuple(fc.nat({ max: right.length - 1 }), fc.nat({ max: 7 }))
    await fc.assert(
      fc.asyncProperty(bit, async ([at, place]) => {
        const flipped = String.fromCharCode(right.charCodeAt(at) ^ (1 << place))
        const wrong = `v1,${btoa(right.slice(0, at) + flipped + right.slice(at + 1))}`
        const headers = { ...sign(body), 'webhook-signature': wrong }
        expect(await codeOf(verify({ headers, body }))).toBe('webhook.signature-invalid')
      }),
      { numRuns: 256 },
    )
    const half = `v1,${btoa(right.slice(0, 16))}`
    expect(await codeOf(verify(post(body, { 'webhook-signature': half })))).toBe('webhook.signature-invalid')
  })

  test('error: webhook.body-invalid names the place, not what stands there', async () => {
    const data = { ...orders.completed, quote: { status: 7 } }
    expect(await failureOf(verify(post({ type: 'orders.quote.updated', data })))).toMatchObject({
      code: 'webhook.body-invalid',
      context: { reason: 'data.quote.status is missing or malformed' },
    })
    for (const body of ['{"type":', '[]', 'null', '{}', '{"type":7}', '""'])
      expect(await codeOf(verify(post(body)))).toBe('webhook.body-invalid')
    const notText = Buffer.from('{"type":"new.\xff"}', 'latin1')
    const key = await crypto.subtle.importKey(
      'raw',
      Uint8Array.from(atob(secret.slice(6)), (letter) => letter.charCodeAt(0)),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    )
    const signed = Buffer.concat([Buffer.from(`msg_1.${sentAt.getTime() / 1_000}.`), notText])
    const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, signed)).toString('base64')
    const headers = { ...sign(''), 'webhook-signature': `v1,${signature}` }
    expect(await codeOf(verify({ headers, body: notText }))).toBe('webhook.body-invalid')
  })

  test('error: webhook.body-invalid for a body that something else has read', async () => {
    const read = post(orderEvent)
    await read.json()
    expect((await failureOf(verify(read))).message).toContain('already read or parsed')
    const held = post(orderEvent)
    held.body?.getReader()
    expect(await codeOf(verify(held))).toBe('webhook.body-invalid')
    // What a framework's body parser leaves, past the types.
    const parsed: { body: string } = JSON.parse(JSON.stringify({ body: orderEvent }))
    const headers = sign(JSON.stringify(orderEvent))
    expect((await failureOf(verify({ headers, body: parsed.body }))).message).toContain(
      'already read or parsed',
    )
  })

  test('error: webhook.body-too-large, without waiting for its end', async () => {
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => {
        isCancelled = true
      },
    })
    const init = { method: 'POST', body: endless, headers: sign(''), duplex: 'half' }
    expect(await failureOf(verify(new Request('https://a.example', init)))).toMatchObject({
      code: 'webhook.body-too-large',
      context: { limitBytes: 1_048_576 },
    })
    expect(isCancelled).toBe(true)
    const body = JSON.stringify(orderEvent)
    const maxBytes = new TextEncoder().encode(body).length
    expect(await verify(post(body), secret, { maxBytes })).toEqual(received)
    expect(await codeOf(verify(post(body), secret, { maxBytes: maxBytes - 1 }))).toBe(
      'webhook.body-too-large',
    )
    expect(await codeOf(verify({ headers: sign(body), body }, secret, { maxBytes: 9 }))).toBe(
      'webhook.body-too-large',
    )
  })

  test.each(['', 'whsec_', 'whsec_%', 'sk_staging_abc', secret.slice(6)])(
    'error: webhook.secret-invalid: %s',
    async (wrong) => {
      expect(await codeOf(verify(post(orderEvent), wrong))).toBe('webhook.secret-invalid')
      expect(await codeOf(verify(post(orderEvent), [secret, wrong]))).toBe('webhook.secret-invalid')
    },
  )

  test('error: webhook.secret-invalid when there is none', async () => {
    expect(await codeOf(verify(post(orderEvent), []))).toBe('webhook.secret-invalid')
  })

  test('error: a refusal tells neither the secret nor the body', async () => {
    const hidden = 'what-no-one-may-read'
    const wrong = `sk_${hidden}`
    const refused = [
      () => verify(post({ type: 'orders.quote.created', data: hidden })),
      () => verify(post(`{"${hidden}`)),
      () => verify(post(orderEvent, { 'webhook-id': hidden })),
      () => verify(post(orderEvent, { 'webhook-timestamp': hidden })),
      () => verify(post({ ...orderEvent, type: hidden }), otherSecret),
      () => verify(post(orderEvent), wrong),
      () => verify(post(hidden), secret, { maxBytes: 3 }),
    ]
    for (const send of refused) {
      const error = await failureOf(send())
      expect(JSON.stringify({ ...error, message: error.message, cause: String(error.cause) })).not.toMatch(
        new RegExp(`${hidden}|${secret.slice(6)}|${otherSecret.slice(6)}`),
      )
    }
  })
})
