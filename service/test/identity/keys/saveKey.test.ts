import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKey, findKey, saveKey } from '#identity/keys/apiKeys.js'
import { createTestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const service = openBeforeAll(createTestService)

const create = (kind: 'server' | 'client', scopes: string[], origins: string[] = []) =>
  createKey(service.deps, { kind, environment: 'staging', projectId: service.projectId, scopes, origins })

test('default', async () => {
  const key = await create('server', ['orders.create', 'orders.read'])
  expect(key).toMatch(/^sk_staging_[A-Za-z0-9_-]{43}$/)
  expect(await findKey(service.deps.db, 'staging', key)).toMatchObject({
    projectId: service.projectId,
    kind: 'server',
    scopes: ['orders.create', 'orders.read'],
  })
})

test('behavior: the key itself is stored nowhere', async () => {
  const key = await create('server', ['orders.create'])
  const { rows } = await service.database.executeSql('select * from api_keys')
  expect(JSON.stringify(rows)).not.toContain(key.slice(-43))
})

test('behavior: saving a key again changes its origins', async () => {
  const key = await create('client', ['orders.create'], ['https://a.example'])
  const origins = ['https://b.example/', 'http://localhost:3000']
  await saveKey(service.deps, { projectId: service.projectId, key, scopes: ['orders.create'], origins })
  expect(await findKey(service.deps.db, 'staging', key)).toMatchObject({
    origins: ['https://b.example', 'http://localhost:3000'],
  })
})

test('error: input-invalid', async () => {
  const invalid = (message: string) => ({ code: 'input-invalid', message: expect.stringContaining(message) })
  await expect(create('server', ['orders.fly'])).rejects.toMatchObject(invalid('orders.fly'))
  await expect(create('server', [])).rejects.toMatchObject(invalid('scopes'))
  await expect(create('client', ['orders.read'], ['https://a.example'])).rejects.toMatchObject(
    invalid('orders.read'),
  )
  await expect(create('client', ['orders.create'])).rejects.toMatchObject(invalid('origin'))
  await expect(create('client', ['orders.create'], ['a.example'])).rejects.toMatchObject(invalid('a.example'))
  await expect(create('server', ['orders.create'], ['https://a.example'])).rejects.toMatchObject(
    invalid('origin'),
  )
})

test('error: key-invalid, for a revoked key', async () => {
  const key = await create('server', ['orders.create'])
  await service.database.executeSql('update api_keys set revoked_at = now()')
  await expect(findKey(service.deps.db, 'staging', key)).rejects.toMatchObject({ code: 'key-invalid' })
  const unknown = `sk_staging_${randomBytes(32).toString('base64url')}`
  await expect(findKey(service.deps.db, 'staging', unknown)).rejects.toMatchObject({ code: 'key-invalid' })
})
