import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createNotices } from '#base/db/notices.js'
import { createKey, listKeys, revokeKey, saveKey } from '#identity/keys/apiKeys.js'
import { createKeyFinder } from '#identity/keys/createKeyFinder.js'
import { createProject } from '#identity/projects/projects.js'
import { type DatabaseKind, databaseKinds } from '../../helpers/databaseKinds.js'
import { runCommand } from '../../helpers/runCommand.js'
import { testConfig } from '../../helpers/testConfig.js'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const revoked = { code: 'key-invalid', message: expect.stringContaining('unknown') }

/** A key that was found, and its database. Only the test moves the clock. */
const createWorld = async ({ open }: DatabaseKind) => {
  const database = await open()
  let nowMs = 0
  const { db, notices } = database
  const deps = { db, notices, log, config: testConfig, now: () => nowMs, randomBytes }
  const projectId = await createProject(db, 'shop')
  const scopes = ['orders.read']
  const key = await createKey(deps, {
    kind: 'server',
    environment: 'staging',
    projectId,
    scopes,
    origins: [],
  })
  const findKey = createKeyFinder(deps)
  const [{ id: keyId } = { id: '' }] = await listKeys(db, { projectId })
  // Until notices are heard, every call reads the row.
  await (await notices.hear('keys', { onNotice: () => {} }))()
  await findKey(key)
  const wait = (ms: number) => {
    nowMs += ms
  }
  return { database, deps, projectId, key, keyId, findKey, wait }
}

describe.each(databaseKinds)('on $name', (kind) => {
  const openWorld = () => createWorld(kind)

  test('default: a key that was found is not read again for a time', async () => {
    const { database, key, findKey, wait } = await openWorld()
    await database.executeSql('update api_keys set revoked_at = now()')
    expect(await findKey(key)).toMatchObject({ scopes: ['orders.read'] })
    wait(5_000)
    await expect(findKey(key)).rejects.toMatchObject(revoked)
    await database.close()
  })

  test('behavior: a key is revoked, and its scopes change, at once', async () => {
    const { database, deps, projectId, key, keyId, findKey } = await openWorld()
    await saveKey(deps, { projectId, key, scopes: ['orders.create'], origins: [] })
    expect(await findKey(key)).toMatchObject({ scopes: ['orders.create'] })
    await revokeKey(deps, { keyId })
    await expect(findKey(key)).rejects.toMatchObject(revoked)
    await database.close()
  })

  test('behavior: a transaction that is rolled back leaves the key', async () => {
    const { database, deps, keyId, key, findKey } = await openWorld()
    const rolledBack = deps.db.transaction(async (tx) => {
      await revokeKey({ ...deps, db: tx }, { keyId })
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await findKey(key)).toMatchObject({ id: keyId })
    await database.close()
  })
})

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', (kind) => {
  test('behavior: the command line revokes it for every process', async () => {
    const { database, key, keyId, findKey } = await createWorld(kind)
    const env = { KASSA_SANDBOX: '1', DATABASE_URL: 'url' in database ? database.url : '' }
    expect(await runCommand(env, 'keys', 'revoke', keyId)).toMatchObject({ status: 0 })
    // The clock stands still, so only the notice can end it.
    await expect.poll(() => findKey(key).catch((error: Error) => error.message)).toContain('unknown')
    await database.close()
  })
})

test('behavior: without notices, every call reads the row', async () => {
  const [{ open } = { open: undefined }] = databaseKinds
  if (!open) throw new Error('no database')
  const database = await open()
  const notices = createNotices('one', {
    send: async () => {},
    listen: () => Promise.reject(new Error('away')),
    onError: () => {},
  })
  const warnings: string[] = []
  const warn = (_: object, message: string) => void warnings.push(message)
  const deps = {
    db: database.db,
    notices,
    log: { ...log, warn },
    config: testConfig,
    now: () => 0,
    randomBytes,
  }
  const projectId = await createProject(database.db, 'shop')
  const key = await createKey(deps, {
    kind: 'server',
    environment: 'staging',
    projectId,
    scopes: ['orders.read'],
    origins: [],
  })
  const findKey = createKeyFinder(deps)
  await findKey(key)
  await sleep(0)
  await findKey(key)
  await database.executeSql('update api_keys set revoked_at = now()')
  await expect(findKey(key)).rejects.toMatchObject(revoked)
  expect(warnings).toEqual([expect.stringContaining('caching disabled')])
  await database.close()
})
