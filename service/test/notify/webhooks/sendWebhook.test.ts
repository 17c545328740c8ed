import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { replayDeliveries } from '#notify/webhooks/deliveries.js'
import { rotateSecret } from '#notify/webhooks/endpointSecrets.js'
import { getEndpoint, removeEndpoint } from '#notify/webhooks/endpoints.js'
import { sendWebhook } from '#notify/webhooks/sendWebhook.js'
import { limits } from '../../../../test/limits.js'
import { createWebhookWorld, type WebhookWorld } from '../../helpers/createWebhookWorld.js'
import type { Received } from '../../helpers/startReceiver.js'

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.close())

const wait = (check: () => unknown) => vi.waitFor(check, limits.conditionMs)
const verify = (secret: string, { body, headers }: Received): unknown[] => {
  const svixOnly = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('svix-')))
  return [new Webhook(secret).verify(body, headers), new SvixWebhook(secret).verify(body, svixOnly)]
}
const isVerified = (secret: string, received: Received): boolean => {
  try {
    return verify(secret, received).length === 2
  } catch {
    return false
  }
}

/** Sends to another endpoint, so that everything due before has been fetched. */
const letPass = async (other: Awaited<ReturnType<WebhookWorld['addEndpoint']>>) => {
  const { length } = other.received
  await world.emit({}, { projectId: other.projectId })
  await wait(() => expect(other.received).toHaveLength(length + 1))
}

test('default: a received event is verified by standardwebhooks and by svix', async () => {
  const { id, secret, received } = await world.addEndpoint()
  await world.emit({ token: { id: 'n-1' }, text: 'Füße 🦶' })
  await wait(() => expect(received).toHaveLength(1))
  const [first] = received
  if (!first) return
  const event = {
    type: 'nfts.create.succeeded',
    actionId: 'action',
    startedAt: '1970-01-01T00:00:01.000Z',
    completedAt: '1970-01-01T00:00:02.000Z',
    data: { token: { id: 'n-1' }, text: 'Füße 🦶' },
    resource: `${world.deps.config.publicUrl}/api/2022-06-09/nfts/1`,
    timestamp: expect.any(Number),
  }
  expect(verify(secret, first)).toEqual([event, event])
  expect(first).toMatchObject({ path: '/hook', headers: { 'content-type': 'application/json' } })
  await wait(async () =>
    expect(await world.deliveriesTo(id)).toMatchObject([
      { status: 'succeeded', attempts: 1, last_status: 200, last_failure: null, next_ms: null },
    ]),
  )
})

test("behavior: only the project's endpoints that subscribe to the type receive the event", async () => {
  const wanting = await world.addEndpoint()
  const other = await world.addEndpoint({ eventTypes: ['orders.quote.created'] })
  const foreign = await world.addEndpoint({ project: 'another' })
  await world.emit()
  await wait(() => expect(wanting.received).toHaveLength(1))
  await letPass(foreign)
  expect(other.received).toEqual([])
  expect(foreign.received).toHaveLength(1)
  expect(await world.deliveriesTo(foreign.id)).toHaveLength(1)
  expect(await world.deliveriesTo(other.id)).toEqual([])
})

test('behavior: an event of a rolled back transaction is never sent', async () => {
  const { received, ...endpoint } = await world.addEndpoint()
  await world.emit({ is: 'undone' }, { undo: true })
  await letPass({ received, ...endpoint })
  expect(received.map(({ body }) => JSON.parse(body).data)).toEqual([{}])
  const { rows } = await world.database.executeSql('select id from webhook_events')
  expect(rows).toHaveLength(1)
})

