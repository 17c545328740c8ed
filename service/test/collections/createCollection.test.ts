import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCollection } from '../../src/collections/createCollection.js'
import { createDefaultCollections } from '../../src/collections/createDefaultCollections.js'
import { findCollection } from '../../src/collections/findCollection.js'
import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { createProject } from '../../src/projects/createProject.js'
import { clearDatabase } from '../helpers/clearDatabase.js'
import { createTestDatabase } from '../helpers/createTestDatabase.js'

let database: OpenDatabase
let projectId: string
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await clearDatabase(database.db)
  projectId = await createProject(database.db, 'shop')
})

const tea = {
  id: 'tea',
  chain: 'base-sepolia',
  name: 'Tea',
  description: '',
  imageUrl: '',
  symbol: 'TEA',
} as const
const create = (change: object = {}) =>
  database.db.transaction((tx) => createCollection(tx, { ...tea, projectId, ...change }, 1000))

describe('createCollection', () => {
  test('default: once, however often it is asked for', async () => {
    const first = await create({ supplyLimit: 5, payments: { price: '0.01', currency: 'ETH' } })
    expect(first).toMatchObject({
      priceCurrency: 'eth',
      supplyLimit: 5,
      nextTokenId: 1n,
      isTransferable: true,
    })
    expect(await create({ name: 'Coffee' })).toEqual(first)
  })

  test.each([
    [{ payments: { price: '1e3', currency: 'eth' } }, /^payments\.price: /],
    [{ payments: { price: '0.00', currency: 'eth' } }, /^payments\.price: /],
    [{ supplyLimit: 0 }, /^supplyLimit: /],
    [{ chain: 'narnia' }, /^chain: /],
    [{ fungibility: 'semi-fungible' }, /^fungibility: /],
    [
      { payments: { price: '1', currency: 'eth', recipientAddress: `0x${'11'.repeat(20)}` } },
      /takings go to/,
    ],
  ])('error: input-invalid %j', async (change, message) => {
    await expect(create(change)).rejects.toThrow(message)
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
})
