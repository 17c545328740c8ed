import { eq, sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { createStatement } from '#base/db/createStatement.js'
import type { Database, Transaction } from '#base/db/database.js'
import { projects } from '#base/db/tables/index.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

describe.each(databaseKinds)('on $name', ({ open }) => {
  test('default: a statement is built once, and each run has its own values', async () => {
    const { db, close } = await open()
    await db.insert(projects).values([{ name: 'one' }, { name: 'two' }])
    const build = vi.fn((on: Database | Transaction) =>
      on
        .select({ name: projects.name })
        .from(projects)
        .where(eq(projects.name, sql.placeholder('name'))),
    )
    const read = createStatement('test_projects', build)
    const names = ['one', 'two', 'none', 'one']
    expect(await Promise.all(names.map((name) => read(db, { name })))).toEqual([
      [{ name: 'one' }],
      [{ name: 'two' }],
      [],
      [{ name: 'one' }],
    ])
    expect(build).toHaveBeenCalledTimes(1)
    await close()
  })
})

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', ({ open }) => {
  test('behavior: the server has it under its name, and transactions of a connection share it', async () => {
    const { db, close } = await open()
    const build = vi.fn((on: Database | Transaction) => on.select({ name: projects.name }).from(projects))
    const read = createStatement('test_shared', build)
    const prepared: unknown[] = []
    for (let count = 0; count < 3; count++) {
      await db.transaction(async (tx) => {
        await read(tx)
        const text = `select name from pg_prepared_statements where name = 'test_shared'`
        prepared.push((await tx.execute(text)) as unknown)
      })
    }
    expect(prepared).toMatchObject([1, 2, 3].map(() => ({ rows: [{ name: 'test_shared' }] })))
    expect(build).toHaveBeenCalledTimes(1)
    await close()
  })
})