test('behavior: an endpoint that fails, redirects and stalls is retried on the schedule, then no more', async () => {
  await world.close()
  world = await createWebhookWorld({ timeoutMs: 300 })
  const target = await world.addEndpoint()
  const { id, secret, received, state } = target
  const other = await world.addEndpoint({ project: 'other' })
  const answers = ['500', 'redirect', 'stall', '404', 'redirect', '429', 'stall', '503']
  state.answer = (response) => {
    const answer = answers[received.length - 1]
    if (answer === 'redirect') return response.writeHead(302, { location: other.url }).end('secret words')
    if (answer !== 'stall') return response.writeHead(Number(answer)).end('secret words')
  }
  const failures = [
    'answered with status 500',
    'answered with a redirect (302), which is not followed',
    'did not answer in full within 0.3 seconds',
    'answered with status 404',
    'answered with a redirect (302), which is not followed',
    'answered with status 429',
    'did not answer in full within 0.3 seconds',
    'answered with status 503',
  ]
  const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
  await world.emit()
  for (const [at, last_failure] of failures.entries()) {
    const attempts = at + 1
    await wait(async () =>
      expect(await world.deliveriesTo(id)).toMatchObject([{ attempts, last_failure, round: 1 }]),
    )
    const [row] = await world.deliveriesTo(id)
    const delayMs = (seconds[at] ?? 0) * 1_000
    if (!delayMs) {
      expect(row).toMatchObject({ status: 'failed', next_ms: null })
      continue
    }
    expect(row?.status).toBe('pending')
    const plannedMs = Number(row?.next_ms) - Number(row?.updated_ms)
    expect(plannedMs).toBeGreaterThanOrEqual(delayMs)
    expect(plannedMs).toBeLessThanOrEqual(delayMs * 1.1)
    await world.advance(plannedMs / 2)
    await letPass(other)
    expect(received).toHaveLength(attempts)
    await world.advance(plannedMs / 2)
  }
  await world.advance(100 * 3_600_000)
  await letPass(other)
  expect(received).toHaveLength(8)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  // Each attempt has its own timestamp, because receivers refuse one older than a few minutes.
  const times = received.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(times.every((time, at) => at === 0 || time - (times[at - 1] ?? 0) >= (seconds[at - 1] ?? 0))).toBe(
    true,
  )
  expect(received.slice(0, 2).every((one) => isVerified(secret, one))).toBe(true)
  expect(JSON.stringify(await world.deliveriesTo(id))).not.toContain('secret words')
})

test('behavior: an endpoint that stalls delays no other', async () => {
  await world.close()
  // Longer than the test, so no delivery happens because others were given up.
  world = await createWebhookWorld({ timeoutMs: 600_000 })
  const stalling = await world.addEndpoint({ project: 'stalling' })
  stalling.state.answer = () => {}
  const healthy = await world.addEndpoint({ project: 'healthy' })
  for (let count = 0; count < 80; count++) await world.emit({}, { projectId: stalling.projectId })
  await wait(() => expect(stalling.received.length).toBeGreaterThan(0))
  await world.emit({}, { projectId: healthy.projectId })
  await wait(() => expect(healthy.received).toHaveLength(1))
  expect(stalling.received.length).toBeLessThanOrEqual(16)
})

test('behavior: a burst of events to one endpoint arrives completely, each once', async () => {
  const { id, received } = await world.addEndpoint()
  for (let count = 0; count < 40; count++) await world.emit({ count })
  await wait(async () =>
    expect((await world.deliveriesTo(id)).every(({ status }) => status === 'succeeded')).toBe(true),
  )
  expect(new Set(received.map(({ body }) => JSON.parse(body).data.count)).size).toBe(40)
  expect(received).toHaveLength(40)
})

test('behavior: killed after sending and before recording it, it sends the same event again', async () => {
  await world.close()
  world = await createWebhookWorld({ handlers: () => ({}) })
  const { id, received } = await world.addEndpoint()
  await world.emit()
  const [row] = await world.deliveriesTo(id)
  const job = { eventId: row?.event_id ?? '', endpointId: id, round: 1, attempt: 1 }
  const killed = Object.create(world.deps.db, {
    transaction: { value: () => Promise.reject(new Error('killed')) },
  })
  await expect(sendWebhook({ ...world.deps, db: killed })(job)).rejects.toThrow('killed')
  expect(await world.deliveriesTo(id)).toMatchObject([{ status: 'pending', attempts: 0 }])
  await sendWebhook(world.deps)(job)
  expect(await world.deliveriesTo(id)).toMatchObject([{ status: 'succeeded', attempts: 1 }])
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([job.eventId, job.eventId])

  await sendWebhook(world.deps)(job)
  expect(received).toHaveLength(2)
})

