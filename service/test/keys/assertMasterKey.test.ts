import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { masterKeyChecks } from '../../src/db/tables/index.js'
import { assertMasterKey } from '../../src/keys/assertMasterKey.js'
import { databaseKinds } from '../helpers/databaseKinds.js'

describe.each(databaseKinds())('$name', (kind) => {
  let database: Awaited<ReturnType<typeof kind.open>>
  beforeAll(async () => {
    await kind.start()
    database = await kind.open()
  })
  afterAll(async () => {
    await database.close()
    await kind.stop()
  })
  beforeEach(async () => {
    await database.db.delete(masterKeyChecks)
  })

  const assert = (masterKey: Uint8Array) =>
    assertMasterKey({ db: database.db, config: { masterKey }, randomBytes })
  const [first, second] = [randomBytes(32), randomBytes(32)]

  test('default: the first key it sees is the one', async () => {
    await assert(first)
    await assert(first)
    const rows = await database.db.select().from(masterKeyChecks)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.sealed).not.toContain(first.toString('base64').slice(0, 20))
  })

  test('behavior: of two keys at once one is the first', async () => {
    const outcomes = await Promise.allSettled([assert(first), assert(second)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('error: another key', async () => {
    await assert(first)
    await expect(assert(second)).rejects.toThrow(
      /^KASSA_MASTER_KEY is not the key this database was written with$/,
    )
    await assert(first)
  })
})
