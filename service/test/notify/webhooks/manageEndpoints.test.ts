import {
  createClient,
  createWebhookEndpoint,
  getWebhookDelivery,
  getWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  resendWebhook,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhookEndpoint,
} from 'kassa/api'
import { WebhookEndpointSecret } from 'kassa/schema'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { scopes } from '#base/scopes.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { limits } from '../../../../test/limits.js'
import { createWebhookWorld, type WebhookWorld } from '../../helpers/createWebhookWorld.js'
import { openConsole } from '../../helpers/openConsole.js'
import { type Receiver, startReceiver } from '../../helpers/startReceiver.js'

let world: WebhookWorld
let receiver: Receiver
beforeEach(async () => {
  world = await createWebhookWorld()
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await world.close()
})

const answerWith = (status: number): void => {
  receiver.state.answer = (response) => response.writeHead(status).end()
}

const clientOf = (apiKey: string) =>
  createClient({
    baseUrl: 'http://localhost/api',
    apiKey,
    fetch: async (input, init) => world.app.request(String(input), init),
  })
const client = () => clientOf(world.serverKey)
const wait = (check: () => unknown) => vi.waitFor(check, { timeout: limits.conditionMs, interval: 20 })
const eventTypes = ['nfts.create.succeeded' as const]
const create = () => createWebhookEndpoint(client(), { body: { url: receiver.url, eventTypes } })

/** The delivery of the latest event, once it has ended. */
const ended = async (endpointId: string, status = 'succeeded') => {
  const read = async () => (await listWebhookDeliveries(client(), { endpointId })).data[0]
  await wait(async () => expect((await read())?.status).toBe(status))
  const found = await read()
  if (!found) throw new Error('no delivery')
  return getWebhookDelivery(client(), { endpointId, eventId: found.eventId })
}

describe('createWebhookEndpoint', () => {
  test('default: it receives events that its secret signs, and shows the secret only once', async () => {
    const { secret, ...endpoint } = await create()
    expect(endpoint).toMatchObject({ url: receiver.url, eventTypes, status: 'enabled' })
    await world.emit({ token: { id: '1' } })
    await wait(() => expect(receiver.received).toHaveLength(1))
    const [first] = receiver.received
    if (first) new Webhook(secret).verify(first.body, first.headers)
    const { endpointId } = endpoint
    const shown = [
      await getWebhookEndpoint(client(), { endpointId }),
      ...(await listWebhookEndpoints(client())).data,
      await updateWebhookEndpoint(client(), { endpointId, body: { eventTypes } }),
      await removeWebhookEndpoint(client(), { endpointId }),
    ]
    expect(shown).toEqual([endpoint, endpoint, endpoint, endpoint])
    expect(world.logged()).not.toContain(secret)
  })

  test.each([
    [{ eventTypes }, 'url: '],
    [{ url: 'hook', eventTypes }, 'url: expected an http or https URL'],
    [{ url: 'https://a:b@shop.example/', eventTypes }, 'url: must not contain a user name'],
    [{ url: 'https://shop.example/', eventTypes: [] }, 'eventTypes: expected at least one'],
    [{ url: 'https://shop.example/', eventTypes: ['fly'] }, 'eventTypes[0]: expected a type of event'],
    [{ url: `https://shop.example/${'a'.repeat(2_048)}`, eventTypes }, 'url: expected 2048'],
  ])('error: bad-request: %j', async (body, message) => {
    const response = await world.app.request('/api/2022-06-09/webhook-endpoints', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': world.serverKey },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(message)
  })

  test('error: bad-request: an address that the deployment guards', async () => {
    const { ServiceError } = await import('#base/errors.js')
    world.deps.checkEndpointUrl = async () => {
      throw new ServiceError('input-invalid', 'leads to an address that is not public')
    }
    await expect(create()).rejects.toMatchObject({
      context: { message: 'url: leads to an address that is not public' },
    })
    expect((await listWebhookEndpoints(client())).data).toEqual([])
  })
})

describe('updateWebhookEndpoint', () => {
  test('parameters: status: a disabled endpoint receives nothing, and its waiting events fail', async () => {
    const { endpointId } = await create()
    answerWith(500)
    await world.emit({})
    await wait(() => expect(receiver.received).toHaveLength(1))
    await wait(async () => expect((await world.deliveriesTo(endpointId))[0]?.attempts).toBe(1))
    const disabled = await updateWebhookEndpoint(client(), { endpointId, body: { status: 'disabled' } })
    expect(disabled.status).toBe('disabled')
    expect(await world.deliveriesTo(endpointId)).toMatchObject([
      { status: 'failed', last_failure: 'the endpoint is disabled', next_ms: null },
    ])
    await world.emit({})
    const { data } = await listWebhookDeliveries(client(), { endpointId })
    expect(data).toHaveLength(1)
    const eventId = data[0]?.eventId ?? ''
    for (const act of [
      () => sendTestEvent(client(), { endpointId }),
      () => resendWebhook(client(), { endpointId, eventId }),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'api.conflict' })
    }

    answerWith(200)
    await updateWebhookEndpoint(client(), { endpointId, body: { status: 'enabled' } })
    await resendWebhook(client(), { endpointId, eventId })
    expect((await ended(endpointId)).eventId).toBe(eventId)
  })

  test('parameters: url and eventTypes', async () => {
    const { endpointId } = await create()
    const body = { url: `${receiver.url}/moved`, eventTypes: ['nfts.create.failed' as const] }
    expect(await updateWebhookEndpoint(client(), { endpointId, body })).toMatchObject(body)
    await world.emit({})
    expect((await listWebhookDeliveries(client(), { endpointId })).data).toEqual([])
  })

  test.each([[{}], [{ colour: 'red' }], [{ status: 'paused' }]])('error: bad-request: %j', async (body) => {
    const { endpointId } = await create()
    await expect(updateWebhookEndpoint(client(), { endpointId, body: body as never })).rejects.toMatchObject({
      code: 'api.bad-request',
    })
  })
})