test('behavior: a job of an earlier round or attempt does nothing', async () => {
  await world.close()
  world = await createWebhookWorld({ handlers: () => ({}) })
  const { id, received, state } = await world.addEndpoint()
  state.answer = (response) => response.writeHead(500).end()
  await world.emit()
  const [row] = await world.deliveriesTo(id)
  const first = { eventId: row?.event_id ?? '', endpointId: id, round: 1, attempt: 1 }
  const send = sendWebhook(world.deps)
  await send(first)
  await send(first)
  expect(received).toHaveLength(1)
  await replayDeliveries(world.deps, { eventId: first.eventId })
  await send({ ...first, attempt: 2 })
  expect(received).toHaveLength(1)
  await send({ ...first, round: 2 })
  expect(received).toHaveLength(2)
})

test('behavior: during a rotation both secrets verify, after it the new one', async () => {
  const { id, secret, received } = await world.addEndpoint()
  const hourMs = 3_600_000
  const second = await rotateSecret(world.deps, { endpointId: id, keepMs: 24 * hourMs })
  await world.emit()
  await wait(() => expect(received).toHaveLength(1))
  // The libraries use the real time, so events sent later than now are compared by their signatures.
  expect([secret, second.secret].every((one) => received[0] && isVerified(one, received[0]))).toBe(true)
  expect(received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)

  // A secret that ends sooner is not kept longer by the next rotation.
  const third = await rotateSecret(world.deps, { endpointId: id, keepMs: 48 * hourMs })
  const valid = async () =>
    (await getEndpoint(world.deps, { endpointId: id })).secrets.map((one) => one.secret)
  expect(await valid()).toEqual([third.secret, second.secret, secret])
  await world.advance(24 * hourMs)
  expect(await valid()).toEqual([third.secret, second.secret])
  await world.advance(24 * hourMs)
  expect(await valid()).toEqual([third.secret])
  await world.emit()
  await wait(() => expect(received).toHaveLength(2))
  expect(received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/)

  const last = await rotateSecret(world.deps, { endpointId: id, keepMs: 0 })
  expect(await valid()).toEqual([last.secret])
})

test('behavior: a replayed event is the same one in a new round', async () => {
  const { id, received, state } = await world.addEndpoint()
  const untouched = await world.addEndpoint()
  await world.emit({ is: 'told' })
  await wait(() => expect([...received, ...untouched.received]).toHaveLength(2))
  state.answer = (response) => response.writeHead(410).end()
  await world.emit({ is: 'missed' })
  await wait(() => expect([...received, ...untouched.received]).toHaveLength(4))
  // The receiver has the event before the service has recorded the answer.
  await wait(async () =>
    expect(await world.deliveriesTo(id)).toMatchObject([{ last_status: 200 }, { last_status: 410 }]),
  )
  await world.database.executeSql(`update webhook_deliveries set status = 'failed' where last_status = 410`)
  state.answer = (response) => response.writeHead(200).end()

  expect(await replayDeliveries(world.deps, { endpointId: id })).toBe(1)
  await wait(async () =>
    expect(await world.deliveriesTo(id)).toMatchObject([
      { status: 'succeeded', round: 1 },
      { status: 'succeeded', round: 2, attempts: 1 },
    ]),
  )
  const [told, missed, again] = received.map(({ headers }) => headers['webhook-id'])
  expect(again).toBe(missed)
  expect(untouched.received).toHaveLength(2)

  expect(await replayDeliveries(world.deps, { eventId: told ?? '' })).toBe(2)
  await wait(() => expect([...received, ...untouched.received]).toHaveLength(7))
  expect(await replayDeliveries(world.deps, { eventId: told ?? '', endpointId: id })).toBe(1)
  await wait(() => expect(received).toHaveLength(5))
})

