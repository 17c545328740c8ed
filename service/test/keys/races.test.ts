import { expect, test } from 'vitest'
import type { Actor, Call } from '../../src/call.js'
import { scopes } from '../../src/call.js'
import { createApiKey, listApiKeys, rollApiKey } from '../../src/keys/manageKeys.js'
import { createTestService } from '../helpers/createTestService.js'
import { databaseKinds } from '../helpers/databaseKinds.js'
import { meet } from '../helpers/meet.js'

test('behavior: a key that two processes roll at once is replaced once', async () => {
  const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  if (!kind) throw new Error('PostgreSQL is no kind of database')
  const database = await kind.open()
  const another = await kind.open(database.url)
  const { deps, projectId, close } = await createTestService({ database })
  const actor: Actor = { kind: 'server-key', keyId: 'none', projectId, scopes }
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
  await close()
  await another.close()
  await database.close()
})
