import { createApiKey, createClient, listApiKeys, revokeApiKey, rollApiKey } from 'kassa/api'
import { CreatedApiKey } from 'kassa/schema'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { openConsole } from '../../helpers/openConsole.js'

const shop = openBeforeAll(createShop)

const path = '/api/2022-06-09/api-keys'
const serverKey = { name: 'Fulfilment', scopes: ['orders.read', 'nfts.create'] }

/** The status that a key gets when it lists orders. */
const statusOf = async (key: string): Promise<number> =>
  (await shop.send('GET', '/api/2022-06-09/orders', { key })).status

const createRaw = (scopes: string[], projectId = shop.projectId) =>
  createKey(shop.deps, {
    kind: 'server' as const,
    environment: shop.deps.config.environment,
    projectId,
    scopes,
    origins: [],
  })

const clientOf = (apiKey: string) =>
  createClient({
    baseUrl: 'http://localhost/api',
    apiKey,
    fetch: async (input, init) => shop.app.request(String(input), init),
  })

describe('createApiKey', () => {
  test('default: the key opens what its scopes allow, and is shown only once', async () => {
    const { key, ...created } = await createApiKey(shop.client, { body: serverKey })
    expect(key).toMatch(/^sk_staging_/)
    expect(created).toMatchObject({ ...serverKey, kind: 'server', origins: [], status: 'active' })
    expect(created.lastUsedAt).toBeUndefined()
    expect(await statusOf(key)).toBe(200)
    const { data } = await listApiKeys(shop.client)
    expect(data[0]).toEqual({ ...created, lastUsedAt: expect.any(String) })
    expect(JSON.stringify(data)).not.toContain(key)
    expect(JSON.stringify(data)).not.toMatch(/secretHash|[0-9a-f]{64}/)
    expect(shop.logged()).not.toContain(key)
  })

  test('parameters: a client key', async () => {
    const body = { name: 'Shop pages', kind: 'client' as const, origins: ['https://shop.example/'] }
    const created = await createApiKey(shop.client, { body })
    expect(created.key).toMatch(/^ck_staging_/)
    expect(created).toMatchObject({ scopes: ['orders.create'], origins: ['https://shop.example'] })
  })

  test('behavior: repeated under one idempotency key, it creates one', async () => {
    const idempotencyKey = 'a repeated creation of a key'
    const first = await createApiKey(shop.client, { body: { ...serverKey, name: 'Once' }, idempotencyKey })
    const again = await createApiKey(shop.client, { body: { ...serverKey, name: 'Once' }, idempotencyKey })
    expect(again).toEqual(first)
    const { data } = await listApiKeys(shop.client, { perPage: 100 })
    expect(data.filter(({ name }) => name === 'Once')).toHaveLength(1)
    const { rows } = (await shop.database.executeSql(
      'select t::text as row from idempotency_keys t',
      [],
    )) as {
      rows: { row: string }[]
    }
    expect(rows.map(({ row }) => row).join()).not.toContain(first.key)
  })

  test.each([
    [{ scopes: ['orders.read'] }, 'name: '],
    [{ ...serverKey, scopes: [] }, 'scopes: expected at least one'],
    [{ ...serverKey, scopes: ['orders.fly'] }, 'scopes: there is no scope orders.fly'],
    [{ ...serverKey, kind: 'admin' }, 'kind: expected'],
    [{ ...serverKey, origins: ['https://shop.example'] }, 'origin: only client keys'],
    [{ name: 'Pages', kind: 'client' }, 'origin: a client key needs at least one'],
    [{ name: 'Pages', kind: 'client', scopes: ['orders.read'] }, 'scopes: a client key may only have'],
  ])('error: bad-request: %j', async (body, message) => {
    const response = await shop.send('POST', path, { body })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(message)
  })

  test('error: forbidden: scopes that the caller lacks', async () => {
    const key = await createRaw(['keys.manage', 'orders.read'])
    for (const scopes of [['orders.refund'], ['orders.read', 'wallets.create']]) {
      const response = await shop.send('POST', path, { key, body: { name: 'More', scopes } })
      expect(response.status).toBe(403)
      expect(await response.text()).toContain(`lacks the scope ${scopes.at(-1)}`)
    }
    const client = { name: 'Pages', kind: 'client', origins: ['https://shop.example'] }
    expect((await shop.send('POST', path, { key, body: client })).status).toBe(403)
    const allowed = await shop.send('POST', path, { key, body: { name: 'Same', scopes: ['orders.read'] } })
    expect(allowed.status).toBe(201)
  })
})

