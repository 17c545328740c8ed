import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openVault } from '#adapters/kms/openVault.js'
import { masterKeyChecks, wallets, webhookEndpoints } from '#base/db/tables/index.js'
import type { Vault } from '#base/ports/vault.js'
import { walletContext } from '#base/ports/vault.js'
import { assertMasterKey } from '#identity/keys/assertMasterKey.js'
import { countSecrets } from '#identity/keys/countSecrets.js'
import { rotateMasterKey } from '#identity/keys/rotateMasterKey.js'
import { createProject } from '#identity/projects/projects.js'
import { insertWallet } from '#identity/wallets/insertWallet.js'
import type { SecretDeps } from '#notify/webhooks/endpointSecrets.js'
import { rotateSecret } from '#notify/webhooks/endpointSecrets.js'
import { createEndpoint, getEndpoint } from '#notify/webhooks/endpoints.js'
import { limits } from '../../../../test/limits.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const vaults = {
  before: openVault({ masterKey: oldKey, otherMasterKeys: [] }, randomBytes),
  ready: openVault({ masterKey: oldKey, otherMasterKeys: [newKey] }, randomBytes),
  moving: openVault({ masterKey: newKey, otherMasterKeys: [oldKey] }, randomBytes),
  after: openVault({ masterKey: newKey, otherMasterKeys: [] }, randomBytes),
}

const addWallet = async ({ db, vault }: SecretDeps, projectId: string): Promise<void> => {
  const id = randomUUID()
  const key = randomBytes(32)
  const address = privateKeyToAddress(toHex(key))
  const type = 'evm-kassa-custodial' as const
  await insertWallet(db, {
    id,
    projectId,
    address,
    type: 'evm-mpc-wallet',
    signerType: type,
    createdAt: new Date(),
    adminSigner: { type, address, locator: `${type}:${address}` },
    encryptedKey: await vault.encrypt(key, walletContext(id)),
  })
}

const openWallet = async ({ db, vault }: SecretDeps, id: string): Promise<void> => {
  const [row] = await db.select().from(wallets).where(eq(wallets.id, id))
  const key = await vault.decrypt(row?.encryptedKey ?? '', walletContext(id))
  expect(privateKeyToAddress(toHex(key))).toBe(row?.address)
}

const retired = { code: 'database-unavailable', message: expect.stringContaining('has been retired') }

/** A process that dies at its n-th secret: nothing after it ever happens. */
const dyingAt = (vault: Vault, count: number): { vault: Vault; died: Promise<void> } => {
  let left = count
  let die = () => {}
  const died = new Promise<void>((resolve) => {
    die = resolve
  })
  const rewrap: Vault['rewrap'] = async (encrypted, context) => {
    if (--left > 0) return vault.rewrap(encrypted, context)
    die()
    return new Promise(() => {})
  }
  return { vault: { ...vault, rewrap }, died }
}

