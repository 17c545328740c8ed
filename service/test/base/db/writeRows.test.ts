import { eq, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Transaction } from '#base/db/database.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { chainCursors, collections, files, ledgerEntries, projects } from '#base/db/tables/index.js'
import { createInsert, createUpdate } from '#base/db/writeRows.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

const createdAt = new Date(1_800_000_000_123)

/** A row with values of many types, and texts that JSON, SQL or arrays would have to escape. */
const collectionOf = (projectId: string, id: string): typeof collections.$inferInsert => ({
  projectId,
  id,
  chain: 'base-sepolia',
  name: `Tea "${id}" \\ 'Ünï' 😀`,
  description: 'one\ntwo\t{three}',
  imageUrl: 'ipfs://picture',
  symbol: 'TEA',
  fungibility: 'non-fungible',
  isTransferable: false,
  supplyLimit: null,
  nextTokenId: 2n ** 62n + 1n,
  paymentCurrencies: ['eth', 'a,b', '{"c"}', ''],
  sale: { maxPerBuyer: { wallet: 2 } },
  requires: ['receipt-email'],
  createdAt,
})

const keys = [
  'projectId',
  'id',
  'chain',
  'name',
  'description',
  'imageUrl',
  'symbol',
  'fungibility',
  'isTransferable',
  'supplyLimit',
  'nextTokenId',
  'paymentCurrencies',
  'sale',
  'requires',
  'createdAt',
] as const

describe.each(databaseKinds)('on $name', (kind) => {
  let database: OpenDatabase
  let projectId: string

  beforeAll(async () => {
    database = await kind.open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    await clearDatabase(database.db)
    const [project] = await database.db.insert(projects).values({ name: 'shop' }).returning()
    projectId = project?.id ?? ''
  })

  /** Runs work in a transaction, and returns the texts that it executes. */
  const listTexts = (work: (tx: Transaction) => Promise<unknown>): Promise<string[]> =>
    database.db.transaction(async (tx) => {
      const execute = vi.spyOn(tx, 'execute')
      await work(tx)
      return execute.mock.calls.map(([query]) => (query as SQL).toQuery(undefined as never).sql)
    })

  test('default: any number of rows are inserted with one text, as drizzle would insert them', async () => {
    const insert = createInsert(collections, keys)
    const rows = ['one', 'two', 'three'].map((id) => collectionOf(projectId, id))
    const few = await listTexts((tx) => insert(tx, rows.slice(0, 1)))
    const many = await listTexts((tx) => insert(tx, rows.slice(1)))
    expect(new Set([...few, ...many]).size).toBe(1)
    const read = () => database.db.select().from(collections).orderBy(collections.id)
    const inserted = await read()
    await clearDatabase(database.db)
    await database.db.insert(projects).values({ id: projectId, name: 'shop' })
    await database.db.insert(collections).values(rows)
    expect(inserted).toEqual(await read())
    expect(inserted).toHaveLength(3)
  })

  test('behavior: no rows take no statement', async () => {
    const insert = createInsert(collections, keys)
    const update = createUpdate(collections, { match: ['id'], set: ['name'] })
    const texts = await listTexts(async (tx) => {
      await insert(tx, [])
      expect(await update(tx, [])).toBe(0)
    })
    expect(texts).toEqual([])
  })

  test('behavior: bytes, and amounts of more than 64 bits', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
    await createInsert(files, ['cid', 'contentType', 'bytes'])(database.db, [
      { cid: 'bafy', contentType: 'image/png', bytes },
    ])
    const [file] = await database.db.select().from(files)
    expect(Uint8Array.from(file?.bytes ?? [])).toEqual(bytes)
    const amounts = { received: 2n ** 200n, delivered: -1n, open: 0n, refunded: 0n, claimable: 0n, owed: 0n }
    const columns = ['received', 'delivered', 'open', 'refunded', 'claimable', 'owed'] as const
    await createInsert(ledgerEntries, ['projectId', 'chain', 'currency', ...columns])(database.db, [
      { projectId, chain: 'base', currency: 'eth', ...amounts },
    ])
    expect(await database.db.select().from(ledgerEntries)).toMatchObject([amounts])
  })

  test('behavior: a row that is there already stays, or gets the columns that are named', async () => {
    const row = { chain: 'base', blockNumber: 1n, blockHash: '0x1', updatedAt: createdAt }
    const later = { ...row, blockNumber: 2n, blockHash: null }
    const columns = ['chain', 'blockNumber', 'blockHash', 'updatedAt'] as const
    const read = () => database.db.select().from(chainCursors)
    await createInsert(chainCursors, columns)(database.db, [row])
    await createInsert(chainCursors, columns, 'nothing')(database.db, [later])
    expect(await read()).toMatchObject([row])
    const set = { target: ['chain'], set: ['blockNumber'] } as const
    await createInsert(chainCursors, columns, set)(database.db, [later, { ...later, chain: 'other' }])
    expect(await read()).toMatchObject([
      { chain: 'base', blockNumber: 2n, blockHash: '0x1' },
      { chain: 'other', blockNumber: 2n, blockHash: null },
    ])
  })

  test('behavior: rows are changed with one text, each if it is found by its values', async () => {
    const ids = ['one', 'two', 'three']
    await database.db.insert(collections).values(ids.map((id) => collectionOf(projectId, id)))
    await database.db.update(collections).set({ revision: 7 }).where(eq(collections.id, 'two'))
    const update = createUpdate(collections, {
      match: ['id', 'revision'],
      set: ['name', 'supplyLimit'],
      raise: 'revision',
    })
    const change = (id: string, revision: number) => ({ id, revision, name: `new ${id}`, supplyLimit: 5 })
    const texts = await listTexts(async (tx) => {
      expect(await update(tx, [change('one', 0), change('two', 0), change('gone', 0)])).toBe(1)
      expect(await update(tx, [change('two', 7)])).toBe(1)
    })
    expect(new Set(texts).size).toBe(1)
    const rows = await database.db.select().from(collections).orderBy(collections.id)
    expect(rows.map(({ id, name, supplyLimit, revision }) => [id, name, supplyLimit, revision])).toEqual([
      ['one', 'new one', 5, 1],
      ['three', collectionOf(projectId, 'three').name, null, 0],
      ['two', 'new two', 5, 8],
    ])
  })
})