describe('rollApiKey', () => {
  test('default: the new key has the same permissions, and the old one is refused at once', async () => {
    const old = await createApiKey(shop.client, { body: serverKey })
    expect(await statusOf(old.key)).toBe(200)
    const rolled = await rollApiKey(shop.client, { keyId: old.keyId })
    expect(rolled).toMatchObject({ ...serverKey, status: 'active' })
    expect(rolled.key).not.toBe(old.key)
    expect(await statusOf(old.key)).toBe(401)
    expect(await statusOf(rolled.key)).toBe(200)
  })

  test('parameters: keepHours: the old key works for so long, also from memory', async () => {
    const old = await createApiKey(shop.client, { body: serverKey })
    await rollApiKey(shop.client, { keyId: old.keyId, body: { keepHours: 2 } })
    expect(await statusOf(old.key)).toBe(200)
    const find = async () =>
      (await listApiKeys(shop.client, { perPage: 100 })).data.find(({ keyId }) => keyId === old.keyId)
    expect((await find())?.status).toBe('expiring')
    await shop.advance(2 * 3_600_000 - 2_000)
    expect(await statusOf(old.key)).toBe(200)
    await shop.advance(2_100)
    expect(await statusOf(old.key)).toBe(401)
    expect((await find())?.status).toBe('revoked')
  })

  test('error: conflict: a key that is rolled or revoked', async () => {
    const [first, second] = [
      await createApiKey(shop.client, { body: serverKey }),
      await createApiKey(shop.client, { body: serverKey }),
    ]
    await rollApiKey(shop.client, { keyId: first.keyId, body: { keepHours: 1 } })
    await revokeApiKey(shop.client, { keyId: second.keyId })
    for (const { keyId } of [first, second]) {
      await expect(rollApiKey(shop.client, { keyId })).rejects.toMatchObject({ code: 'api.conflict' })
    }
  })

  test('error: forbidden: a key with scopes that the caller lacks', async () => {
    const strong = await createApiKey(shop.client, { body: { name: 'Strong', scopes: ['orders.refund'] } })
    const weak = clientOf(await createRaw(['keys.manage']))
    await expect(rollApiKey(weak, { keyId: strong.keyId })).rejects.toMatchObject({ code: 'api.forbidden' })
    const { data } = await listApiKeys(shop.client, { perPage: 100 })
    expect(data.find(({ keyId }) => keyId === strong.keyId)?.status).toBe('active')
  })

  test('error: bad-request: keepHours', async () => {
    const { keyId } = await createApiKey(shop.client, { body: serverKey })
    for (const keepHours of [-1, 169, 1.5]) {
      await expect(rollApiKey(shop.client, { keyId, body: { keepHours } })).rejects.toMatchObject({
        code: 'api.bad-request',
      })
    }
  })
})

describe('revokeApiKey', () => {
  test('default: the key is refused at once, also one that was rolled', async () => {
    const { key, keyId } = await createApiKey(shop.client, { body: serverKey })
    await rollApiKey(shop.client, { keyId, body: { keepHours: 24 } })
    expect(await statusOf(key)).toBe(200)
    expect((await revokeApiKey(shop.client, { keyId })).status).toBe('revoked')
    expect(await statusOf(key)).toBe(401)
  })

  test("error: not-found: another project's key, which stays", async () => {
    const otherId = await createProject(shop.deps.db, 'other keys')
    const other = clientOf(await createRaw(['keys.manage', 'orders.read'], otherId))
    const { key, keyId } = await createApiKey(shop.client, { body: serverKey })
    await expect(revokeApiKey(other, { keyId })).rejects.toMatchObject({ code: 'api.not-found' })
    await expect(rollApiKey(other, { keyId })).rejects.toMatchObject({ code: 'api.not-found' })
    expect((await listApiKeys(other)).data).toHaveLength(1)
    expect(await statusOf(key)).toBe(200)
  })
})

test('behavior: the use of a key is recorded, to the hour', async () => {
  const { key, keyId } = await createApiKey(shop.client, { body: serverKey })
  const find = async () =>
    (await listApiKeys(shop.client, { perPage: 100 })).data.find((one) => one.keyId === keyId)?.lastUsedAt
  await statusOf(key)
  const first = await find()
  expect(first).toEqual(expect.any(String))
  await shop.advance(59 * 60_000)
  await statusOf(key)
  expect(await find()).toBe(first)
  await shop.advance(60_000)
  await statusOf(key)
  expect(Date.parse((await find()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''))
})

test('behavior: an owner manages keys in the console, and the audit log names them without the key', async () => {
  const browser = await openConsole(shop, { email: 'owner@example.com' })
  const created = z.parse(
    CreatedApiKey,
    await (await browser.request('POST', path, { body: serverKey })).json(),
  )
  expect(created.key).toMatch(/^sk_staging_/)
  expect((await browser.request('POST', `${path}/${created.keyId}/roll`, { body: {} })).status).toBe(201)
  expect((await browser.request('DELETE', `${path}/${created.keyId}`)).status).toBe(200)
  const { data } = await browser.read<{ data: { operation: string; resource: string }[] }>(
    'GET',
    '/api/2022-06-09/audit-log',
  )
  expect(data.slice(0, 3)).toMatchObject([
    { operation: 'revokeApiKey', resource: `keyId=${created.keyId} name=Fulfilment` },
    {
      operation: 'rollApiKey',
      resource: expect.stringMatching(`^keyId=${created.keyId} new=[0-9a-f-]{36} `),
    },
    { operation: 'createApiKey', resource: `new=${created.keyId} name=Fulfilment`, outcome: 'succeeded' },
  ])
  expect(JSON.stringify(data)).not.toContain(created.key)
  expect(shop.logged()).not.toContain(created.key)
})