test('behavior: a removed endpoint receives nothing more, including pending events', async () => {
  await world.close()
  world = await createWebhookWorld({ handlers: () => ({}) })
  const { id, received } = await world.addEndpoint()
  await world.emit()
  const [row] = await world.deliveriesTo(id)
  await removeEndpoint(world.deps, { endpointId: id })
  const failed = { status: 'failed', last_failure: 'the endpoint was removed' }
  expect(await world.deliveriesTo(id)).toMatchObject([failed])
  await world.emit()
  expect(await world.deliveriesTo(id)).toHaveLength(1)

  // Written by a transaction that did not see the removal.
  await world.database.executeSql(`update webhook_deliveries set status = 'pending'`)
  await sendWebhook(world.deps)({ eventId: row?.event_id ?? '', endpointId: id, round: 1, attempt: 1 })
  expect(await world.deliveriesTo(id)).toMatchObject([failed])
  expect(received).toEqual([])
  const missing = { code: 'not-found', message: expect.stringContaining(id) }
  await expect(replayDeliveries(world.deps, { endpointId: id })).rejects.toMatchObject(missing)
  await expect(getEndpoint(world.deps, { endpointId: id })).rejects.toMatchObject(missing)
  await expect(removeEndpoint(world.deps, { endpointId: id })).rejects.toMatchObject(missing)
})

test('behavior: secrets are neither in the database nor in the log, and the log omits URLs that may contain one', async () => {
  const { id, secret } = await world.addEndpoint({ url: 'http://127.0.0.1:1/hook/very-private-path' })
  await world.emit()
  await wait(async () =>
    expect(await world.deliveriesTo(id)).toMatchObject([
      { attempts: 1, last_status: null, last_failure: 'could not be reached' },
    ]),
  )
  await wait(() => expect(world.logged()).toContain('could not be reached'))
  const { rows } = await world.database.executeSql('select * from webhook_endpoints, webhook_deliveries')
  for (const form of [secret, secret.slice(6)]) expect(JSON.stringify(rows)).not.toContain(form)
  const hex = Buffer.from(secret.slice(6), 'base64').toString('hex')
  expect(JSON.stringify(rows)).not.toContain(hex)
  expect(world.logged()).not.toContain(secret.slice(6))
  expect(world.logged()).not.toContain('very-private-path')
})

test('error: not-found, for an event that went to none of the requested endpoints', async () => {
  const { id } = await world.addEndpoint()
  const foreign = await world.addEndpoint({ project: 'foreign' })
  await world.emit()
  const [row] = await world.deliveriesTo(id)
  const eventId = row?.event_id ?? ''
  for (const input of [{ eventId: 'msg_none' }, { eventId, endpointId: foreign.id }]) {
    await expect(replayDeliveries(world.deps, input)).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining(`there is no event ${input.eventId}`),
    })
  }
})

test('error: its secret cannot be decrypted', async () => {
  const { id, received } = await world.addEndpoint()
  await world.database.executeSql(`update webhook_endpoints set secrets = $1::jsonb where id = $2`, [
    JSON.stringify([{ encrypted: Buffer.alloc(64).toString('base64') }]),
    id,
  ])
  await world.emit()
  await wait(async () =>
    expect(await world.deliveriesTo(id)).toMatchObject([
      { status: 'pending', attempts: 1, last_status: null, last_failure: 'its secret cannot be decrypted' },
    ]),
  )
  const [row] = await world.deliveriesTo(id)
  expect(Number(row?.next_ms)).toBeGreaterThanOrEqual(Number(row?.updated_ms) + 5_000)
  expect(received).toEqual([])
})
