import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createStatementNames } from '#adapters/postgres/preparedStatements.js'
import { projects } from '#base/db/tables/index.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

test('default: a statement is prepared once it was sent a few times, under one name', () => {
  const nameOf = createStatementNames()
  const names = Array.from({ length: 6 }, () => nameOf('select 1'))
  expect(names).toEqual([undefined, undefined, undefined, undefined, 'kassa_0', 'kassa_0'])
  for (let count = 0; count < 5; count++) nameOf('select 2')
  expect([nameOf('select 2'), nameOf('select 1')]).toEqual(['kassa_1', 'kassa_0'])
})

test('behavior: no more than 200 statements are prepared', () => {
  const nameOf = createStatementNames()
  const all = Array.from({ length: 300 }, (_, at) => `select ${at}`)
  for (let count = 0; count < 5; count++) for (const text of all) nameOf(text)
  expect(new Set(all.map(nameOf)).size).toBe(201)
})

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', ({ open }) => {
  test('behavior: the server keeps a statement that is sent often, and answers as before', async () => {
    const { db, pool, close } = await open()
    const [{ id } = { id: '' }] = await db.insert(projects).values({ name: 'shop' }).returning()
    const answers: unknown[] = []
    const prepared = await db.transaction(async (tx) => {
      for (let count = 0; count < 8; count++) {
        answers.push(await tx.select({ name: projects.name }).from(projects).where(eq(projects.id, id)))
      }
      const text = `select statement from pg_prepared_statements where statement like 'select "name" from "projects"%'`
      return tx.execute(text)
    })
    expect(answers).toEqual(Array.from({ length: 8 }, () => [{ name: 'shop' }]))
    expect(prepared).toMatchObject({ rows: [{}] })
    expect(pool).toBeDefined()
    await close()
  })
})
