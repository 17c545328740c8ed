import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import { openPglite } from '#adapters/postgres/openPglite.js'
import { isDiskFull, runInTransaction, runWatching } from '#base/db/diskState.js'
import { startPostgres } from '../../helpers/startPostgres.js'

describe('a database with room', () => {
  test('default: PostgreSQL takes room on its disk for the question, and gives it back', async () => {
    const server = await startPostgres()
    const databaseUrl = await server.createDatabase()
    const database = await openDatabase({ databaseUrl, dataDir: '', isMigrating: true }, () => {})
    expect(await isDiskFull(runInTransaction(database.db))).toBe(false)
    expect(await isDiskFull(runWatching(database.watchSql))).toBe(false)
    expect(await database.db.execute(sql`show work_mem`)).toMatchObject({ rows: [{ work_mem: '4MB' }] })
    // A limit on files stands in for a disk without room.
    const limited = runInTransaction(database.db)
    await expect(
      isDiskFull((texts) => limited([`set local temp_file_limit = '64kB'`, ...texts])),
    ).rejects.toThrow()
    await database.close()
    await server.stop()
  })

  test('default: the embedded database', async () => {
    const database = await openPglite(undefined)
    expect(await isDiskFull(runInTransaction(database.db))).toBe(false)
    expect(await isDiskFull(runWatching(database.watchSql))).toBe(false)
    await database.close()
  })
})

test.each([
  ['53100', 'could not write to file "base/pgsql_tmp/pgsql_tmp7.0": No space left on device'],
  ['', 'ENOSPC: no space left on device, write'],
])('behavior: a disk without room, %s', async (code, message) => {
  const cause = Object.assign(new Error(message), { code })
  const failing = () => Promise.reject(new Error('Failed query', { cause }))
  expect(await isDiskFull(failing)).toBe(true)
})

test('error: a database that does not answer', async () => {
  await expect(isDiskFull(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
})
