import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beforeCommit } from '#base/db/commitTasks.js'
import type { Transaction } from '#base/db/database.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { jobs } from '#base/db/tables/index.js'
import { createTransactionBatch, transactEach } from '#base/db/transactTogether.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

const postgres = databaseKinds.find(({ name }) => name === 'PostgreSQL')
let database: OpenDatabase
beforeAll(async () => {
  if (!postgres) throw new Error('no PostgreSQL')
  database = await postgres.open()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.delete(jobs)
})

const listNames = async (tx: Transaction | OpenDatabase['db'] = database.db): Promise<string[]> =>
  (await tx.select({ name: jobs.name }).from(jobs)).map(({ name }) => name).sort()

const insert = async (tx: Transaction, name: string): Promise<string> => {
  await tx.insert(jobs).values({ name, data: {} })
  if (name === 'bad') throw new Error('bad')
  return `did ${name}`
}

test('default: calls that come together share a transaction, and each has its own result', async () => {
  const sizes: number[] = []
  const join = createTransactionBatch(database.db, async (tx, names: readonly string[]) => {
    sizes.push(names.length)
    const results: string[] = []
    for (const name of names) results.push(await insert(tx, name))
    return results
  })
  const names = Array.from({ length: 45 }, (_, at) => `job ${at}`)
  expect(await Promise.all(names.map(join))).toEqual(names.map((name) => `did ${name}`))
  expect(sizes).toEqual([20, 20, 5])
  expect(await listNames()).toEqual([...names].sort())
})

test('error: one that fails is rolled back alone', async () => {
  const join = createTransactionBatch(database.db, async (tx, names: readonly string[]) => {
    const results: string[] = []
    for (const name of names) results.push(await insert(tx, name))
    return results
  })
  const settled = await Promise.allSettled(['one', 'bad', 'two'].map(join))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await listNames()).toEqual(['one', 'two'])
})

test('error: a list with one that fails is done for the others, and its error is thrown', async () => {
  const working = transactEach(database.db, [['one', 'bad', 'two'], ['three']], async (tx, names) => {
    for (const name of names) await insert(tx, name)
  })
  await expect(working).rejects.toThrow('bad')
  expect(await listNames()).toEqual(['one', 'three', 'two'])
})

test('behavior: what is written before the commit is written once, together', async () => {
  const written: string[][] = []
  const write = async (tx: Transaction, names: readonly string[]): Promise<void> => {
    written.push([...names])
    for (const name of names) await insert(tx, name)
  }
  await database.db.transaction(async (tx) => {
    await beforeCommit(tx, write, 'one')
    await beforeCommit(tx, write, 'two', 'three')
    expect(await listNames(tx)).toEqual([])
  })
  expect(written).toEqual([['one', 'two', 'three']])
  expect(await listNames()).toEqual(['one', 'three', 'two'])
})

test('error: a transaction that fails writes nothing, whether before its commit or in it', async () => {
  const fails = (work: (tx: Transaction) => Promise<unknown>) =>
    expect(database.db.transaction(work)).rejects.toThrow()
  const write = async (tx: Transaction, names: readonly string[]): Promise<void> => {
    for (const name of names) await insert(tx, name)
  }
  await fails(async (tx) => {
    await beforeCommit(tx, write, 'one')
    throw new Error('no')
  })
  await fails(async (tx) => {
    await tx.update(jobs).set({ priority: 1 }).where(eq(jobs.name, 'one'))
    await beforeCommit(tx, write, 'one', 'bad')
  })
  expect(await listNames()).toEqual([])
})