test('default: a test event, its attempts and its body; and sent once more', async () => {
  const { endpointId, secret } = await create()
  const sent = await sendTestEvent(client(), { endpointId })
  expect(sent).toMatchObject({ endpointId, type: 'webhooks.test', status: 'pending', attemptCount: 0 })
  const delivered = await ended(endpointId)
  expect(delivered).toMatchObject({ eventId: sent.eventId, attemptCount: 1, lastStatus: 200 })
  expect(delivered.attempts).toEqual([
    { at: expect.any(String), status: 200, durationMs: expect.any(Number) },
  ])
  const [first] = receiver.received
  expect(delivered.body).toBe(first?.body)
  expect(new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})).toMatchObject({
    type: 'webhooks.test',
    data: { endpointId },
  })

  answerWith(503)
  expect(await resendWebhook(client(), { endpointId, eventId: sent.eventId })).toMatchObject({
    status: 'pending',
    attemptCount: 0,
  })
  await wait(() => expect(receiver.received).toHaveLength(2))
  expect(receiver.received[1]?.headers['webhook-id']).toBe(sent.eventId)
  await wait(async () => expect((await world.deliveriesTo(endpointId))[0]?.attempts).toBe(1))
  const { attempts, failure } = await getWebhookDelivery(client(), { endpointId, eventId: sent.eventId })
  expect(failure).toBe('answered with status 503')
  expect(attempts).toMatchObject([{ status: 503, failure: 'answered with status 503' }, { status: 200 }])
})

test('behavior: a repeated test under one idempotency key sends one event', async () => {
  const { endpointId } = await create()
  const idempotencyKey = 'a repeated test of an endpoint'
  const [first, again] = [
    await sendTestEvent(client(), { endpointId, idempotencyKey }),
    await sendTestEvent(client(), { endpointId, idempotencyKey }),
  ]
  expect(again).toEqual(first)
  expect((await listWebhookDeliveries(client(), { endpointId })).data).toHaveLength(1)
})

