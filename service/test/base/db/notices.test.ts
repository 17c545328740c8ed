import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { createNotices } from '#base/db/notices.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

const postgres = databaseKinds.find(({ name }) => name === 'PostgreSQL')
let opened: OpenDatabase[] = []
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()))
  opened = []
})

const openTwo = async (): Promise<[OpenDatabase, OpenDatabase]> => {
  const first = await postgres?.open()
  const second = await postgres?.open(first?.url)
  if (!first || !second) throw new Error('no PostgreSQL')
  opened = [first, second]
  return [first, second]
}

test('default: a process hears itself at once, and only the topics that it listens to', async () => {
  const notices = createNotices('one', undefined)
  const heard: string[] = []
  const stop = await notices.hear('orders', { onNotice: (id) => heard.push(id) })
  notices.tell('orders', 'a')
  notices.tell('keys', 'b')
  expect(heard).toEqual(['a'])
  stop()
  notices.tell('orders', 'c')
  expect(heard).toEqual(['a'])
})

test('behavior: two processes on one PostgreSQL hear each other, each notice once', async () => {
  const [first, second] = await openTwo()
  const heard: string[] = []
  await first.notices.hear('orders', { onNotice: (id) => heard.push(`first ${id}`) })
  await second.notices.hear('orders', { onNotice: (id) => heard.push(`second ${id}`) })
  for (const id of ['a', 'a', 'b c']) first.notices.tell('orders', id)
  second.notices.tell('orders', 'd')
  const expected = ['first a', 'first a', 'first b c', 'first d', 'second a', 'second b c', 'second d']
  await expect.poll(() => [...heard].sort()).toEqual(expected)
})

test('behavior: all topics of a process share one connection', async () => {
  const [first] = await openTwo()
  for (const topic of ['orders', 'keys', 'jobs'] as const) {
    await first.notices.hear(topic, { onNotice: () => {} })
  }
  const { rows } = await first.executeSql(
    "select pid from pg_stat_activity where application_name = 'kassa-listen' and datname = current_database()",
  )
  expect(rows).toHaveLength(1)
})

test('behavior: a listener is told that it may have missed notices, and hears later ones', async () => {
  const [first, second] = await openTwo()
  const heard: string[] = []
  let gaps = 0
  await first.notices.hear('orders', { onNotice: (id) => heard.push(id), onGap: () => (gaps += 1) })
  await second.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kassa-listen'
        and datname = current_database()`,
  )
  await expect.poll(() => gaps).toBe(1)
  second.notices.tell('orders', 'later')
  await expect.poll(() => heard).toEqual(['later'])
})
