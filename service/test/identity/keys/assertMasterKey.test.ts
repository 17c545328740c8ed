import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { openVault } from '#adapters/kms/openVault.js'
import { masterKeyChecks, webhookEndpoints } from '#base/db/tables/index.js'
import { assertMasterKey } from '#identity/keys/assertMasterKey.js'
import { createProject } from '#identity/projects/projects.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

describe.each(databaseKinds)('$name', (kind) => {
  const database = openBeforeAll(() => kind.open())
  beforeEach(async () => {
    await database.db.delete(masterKeyChecks)
  })

  const vaultOf = (masterKey: Uint8Array, ...otherMasterKeys: Uint8Array[]) =>
    openVault({ masterKey, otherMasterKeys }, randomBytes)
  const assert = (...keys: [Uint8Array, ...Uint8Array[]]) =>
    assertMasterKey({ db: database.db, vault: vaultOf(...keys), randomBytes })
  const idOf = (key: Uint8Array) => vaultOf(key).keyId
  const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]

  test("default: the first key becomes the deployment's", async () => {
    await assert(first)
    await assert(first)
    const rows = await database.db.select().from(masterKeyChecks)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.sealed).not.toContain(first.toString('base64').slice(0, 20))
  })

  test('parameters: other keys, which are recorded before the first process uses one as its own', async () => {
    await assert(first)
    await assert(first, second)
    await assert(first)
    await assert(second, first)
    await assert(first, second)
    await expect(assert(first)).rejects.toThrow(`${idOf(second)} is missing`)
    await expect(assert(second)).rejects.toThrow(`${idOf(first)} is missing`)
  })

  test('behavior: of two concurrent keys one becomes the first', async () => {
    const outcomes = await Promise.allSettled([assert(first), assert(second)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('error: another key; the message says what to do, and contains no key', async () => {
    await assert(first)
    const refusal = await assert(second).catch((error: Error) => `${error.name}: ${error.message}`)
    expect(refusal).toBe(
      `ConfigError: KASSA_MASTER_KEY is not the key this database was written with: ${idOf(first)} is missing. Add it to KASSA_OTHER_MASTER_KEYS. You may remove it once \`kassa-service master-key rotate\` says so`,
    )
    expect(refusal).not.toContain(Buffer.from(first).toString('hex').slice(0, 16))
    await assert(first)
  })

  test('error: a secret is under a key without a check', async () => {
    const { db } = database
    const projectId = await createProject(db, 'shop')
    const deps = { db, now: Date.now, randomBytes, vault: vaultOf(third) }
    await createEndpoint(deps, { projectId, url: 'https://shop.example', eventTypes: [] })
    await expect(assert(first)).rejects.toThrow(`${idOf(third)} is missing`)
    expect(await db.select().from(masterKeyChecks)).toEqual([])
    await assert(first, third)
    await db.delete(webhookEndpoints)
  })

  test('error: a check that was changed', async () => {
    await assert(first)
    await database.db.update(masterKeyChecks).set({ sealed: await vaultOf(first).encrypt(first, 'else') })
    await expect(assert(first)).rejects.toThrow('KASSA_MASTER_KEY is not the key')
  })
})