test('default: rotateWebhookSecret: both secrets sign for a time', async () => {
  const { endpointId, secret: old } = await create()
  const { secret } = await rotateWebhookSecret(client(), { endpointId, body: { keepHours: 1 } })
  expect(secret).toMatch(/^whsec_/)
  await sendTestEvent(client(), { endpointId })
  await wait(() => expect(receiver.received).toHaveLength(1))
  const [first] = receiver.received
  for (const each of [old, secret]) new Webhook(each).verify(first?.body ?? '', first?.headers ?? {})
  await rotateWebhookSecret(client(), { endpointId, body: { keepHours: 0 } })
  await sendTestEvent(client(), { endpointId })
  await wait(() => expect(receiver.received).toHaveLength(2))
  const second = receiver.received[1]
  expect(() => new Webhook(secret).verify(second?.body ?? '', second?.headers ?? {})).toThrow()
})

test('default: removeWebhookEndpoint: it is gone, and its events with it', async () => {
  const { endpointId } = await create()
  const { eventId } = await sendTestEvent(client(), { endpointId })
  await removeWebhookEndpoint(client(), { endpointId })
  for (const act of [
    () => getWebhookEndpoint(client(), { endpointId }),
    () => listWebhookDeliveries(client(), { endpointId }),
    () => getWebhookDelivery(client(), { endpointId, eventId }),
    () => resendWebhook(client(), { endpointId, eventId }),
    () => removeWebhookEndpoint(client(), { endpointId }),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: 'api.not-found' })
  }
})

test("error: not-found: another project's endpoint and event, which stay", async () => {
  const { endpointId } = await create()
  const { eventId } = await sendTestEvent(client(), { endpointId })
  await ended(endpointId)
  const { environment } = world.deps.config
  const projectId = await createProject(world.deps.db, 'others')
  const other = clientOf(
    await createKey(world.deps, { kind: 'server', environment, projectId, scopes, origins: [] }),
  )
  const own = await createWebhookEndpoint(other, { body: { url: receiver.url, eventTypes } })
  for (const act of [
    () => getWebhookEndpoint(other, { endpointId }),
    () => updateWebhookEndpoint(other, { endpointId, body: { status: 'disabled' } }),
    () => rotateWebhookSecret(other, { endpointId }),
    () => removeWebhookEndpoint(other, { endpointId }),
    () => sendTestEvent(other, { endpointId }),
    () => listWebhookDeliveries(other, { endpointId }),
    () => getWebhookDelivery(other, { endpointId, eventId }),
    () => resendWebhook(other, { endpointId, eventId }),
    () => resendWebhook(other, { endpointId: own.endpointId, eventId }),
    () => getWebhookDelivery(other, { endpointId: own.endpointId, eventId }),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: 'api.not-found' })
  }
  expect((await getWebhookEndpoint(client(), { endpointId })).status).toBe('enabled')
  expect((await listWebhookEndpoints(other)).data).toMatchObject([{ endpointId: own.endpointId }])
  expect((await world.deliveriesTo(endpointId))[0]?.round).toBe(1)
})

test('behavior: the audit log names the host of an endpoint, and none of its secrets', async () => {
  const browser = await openConsole(world)
  const path = '/api/2022-06-09/webhook-endpoints'
  const body = { url: 'https://shop.example/hook?token=hidden', eventTypes }
  const answer = await browser.request('POST', path, { body })
  const { endpointId, secret } = z.parse(WebhookEndpointSecret, await answer.json())
  await browser.request('PATCH', `${path}/${endpointId}`, { body: { status: 'disabled' } })
  await browser.request('DELETE', `${path}/${endpointId}`)
  const log = await browser.read<{ data: object[] }>('GET', '/api/2022-06-09/audit-log')
  expect(log.data.slice(0, 3)).toMatchObject([
    { operation: 'removeWebhookEndpoint', resource: `endpointId=${endpointId} host=shop.example` },
    {
      operation: 'updateWebhookEndpoint',
      resource: `endpointId=${endpointId} host=shop.example status=disabled`,
    },
    { operation: 'createWebhookEndpoint', resource: `new=${endpointId} host=shop.example` },
  ])
  expect(JSON.stringify(log)).not.toContain('hidden')
  expect(JSON.stringify(log)).not.toContain(secret)
})
