import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLease } from '#base/db/createLease.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

const postgres = databaseKinds.find(({ name }) => name === 'PostgreSQL')
let first: OpenDatabase & { url?: string }
let second: OpenDatabase
beforeAll(async () => {
  if (!postgres) throw new Error('no PostgreSQL')
  first = await postgres.open()
  second = await postgres.open(first.url)
})
afterAll(async () => {
  await second.close()
  await first.close()
})

test('default: of processes that ask at once, one holds the lease, and keeps it', async () => {
  const all = [first, second, first, second].map(({ db }) => createLease(db, 'default'))
  const held = await Promise.all(all.map((lease) => lease.hold()))
  expect(held.filter(Boolean)).toHaveLength(1)
  await Promise.all(all.filter((_, at) => !held[at]).map((lease) => lease.release()))
  expect(await createLease(second.db, 'default').hold()).toBe(false)
})

test('behavior: another takes over from a process that releases it, or does not renew it', async () => {
  const one = createLease(first.db, 'over')
  expect(await one.hold()).toBe(true)
  await one.release()
  expect(await createLease(second.db, 'over').hold()).toBe(true)
  await first.executeSql(`update leases set held_until = now() - interval '1 second' where name = 'over'`)
  expect(await createLease(first.db, 'over').hold()).toBe(true)
})

test('behavior: the holder renews it, and asks the database once a second at most', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const lease = createLease(first.db, 'renewed')
  const readEnd = async (): Promise<string> => {
    const rows = await first.db.execute(
      sql`select held_until::text as until from leases where name = 'renewed'`,
    )
    return (rows as unknown as { rows: { until: string }[] }).rows[0]?.until ?? ''
  }
  await lease.hold()
  const until = await readEnd()
  clock.mockReturnValue(999)
  await lease.hold()
  expect(await readEnd()).toBe(until)
  clock.mockReturnValue(1_000)
  expect(await lease.hold()).toBe(true)
  expect((await readEnd()) > until).toBe(true)
  clock.mockRestore()
})
