import { createCollection, getAction } from 'kassa/api'
import { beforeEach, expect, test } from 'vitest'
import type { Scope } from '#base/scopes.js'
import { finishAction } from '#goods/actions/actions.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { teaBody } from '../../helpers/createCollectionWorld.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)
let actionId: string
beforeEach(async () => {
  const collection = await createCollection(shop.client, { body: teaBody })
  actionId = collection.actionId ?? ''
})

const get = (id: string, key = shop.serverKey) => shop.send('GET', `/api/2022-06-09/actions/${id}`, { key })
const keyOf = (scopes: Scope[], projectId = shop.projectId) =>
  createKey(shop.deps, { environment: 'staging', projectId, kind: 'server', origins: [], scopes })

test('default', async () => {
  const action = await getAction(shop.client, { actionId })
  expect(action).toEqual({
    actionId,
    action: 'collections.create',
    status: 'pending',
    data: {
      chain: 'base-sepolia',
      collection: { id: expect.any(String), contractAddress: expect.stringMatching(/^0x/) },
    },
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    resource: `http://localhost:4000/api/2022-06-09/collections/${action.data.collection?.id}`,
  })
})

test('behavior: an ended action stays as it ended', async () => {
  const { db } = shop.deps
  const end = (status: 'succeeded' | 'failed', txId: string) =>
    db.transaction((tx) => finishAction(shop.deps, tx, actionId, { status, data: { txId } }))
  await end('succeeded', '0x1')
  const first = await getAction(shop.client, { actionId })
  expect(first).toMatchObject({ status: 'succeeded', data: { chain: 'base-sepolia', txId: '0x1' } })
  expect(Date.parse(first.completedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first.startedAt))
  await end('failed', '0x2')
  expect(await getAction(shop.client, { actionId })).toEqual(first)
})

test('behavior: each of the scopes is enough, and no other', async () => {
  for (const scope of ['nfts.create', 'nfts.delete', 'collections.create'] as const) {
    expect((await get(actionId, await keyOf([scope]))).status).toBe(200)
  }
  const response = await get(actionId, await keyOf(['nfts.read', 'collections.read']))
  expect(response.status).toBe(403)
  expect(await response.json()).toEqual({
    error: true,
    message: 'The API key lacks the scope collections.create or nfts.create or nfts.delete',
  })
  expect((await get(actionId, shop.clientKey)).status).toBe(403)
})

test('error: not-found, also for another project’s', async () => {
  const otherKey = await keyOf(['nfts.create'], await createProject(shop.deps.db, 'other'))
  for (const [id, key] of [
    [actionId, otherKey],
    [crypto.randomUUID(), shop.serverKey],
    ['x', shop.serverKey],
    ['%00', shop.serverKey],
  ] as const) {
    const response = await get(id, key)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: true, message: 'Not found' })
  }
})
