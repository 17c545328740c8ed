import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLeases } from '#base/db/createLeases.js'
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
  const all = [first, second, first, second].map(({ db }) => createLeases(db)('default'))
  const held = await Promise.all(all.map((lease) => lease.hold()))
  expect(held.filter(Boolean)).toHaveLength(1)
  await Promise.all(all.filter((_, at) => !held[at]).map((lease) => lease.release()))
  expect(await createLeases(second.db)('default').hold()).toBe(false)
})

test('behavior: another takes over from a process that releases it, or does not renew it', async () => {
  const one = createLeases(first.db)('over')
  expect(await one.hold()).toBe(true)
  await one.release()
  expect(await createLeases(second.db)('over').hold()).toBe(true)
  await first.executeSql(`update leases set held_until = now() - interval '1 second' where name = 'over'`)
  expect(await createLeases(first.db)('over').hold()).toBe(true)
})

test('behavior: the holder renews it, and asks the database once a second at most', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const lease = createLeases(first.db)('renewed')
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

test('behavior: one statement asks for all leases of a process, each of which another may hold', async () => {
  const openOther = createLeases(second.db)
  const others = ['b', 'd'].map((name) => openOther(name))
  await Promise.all(others.map((lease) => lease.hold()))
  const insert = vi.spyOn(first.db, 'insert')
  const open = createLeases(first.db)
  const asked = ['d', 'c', 'b', 'a'].map((name) => {
    const lease = open(name)
    return { lease, held: lease.hold() }
  })
  expect(await Promise.all(asked.map(({ held }) => held))).toEqual([false, true, false, true])
  const late = open('e')
  expect(await late.hold()).toBe(true)
  expect(insert).toHaveBeenCalledTimes(2)
  await Promise.all(others.map((lease) => lease.release()))
  await late.release()
  expect(await Promise.all(asked.map(({ lease }) => lease.hold()))).toEqual([true, true, true, true])
  expect(insert).toHaveBeenCalledTimes(3)
  const { rows } = await first.executeSql(`select name from leases where name = 'e'`)
  expect(rows).toEqual([])
  insert.mockRestore()
})

test('behavior: processes that ask for the same leases in another order do not lock each other out', async () => {
  const names = ['x', 'y', 'z']
  await first.executeSql(
    `insert into leases (name, holder, held_until)
     select name, gen_random_uuid(), now() - interval '1 second' from unnest($1::text[]) as name`,
    [names],
  )
  const ask = ({ db }: OpenDatabase, inOrder: readonly string[]) => {
    const open = createLeases(db)
    return Promise.all(inOrder.map((name) => open(name).hold()))
  }
  const countWaiting = async () => {
    const { rows } = await first.executeSql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  const asked = await first.db.transaction(async (tx) => {
    await tx.execute(sql`select name from leases where name = 'y' for update`)
    const all = Promise.all([ask(first, names), ask(second, names.toReversed())])
    // Each has locked what comes before, if anything does.
    await expect.poll(countWaiting).toBe(2)
    return { all }
  })
  const held = await asked.all
  expect(held.flat().filter(Boolean)).toHaveLength(names.length)
})

test('error: the database is away; the next call asks again', async () => {
  const open = createLeases(first.db)
  const [one, other] = [open('away'), open('gone')]
  const insert = vi.spyOn(first.db, 'insert').mockImplementationOnce(() => {
    throw new Error('away')
  })
  const failed = await Promise.allSettled([one.hold(), other.hold()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all([one.hold(), other.hold()])).toEqual([true, true])
  insert.mockRestore()
})
