import { randomBytes } from 'node:crypto'
import { eq, isNotNull } from 'drizzle-orm'
import { CreateOrderAnswer } from 'kassa/schema'
import { toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openVault } from '#adapters/kms/openVault.js'
import { wallets, webhookEndpoints } from '#base/db/tables/index.js'
import { walletContext } from '#base/ports/vault.js'
import { assertMasterKey } from '#identity/keys/assertMasterKey.js'
import { openSecrets, rotateSecret } from '#notify/webhooks/endpointSecrets.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { createShop, orderBody, ordersPath, type Shop, testPayer } from '../../helpers/createShop.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

/**
 * Returns the part of a base64 text that the bytes have at any offset, without the characters that depend on
 * their neighbours.
 */
const base64Cores = (bytes: Buffer): string[] =>
  [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return text.slice(offset && 2 + (offset - 1), -2)
  })

/** Returns bytes in every form in which they may have been stored. */
const formsOf = (secret: Uint8Array): Buffer[] => {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const base64 = base64Cores(bytes)
  const texts = [
    hex,
    hex.toUpperCase(),
    bytes.join(','),
    bytes.join(', '),
    BigInt(`0x${hex}`).toString(),
    ...base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ]
  return [bytes, ...texts.map((text) => Buffer.from(text))]
}

/**
 * Whether a dump contains a secret in any form: raw, hex, base64, a list of numbers, text, or text of those.
 */
const hasSecret = (dump: Buffer, secret: Uint8Array): boolean => {
  const forms = formsOf(secret)
  // A column of bytes is dumped as hex, whatever its content.
  const twice = forms.flatMap((form) => [form, Buffer.from(form.toString('hex'))])
  return twice.some((form) => dump.includes(form))
}

const [masterKey, otherMasterKey, operatorKey] = [randomBytes(32), randomBytes(32), randomBytes(32)]

describe.each(databaseKinds)('$name', (kind) => {
  let shop: Shop
  const database = openBeforeAll(() => kind.open())
  /** The secrets that only their callers may know. */
  const told: string[] = []
  beforeAll(async () => {
    const config = { masterKey, otherMasterKeys: [otherMasterKey], operatorKey: toHex(operatorKey) }
    shop = await createShop({ database, config })
    await populate()
  })
  afterAll(async () => {
    await shop.close()
  })

  const populate = async () => {
    const { deps, projectId } = shop
    await assertMasterKey(deps)
    const endpoint = { projectId, url: 'https://shop.example', eventTypes: ['orders.quote.created' as const] }
    const { id, secret } = await createEndpoint(deps, endpoint)
    told.push(secret, (await rotateSecret(deps, { endpointId: id, keepMs: 60_000 })).secret)
    told.push(shop.serverKey, shop.clientKey)
    for (const name of ['ada', 'bob', 'eve']) {
      const headers = { 'x-idempotency-key': `order of ${name}` }
      const ordered = await shop.send('POST', ordersPath, { body: orderBody, headers })
      expect(ordered.status).toBe(201)
      told.push(z.parse(CreateOrderAnswer, await ordered.json()).clientSecret)
      const mint = {
        recipient: `email:${name}@example.com:base-sepolia`,
        metadata: { name, image: 'ipfs://a' },
      }
      const minted = await shop.send('POST', '/api/2022-06-09/collections/prints/nfts', {
        body: mint,
        headers,
      })
      expect(minted.status).toBe(200)
      for (const type of ['evm-mpc-wallet', 'evm-smart-wallet']) {
        const body = { type, linkedUser: `userId:${name}` }
        const made = await shop.send('POST', '/api/2022-06-09/wallets', {
          body,
          headers: { 'x-idempotency-key': type + name },
        })
        expect(made.status).toBe(201)
        const call = { to: testPayer, value: '0', data: '0x' }
        const params = type === 'evm-mpc-wallet' ? { call } : { calls: [call] }
        const path = `/api/2022-06-09/wallets/userId:${name}:${type}/transactions`
        const sent = await shop.send('POST', path, { body: { params: { ...params, chain: 'base-sepolia' } } })
        expect(sent.status).toBe(201)
      }
    }
  }

  /** Every row of every table, including the job queue's. */
  const dump = async (): Promise<Buffer> => {
    const tables = (await database.executeSql(
      `select table_schema as schema, table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      [],
    )) as { rows: { schema: string; name: string }[] }
    expect(tables.rows.length).toBeGreaterThan(20)
    const parts: string[] = []
    for (const { schema, name } of tables.rows) {
      const { rows } = await database.executeSql(`select t::text as row from "${schema}"."${name}" t`, [])
      parts.push(...(rows as { row: string }[]).map(({ row }) => row))
    }
    return Buffer.from(parts.join('\n'))
  }

  const keysOfWallets = async (): Promise<Uint8Array[]> => {
    const rows = await database.db.select().from(wallets).where(isNotNull(wallets.encryptedKey))
    return Promise.all(
      rows.map(async (row) => {
        const key = await shop.deps.vault.decrypt(row.encryptedKey ?? '', walletContext(row.id))
        const { address } = row.adminSigner as { address: string }
        expect(privateKeyToAddress(toHex(key))).toBe(address)
        return key
      }),
    )
  }

  test('default: a dump reveals no key, no secret, and not the master key, in any form', async () => {
    const all = await dump()
    const keys = await keysOfWallets()
    expect(keys).toHaveLength(9)
    const words = told.map((text) => Buffer.from(text.replace(/^(sk|ck)_[a-z]+_|^cs_|^whsec_/, '')))
    expect(new Set(words.map(String)).size).toBe(7)
    const signing = told.filter((text) => text.startsWith('whsec_'))
    const bytes = signing.map((text) => Buffer.from(text.slice(6), 'base64'))
    const secrets = [...keys, ...words, ...bytes, masterKey, otherMasterKey, operatorKey]
    expect(secrets.filter((secret) => hasSecret(all, secret))).toEqual([])
  })

  test('behavior: with the master key all secrets can be decrypted, without it none', async () => {
    const [endpoint] = await database.db.select().from(webhookEndpoints)
    if (!endpoint) throw new Error('there is no endpoint')
    const { vault, now } = shop.deps
    const opened = await openSecrets(vault, endpoint, now())
    expect(opened.map(({ secret }) => secret)).toEqual([told[1], told[0]])
    const thief = openVault({ masterKey: randomBytes(32), otherMasterKeys: [otherMasterKey] }, randomBytes)
    await expect(openSecrets(thief, endpoint, now())).rejects.toThrow()
  })

  test('behavior: the search finds a secret in every form', async () => {
    const { db } = database
    const [key] = await keysOfWallets()
    const [row] = await db.select().from(wallets).where(isNotNull(wallets.encryptedKey)).limit(1)
    if (!key || !row) throw new Error('there is no wallet')
    const bytes = Buffer.from(key)
    const leaks = [
      toHex(key),
      bytes.toString('base64'),
      `x${bytes.toString('base64url')}`,
      JSON.stringify(bytes),
      Buffer.concat([randomBytes(7), bytes, randomBytes(5)]).toString('base64'),
      bytes.toString('hex'),
    ]
    for (const userLocator of leaks) {
      await db.update(wallets).set({ userLocator }).where(eq(wallets.id, row.id))
      expect(hasSecret(await dump(), key), userLocator.slice(0, 4)).toBe(true)
    }
    await db.update(wallets).set({ userLocator: row.userLocator }).where(eq(wallets.id, row.id))
    expect(hasSecret(await dump(), key)).toBe(false)
    expect(hasSecret(Buffer.from(bytes), key)).toBe(true)
  })
})
