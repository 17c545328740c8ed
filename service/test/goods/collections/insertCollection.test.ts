import { beforeEach, expect, test } from 'vitest'
import { createDefaultCollections } from '#goods/collections/createDefaultCollections.js'
import { findCollection } from '#goods/collections/findCollection.js'
import { insertCollection } from '#goods/collections/insertCollection.js'
import { createProject } from '#identity/projects/projects.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)
let projectId: string
beforeEach(async () => {
  await clearDatabase(database.db)
  projectId = await createProject(database.db, 'shop')
})

const insert = (change: object = {}) =>
  database.db.transaction((tx) =>
    insertCollection(tx, { projectId, id: 'tea', chain: 'base-sepolia', name: 'Tea', ...change }, 1000),
  )

test('default: once, however often it is asked for', async () => {
  const first = await insert({ supplyLimit: 5, payments: { price: '0.01', currency: 'eth' } })
  expect(first).toMatchObject({
    symbol: 'TOKEN',
    description: '',
    fungibility: 'non-fungible',
    isSubscription: false,
    isTransferable: true,
    priceCurrency: 'eth',
    paymentRecipient: null,
    supplyLimit: 5,
    nextTokenId: 1n,
    actionId: null,
  })
  expect(await insert({ name: 'Coffee' })).toBeUndefined()
  expect(await findCollection(database.db, projectId, 'tea')).toEqual(first)
})

test('behavior: the default collections of a project', async () => {
  const chainOf = async (id: string) => (await findCollection(database.db, projectId, id))?.chain
  await database.db.transaction((tx) =>
    createDefaultCollections(tx, { projectId, environment: 'staging' }, 1000),
  )
  expect([await chainOf('default-solana'), await chainOf('default-polygon')]).toEqual([
    'solana',
    'polygon-amoy',
  ])
})

test('behavior: what cannot be an id is simply not found', async () => {
  for (const id of ['', 'a b', '../tea', '\0', 'x'.repeat(129)]) {
    expect(await findCollection(database.db, projectId, id)).toBeUndefined()
  }
})
