import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { catalog } from '#entry/sandbox/catalog.js'
import { createSandbox } from '#entry/sandbox/createSandbox.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const openShop = () =>
  createShop({
    chains: ['base-sepolia', 'polygon-amoy'].map((chain) => createFakeChain({ chain, now: Date.now }).port),
  })
const shop = openBeforeAll(openShop)
let app: ReturnType<typeof createSandbox>
beforeAll(() => {
  app = createSandbox(shop.deps, shop.projectId, new Map())
})

const put = async (id: string, change: object, key = shop.serverKey): Promise<void> => {
  const body = { chain: 'base-sepolia', metadata: { name: `The ${id}` }, ...change }
  const response = await shop.send('PUT', `/api/2022-06-09/collections/${id}`, { body, key })
  expect(await response.text()).toContain(id)
  expect(response.status).toBe(200)
}
const List = z.object({ collections: z.array(z.looseObject({ id: z.string() })) })
const list = async () => z.parse(List, await (await app.request('/sandbox')).json()).collections
const find = async (id: string) => (await list()).find((one) => one.id === id)
const payments = { price: '0.02', currency: 'eth' }

test('default: a collection that was made and priced by the API is in the shop, without a picture', async () => {
  await put('tea', { metadata: { name: 'Tea', description: 'From the hills' }, supplyLimit: 9, payments })
  expect(await find('tea')).toEqual({
    id: 'tea',
    locator: 'kassa:tea',
    chain: 'base-sepolia',
    standard: 'erc-721',
    name: 'Tea',
    description: 'From the hills',
    imageUrl: '',
    ...payments,
    fiat: { amount: '60.00', currency: 'usd' },
    supplyLimit: 9,
    available: 9,
  })
})

test('behavior: what is left counts what is minted and reserved', async () => {
  await put('scarce', { supplyLimit: 5, payments })
  await shop.database.executeSql(
    "update collections set allocated_count = 2, reserved_count = 1 where id = 'scarce'",
  )
  expect(await find('scarce')).toMatchObject({ supplyLimit: 5, available: 2 })
})

test('behavior: the kind of its tokens, and the currencies that it takes', async () => {
  await put('copies', { fungibility: 'semi-fungible', payments: { ...payments, currencies: ['usdc'] } })
  expect(await find('copies')).toMatchObject({ standard: 'erc-1155', currencies: ['usdc'] })
})

test('behavior: one without a price, or of another project, is not in the shop', async () => {
  await put('free-of-price', {})
  const projectId = await createProject(shop.deps.db, 'other')
  const key = await createKey(shop.deps, {
    environment: 'staging',
    projectId,
    kind: 'server',
    origins: [],
    scopes: ['collections.create'],
  })
  await put('foreign', { payments }, key)
  const ids = (await list()).map(({ id }) => id)
  expect(ids).not.toContain('free-of-price')
  expect(ids).not.toContain('foreign')
})

test('behavior: one whose contract could not be deployed is not in the shop', async () => {
  await put('stuck', { payments })
  expect(await find('stuck')).toBeDefined()
  await shop.database.executeSql(
    "update actions set status = 'failed' where id = (select action_id from collections where id = 'stuck')",
  )
  expect(await find('stuck')).toBeUndefined()
})

test('behavior: one whose sale has ended is not in the shop, and one that has not begun says when it opens', async () => {
  const change = new Date(shop.deps.now() + 60_000).toISOString()
  await put('over', { payments, sale: { endsAt: change } })
  await put('soon', { payments, sale: { startsAt: change } })
  expect(await find('over')).toBeDefined()
  expect(await find('soon')).toMatchObject({ sale: { startsAt: change } })
  await shop.advance(60_001)
  expect(await find('over')).toBeUndefined()
  expect((await find('soon'))?.sale).toEqual({})
})

test('behavior: those of the catalog are first, in its order, and then the newest', async () => {
  const [first, second] = catalog
  for (const id of ['older', second?.id ?? '', 'newer', first?.id ?? '']) {
    await put(id, { payments })
    await shop.advance(1_000)
  }
  const ids = (await list()).map(({ id }) => id)
  expect(ids.slice(0, 4)).toEqual([first?.id, second?.id, 'newer', 'older'])
})
