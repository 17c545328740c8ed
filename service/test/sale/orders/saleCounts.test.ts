import { eq } from 'drizzle-orm'
import type { SaleHold } from 'kassa/engine'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#base/db/database.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { collections, saleCounts } from '#base/db/tables/index.js'
import { releaseHolds, takeHolds } from '#sale/orders/saleCounts.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld } from '../../helpers/createOrderWorld.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { meet } from '../../helpers/meet.js'

const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL')
let database: OpenDatabase & { url?: string }
let another: OpenDatabase
let collection: { projectId: string; id: string }

beforeAll(async () => {
  if (!kind) throw new Error('PostgreSQL is no kind of database')
  database = await kind.open()
  another = await kind.open(database.url)
})
afterAll(async () => {
  await another.close()
  await database.close()
})
beforeEach(async () => {
  const now = () => 1_800_000_000_000
  const world = await createOrderWorld({ db: database.db, chains: [createFakeChain({ now }).port], now })
  await world.createCollection({ id: 'drop' })
  collection = { projectId: world.projectId, id: 'drop' }
})

const take = (db: Database, holds: readonly SaleHold[]): Promise<boolean> =>
  db.transaction((tx) => takeHolds(tx, collection, holds))
const countOf = async (key: string): Promise<number | undefined> => {
  const [row] = await database.db.select().from(saleCounts).where(eq(saleCounts.key, key))
  return row?.allocatedCount
}
const hold = (key: string, max: number, count = 1): SaleHold => ({ key, max, count })

test('behavior: of 10,000 buyers at one moment in two processes, exactly the limit is served, in order of arrival', async () => {
  const [buyers, limit] = [10_000, 1_000]
  const served: number[] = []
  const refused: number[] = []
  let next = 0
  // Each worker has one buyer at a time at the database, as each of its connections has.
  const work = async (db: Database): Promise<void> => {
    while (next < buyers) {
      const arrival = next++
      const isServed = await take(db, [hold('code:DROP', limit), hold(`wallet:${arrival % 4_000}`, 2)])
      ;(isServed ? served : refused).push(arrival)
    }
  }
  const workers = 16
  await Promise.all(Array.from({ length: workers }, (_, at) => work(at % 2 ? database.db : another.db)))
  expect(served).toHaveLength(limit)
  expect(refused).toHaveLength(buyers - limit)
  expect(await countOf('code:DROP')).toBe(limit)
  // Only buyers who were at the database at the same moment can have changed places.
  expect(Math.max(...served)).toBeLessThan(limit + workers)
})

test('behavior: one buyer with 200 orders at one moment gets as many as the limit allows', async () => {
  const tries = Array.from({ length: 200 }, (_, at) =>
    take(at % 2 ? database.db : another.db, [
      hold('wallet:0xaa', 5, (at % 3) + 1),
      hold('email:a@b.example', 4),
    ]),
  )
  const served = (await Promise.all(tries)).filter(Boolean).length
  expect(served).toBeLessThanOrEqual(4)
  expect(await countOf('wallet:0xaa')).toBeLessThanOrEqual(5)
  // What one limit refused does not count against the other.
  expect(await countOf('email:a@b.example')).toBe(served)
})

test('behavior: a count waits for the one before it, in another process', async () => {
  await take(database.db, [hold('code:A', 2)])
  const locked = { text: 'select from sale_counts for update' }
  const results = await meet(database.url ?? '', locked, [
    () => take(database.db, [hold('code:A', 2)]),
    () => take(another.db, [hold('code:A', 2)]),
  ])
  expect(results.map((result) => result.status === 'fulfilled' && result.value)).toEqual([true, false])
  expect(await countOf('code:A')).toBe(2)
})

test('behavior: what is given back is served to the next buyer, and a first count above the limit to none', async () => {
  expect(await take(database.db, [hold('code:B', 2, 3)])).toBe(false)
  expect(await countOf('code:B')).toBeUndefined()
  expect(await take(database.db, [hold('code:B', 1)])).toBe(true)
  expect(await take(database.db, [hold('code:B', 1)])).toBe(false)
  await database.db.transaction((tx) => releaseHolds(tx, collection, [hold('code:B', 1)]))
  expect(await take(database.db, [hold('code:B', 1)])).toBe(true)
})

test('behavior: the lock of a collection does not stop the counts of its buyers', async () => {
  await database.db.transaction(async (tx) => {
    await tx.update(collections).set({ nextTokenId: 7n }).where(eq(collections.id, collection.id))
    expect(await take(another.db, [hold('code:C', 1)])).toBe(true)
  })
})
