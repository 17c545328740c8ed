import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVault } from '#adapters/kms/openVault.js'
import { runCommand } from '../../helpers/runCommand.js'
import { startPostgres } from '../../helpers/startPostgres.js'

const [oldKey, newKey] = ['1f'.repeat(32), '2E'.repeat(32)]
const idOf = (key: string) =>
  openVault({ masterKey: Buffer.from(key, 'hex'), otherMasterKeys: [] }, () => new Uint8Array()).keyId
const [oldId, newId] = [idOf(oldKey), idOf(newKey)]

let server: Awaited<ReturnType<typeof startPostgres>>
let databaseUrl: string
beforeAll(async () => {
  server = await startPostgres()
  databaseUrl = await server.createDatabase()
  await run([oldKey], 'projects', 'create', 'shop')
})
afterAll(() => server.stop())

/** Runs a command with a master key, and others. */
const run = (keys: [string, ...string[]], ...args: string[]) => {
  const [key, ...others] = keys
  const env = { KASSA_MASTER_KEY: key, KASSA_OTHER_MASTER_KEYS: others.join(', ') }
  return runCommand({ KASSA_SANDBOX: '1', DATABASE_URL: databaseUrl, ...env }, ...args)
}

test('default: the steps of a rotation, from one key to the next', async () => {
  const url = 'https://shop.example/hook'
  const create = ['webhooks', 'create', '--project', 'shop', '--url', url, '--types', 'all', '--json']
  const { id, secret } = JSON.parse((await run([oldKey], ...create)).out)
  expect((await run([oldKey, newKey], 'master-key', 'list')).out).toMatch(
    new RegExp(`^id +present +wallets +webhook secrets\n${oldId} +yes +0 +1\n$`),
  )
  expect(JSON.parse((await run([newKey, oldKey], 'master-key', 'list', '--json')).out)).toEqual([
    { keyId: newId, wallets: 0, webhookSecrets: 0, isPresent: true },
    { keyId: oldId, wallets: 0, webhookSecrets: 1, isPresent: false },
  ])
  expect(await run([newKey], 'master-key', 'rotate')).toEqual({
    status: 1,
    out: '',
    err: expect.stringContaining(`${oldId} is missing`),
  })
  expect(await run([newKey, oldKey], 'master-key', 'rotate')).toEqual({
    status: 0,
    err: '',
    out: `Re-encrypted 0 wallets and 1 webhook secrets under ${newId}.\n${oldId} is no longer used. You may remove it.\n`,
  })
  expect(JSON.parse((await run([newKey], 'master-key', 'rotate', '--json')).out)).toEqual({
    keyId: newId,
    wallets: 0,
    webhookSecrets: 0,
    failed: [],
    retired: [],
    remaining: [],
  })
  expect(JSON.parse((await run([newKey], 'webhooks', 'show', id, '--json')).out).secrets).toEqual([
    { secret },
  ])
  const refused = await run([oldKey], 'webhooks', 'show', id)
  expect(refused).toMatchObject({ status: 1, err: expect.stringContaining(`${newId} is missing`) })
  expect(refused.err).not.toMatch(/1f1f|2e2e/i)
})

test('error: an invalid key, which the message does not repeat', async () => {
  const said = await run([newKey, 'sesame'], 'master-key', 'rotate')
  expect(said).toMatchObject({ status: 1, out: '' })
  expect(said.err).toContain('KASSA_OTHER_MASTER_KEYS')
  expect(said.err).not.toContain('sesame')
})
