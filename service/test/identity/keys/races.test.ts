import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Actor, Call } from '#base/call.js'
import { apiKeys } from '#base/db/tables/index.js'
import { scopes } from '#base/scopes.js'
import { createKey, findKey } from '#identity/keys/apiKeys.js'
import { createApiKey, listApiKeys, revokeApiKey, rollApiKey } from '#identity/keys/manageKeys.js'
import { createTestService } from '../../helpers/createTestService.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { meet } from '../../helpers/meet.js'

test('behavior: a key that two processes roll at once is replaced once, and one that ended makes none', async () => {
  const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  if (!kind) throw new Error('PostgreSQL is no kind of database')
  const database = await kind.open()
  const another = await kind.open(database.url)
  const { deps, projectId, close } = await createTestService({ database })
  const secret = await createKey(deps, {
    kind: 'server' as const,
    environment: deps.config.environment,
    projectId,
    scopes,
    origins: [],
  })
  const own = await findKey(deps.db, deps.config.environment, secret, deps.now())
  const actor: Actor = { kind: 'server-key', keyId: own.id, projectId, scopes }
  const call: Call = { actor, client: {}, complete: async () => {} }
  const { keyId } = await createApiKey(deps, call, { name: 'Once', scopes: ['orders.read'] })
  const ended = await meet(
    database.url ?? '',
    { text: 'select 1 from api_keys where id = $1 for update', values: [keyId] },
    [() => rollApiKey(deps, call, { keyId }), () => rollApiKey({ ...deps, db: another.db }, call, { keyId })],
  )
  expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'conflict' } }])
  const { data } = await listApiKeys(deps, call, { page: 1, perPage: 100 })
  expect(data.filter(({ name }) => name === 'Once').map(({ status }) => status)).toEqual([
    'active',
    'revoked',
  ])
  // A process that still remembers the key as it was makes none with it.
  await deps.db
    .update(apiKeys)
    .set({ scopes: ['keys.manage'] })
    .where(eq(apiKeys.id, own.id))
  const late = () => createApiKey(deps, call, { name: 'Late', scopes: ['orders.read'] })
  await expect(late()).rejects.toMatchObject({ code: 'forbidden' })
  await revokeApiKey(deps, call, { keyId: own.id })
  await expect(late()).rejects.toMatchObject({ code: 'key-invalid' })
  await close()
  await another.close()
  await database.close()
})