describe.each(databaseKinds)('$name', (kind) => {
  const database = openBeforeAll(() => kind.open())
  let other: Awaited<ReturnType<typeof kind.open>>
  let projectId: string
  beforeAll(async () => {
    other = database.url === undefined ? database : await kind.open(database.url)
  })
  afterAll(async () => {
    if (other !== database) await other.close()
  })
  beforeEach(async () => {
    await clearDatabase(database.db)
    await database.db.delete(masterKeyChecks)
    projectId = await createProject(database.db, 'shop')
  })

  const depsOf = (vault: Vault, opened = database): SecretDeps => ({
    db: opened.db,
    vault,
    randomBytes,
    now: Date.now,
  })
  const start = (deps: SecretDeps) => assertMasterKey(deps)

  const populate = async (walletCount: number, endpointCount: number) => {
    const deps = depsOf(vaults.before)
    await start(deps)
    for (let at = 0; at < walletCount; at++) await addWallet(deps, projectId)
    const url = 'https://shop.example'
    for (let at = 0; at < endpointCount; at++) await createEndpoint(deps, { projectId, url, eventTypes: [] })
  }
  const walletIds = async () =>
    (await database.db.select({ id: wallets.id }).from(wallets)).map(({ id }) => id)
  const endpointIds = async () =>
    (await database.db.select({ id: webhookEndpoints.id }).from(webhookEndpoints)).map(({ id }) => id)
  const openAll = async (deps: SecretDeps) => {
    for (const id of await walletIds()) await openWallet(deps, id)
    for (const endpointId of await endpointIds()) await getEndpoint(deps, { endpointId })
  }

  /**
   * Starts a service that creates wallets, decrypts their keys, and gives endpoints new secrets, until it is
   * stopped. It has done each once when this returns.
   */
  const startService = async (deps: SecretDeps) => {
    let isStopping = false
    const pick = (ids: string[]) => ids[randomInt(ids.length)] ?? ''
    const write = async () => {
      await addWallet(deps, projectId)
      const endpointId = pick(await endpointIds())
      const { secret } = await rotateSecret(deps, { endpointId, keepMs: 60_000 })
      const { secrets } = await getEndpoint(deps, { endpointId })
      expect(secrets.map((one) => one.secret)).toContain(secret)
    }
    const read = async () => openWallet(deps, pick(await walletIds()))
    const work = async () => {
      while (!isStopping) {
        // Its key may be found unused, and be retired. Then it gets an error, and has written nothing.
        await write().catch((error) => expect(error).toMatchObject(retired))
        for (let times = 0; times < 5; times++) await read()
      }
    }
    await write()
    await read()
    const working = work()
    return {
      stop: () => {
        isStopping = true
        return working
      },
    }
  }

  test('default: everything is under the new key, the secrets are unchanged, and the old one may be removed', async () => {
    await populate(230, 3)
    const [endpointId = ''] = await endpointIds()
    const { secrets } = await getEndpoint(depsOf(vaults.before), { endpointId })
    const deps = depsOf(vaults.moving)
    await start(deps)
    expect(await rotateMasterKey(deps)).toEqual({
      keyId: vaults.after.keyId,
      wallets: 230,
      webhookSecrets: 3,
      failed: [],
      remaining: [],
      retired: [vaults.before.keyId],
    })
    expect(await countSecrets(database.db)).toEqual([
      { keyId: vaults.after.keyId, wallets: 230, webhookSecrets: 3 },
    ])
    await start(depsOf(vaults.after))
    await openAll(depsOf(vaults.after))
    expect((await getEndpoint(depsOf(vaults.after), { endpointId })).secrets).toEqual(secrets)
    await expect(start(depsOf(vaults.before))).rejects.toThrow(`${vaults.after.keyId} is missing`)
    expect(await rotateMasterKey(deps)).toMatchObject({ wallets: 0, webhookSecrets: 0, retired: [] })
  })

  test('behavior: two services read and write meanwhile, the rotation is killed in the middle, and nothing is lost', async () => {
    await populate(120, 6)
    await start(depsOf(vaults.ready, other))
    await start(depsOf(vaults.moving))
    const early = await startService(depsOf(vaults.ready, other))
    const late = await startService(depsOf(vaults.moving))
    for (const count of [1, 30, 90]) {
      const { vault, died } = dyingAt(vaults.moving, count)
      void rotateMasterKey(depsOf(vault))
      await died
    }
    const twice = await Promise.all([
      rotateMasterKey(depsOf(vaults.moving)),
      rotateMasterKey(depsOf(vaults.moving, other)),
    ])
    expect(twice.flatMap(({ failed }) => failed)).toEqual([])
    await early.stop()
    const replaced = await startService(depsOf(vaults.moving, other))
    const last = await rotateMasterKey(depsOf(vaults.moving))
    expect(last).toMatchObject({ failed: [], remaining: [] })
    await late.stop()
    await replaced.stop()

    await start(depsOf(vaults.after))
    await openAll(depsOf(vaults.after))
    expect((await countSecrets(database.db)).map(({ keyId }) => keyId)).toEqual([vaults.after.keyId])
  })

  test('error: a process that still writes under a retired key writes nothing', async () => {
    await populate(1, 1)
    const [endpointId = ''] = await endpointIds()
    await start(depsOf(vaults.moving))
    expect(await rotateMasterKey(depsOf(vaults.moving))).toMatchObject({ retired: [vaults.before.keyId] })
    const late = depsOf(vaults.before, other)
    const count = { keyId: vaults.after.keyId, wallets: 1, webhookSecrets: 1 }
    await expect(addWallet(late, projectId)).rejects.toMatchObject(retired)
    const input = { projectId, url: 'https://shop.example', eventTypes: [] }
    await expect(createEndpoint(late, input)).rejects.toMatchObject(retired)
    await expect(rotateSecret(late, { endpointId, keepMs: 1000 })).rejects.toMatchObject(retired)
    expect(await countSecrets(database.db)).toEqual([count])
    await addWallet(depsOf(vaults.moving), projectId)
  })

  test('behavior: a rotation waits for secrets that are being written, and does not retire their key', async () => {
    await populate(0, 0)
    await start(depsOf(vaults.moving))
    // One connection has one transaction at a time.
    if (other === database) return
    let rotation: ReturnType<typeof rotateMasterKey> | undefined
    await other.db.transaction(async (tx) => {
      await addWallet({ ...depsOf(vaults.ready), db: tx }, projectId)
      rotation = rotateMasterKey(depsOf(vaults.moving))
      await vi.waitFor(async () => {
        const { rows } = await other.watchSql(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        expect(rows).toHaveLength(1)
      }, limits.conditionMs)
    })
    expect(await rotation).toMatchObject({ retired: [], remaining: [vaults.before.keyId] })
  })

  test('error: an altered secret stays as it is and keeps its key; the rest continues', async () => {
    await populate(3, 2)
    const [id = ''] = await walletIds()
    const [endpointId = ''] = await endpointIds()
    const { before } = vaults
    const encryptedKey = await before.encrypt(randomBytes(32), walletContext('another'))
    await database.db.update(wallets).set({ encryptedKey }).where(eq(wallets.id, id))
    const secrets = [{ encrypted: 'nothing' }]
    await database.db.update(webhookEndpoints).set({ secrets }).where(eq(webhookEndpoints.id, endpointId))
    const deps = depsOf(vaults.moving)
    await start(deps)
    const rotation = await rotateMasterKey(deps)
    expect(rotation).toEqual({
      keyId: vaults.after.keyId,
      wallets: 2,
      webhookSecrets: 1,
      failed: [id, endpointId],
      remaining: [before.keyId],
      retired: [],
    })
    expect(await database.db.select().from(wallets).where(eq(wallets.id, id))).toMatchObject([
      { encryptedKey },
    ])
    await expect(start(depsOf(vaults.after))).rejects.toThrow(`${before.keyId} is missing`)
  })
})
