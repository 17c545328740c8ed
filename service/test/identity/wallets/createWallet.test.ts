import { generateKeyPairSync } from 'node:crypto'
import { Wallet } from 'kassa/schema'
import { toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { wallets } from '#base/db/tables/index.js'
import { walletContext } from '#base/ports/vault.js'
import { type Scope, scopes } from '#base/scopes.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createShop } from '../../helpers/createShop.js'
import { createTestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { readRefusal } from '../../helpers/readRefusal.js'

const path = '/api/2022-06-09/wallets'
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const sanctioned = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const shop = openBeforeAll(() =>
  createShop({ config: { sanctionedAddresses: new Set([sanctioned.toLowerCase()]) } }),
)

const create = (body: unknown, options: { key?: string | null; headers?: Record<string, string> } = {}) =>
  shop.send('POST', path, { body, ...options })
const read = async (response: Response) => z.parse(Wallet, await response.json())
const withSigner = (adminSigner: unknown, type = 'evm-smart-wallet') => ({ type, config: { adminSigner } })
const count = async (): Promise<number> => (await shop.deps.db.select().from(wallets)).length

const keyWith = (own: readonly Scope[]) =>
  createKey(shop.deps, {
    environment: shop.deps.config.environment,
    projectId: shop.projectId,
    kind: 'server' as const,
    scopes: own,
    origins: [],
  })

const newPasskey = () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [left = '', right = ''] = [x, y].map((text) => Buffer.from(text, 'base64url').toString('hex'))
  return { type: 'evm-passkey', id: 'bXktcGFzc2tleQ', publicKey: { x: `0x${left}`, y: `0x${right}` } }
}

test('default: a smart wallet of an account’s', async () => {
  const response = await create(withSigner({ type: 'evm-keypair', address: address.toLowerCase() }))
  expect(response.status).toBe(201)
  const wallet = await read(response)
  expect(wallet).toEqual({
    type: 'evm-smart-wallet',
    address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    config: { adminSigner: { type: 'evm-keypair', address, locator: address } },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  expect(await read(await shop.send('GET', `${path}/${wallet.address}`))).toEqual(wallet)
  expect(await read(await shop.send('GET', `${path}/${wallet.address.toLowerCase()}`))).toEqual(wallet)
})

test('default: a smart wallet of a passkey’s', async () => {
  const passkey = { ...newPasskey(), name: 'On my phone' }
  const response = await create(withSigner(passkey))
  expect(response.status).toBe(201)
  expect((await read(response)).config?.adminSigner).toEqual({
    ...passkey,
    locator: `evm-passkey:${passkey.id}`,
  })
})

test('behavior: a passkey’s public key is returned in the notation that it was sent in', async () => {
  const passkey = newPasskey()
  const x = String(BigInt(passkey.publicKey.x))
  const y = `0x${BigInt(passkey.publicKey.y).toString(16).toUpperCase()}`
  const response = await create(withSigner({ ...passkey, publicKey: { x, y } }))
  expect((await read(response)).config?.adminSigner?.publicKey).toEqual({ x, y: passkey.publicKey.y })
})

test('behavior: unknown fields of a signer are ignored', async () => {
  const signer = { type: 'evm-keypair', address }
  const response = await create(withSigner({ ...signer, signer: { type: 'evm-keypair' }, name: 'Ada' }))
  expect(response.status).toBe(201)
  expect((await read(response)).config?.adminSigner).toEqual({ ...signer, locator: address })
})

test('parameters: locator: it may carry the type of the signer', async () => {
  const signer = { type: 'evm-keypair', address }
  const response = await create(withSigner({ ...signer, locator: `evm-keypair:${address}` }))
  expect((await read(response)).config?.adminSigner).toEqual({ ...signer, locator: address })
})

test.each([
  ['an account', { type: 'evm-keypair', address: address.toLowerCase() }],
  ['a passkey', { ...newPasskey(), name: 'On my phone' }],
])('behavior: %s is accepted as the answer showed it, with its locator', async (_, signer) => {
  const { config } = await read(await create(withSigner(signer)))
  const again = await create(withSigner(config?.adminSigner))
  expect(again.status).toBe(201)
  expect((await read(again)).config).toEqual(config)
})

test('behavior: the service as custodian is accepted too, for a user whose wallet it keeps', async () => {
  const linkedUser = 'email:echo@example.com'
  const first = await read(await create({ type: 'evm-mpc-wallet', linkedUser }))
  const second = await create({ ...withSigner(first.config?.adminSigner, first.type), linkedUser })
  expect(second.status).toBe(200)
  expect(await read(second)).toEqual(first)
})

test.each([
  ['evm-smart-wallet', undefined],
  ['evm-smart-wallet', { adminSigner: { type: 'evm-kassa-custodial' } }],
  ['evm-mpc-wallet', {}],
  ['evm-mpc-wallet', { adminSigner: { type: 'evm-kassa-custodial' } }],
])('default: an %s that the service keeps, config %j', async (type, config) => {
  const response = await create({ type, ...(config && { config }) })
  expect(response.status).toBe(201)
  const wallet = await read(response)
  const signer = wallet.config?.adminSigner
  expect(signer).toEqual({
    type: 'evm-kassa-custodial',
    address: expect.any(String),
    locator: `evm-kassa-custodial:${signer?.address}`,
  })
  if (type === 'evm-mpc-wallet') expect(wallet.address).toBe(signer?.address)
  else expect(wallet.address).not.toBe(signer?.address)
  const row = (await shop.deps.db.select().from(wallets)).find((one) => one.address === wallet.address)
  const key = await shop.deps.vault.decrypt(row?.encryptedKey ?? '', walletContext(row?.id ?? ''))
  expect(privateKeyToAddress(toHex(key))).toBe(signer?.address)
  expect(JSON.stringify(wallet)).not.toContain(toHex(key).slice(2))
})

describe('parameters: linkedUser', () => {
  test.each([
    ['email:Ada@Example.com', 'email:ada@example.com', ['email:ADA@example.com', 'email:ada%40example.com']],
    ['userId:Shop/7:a', 'userId:Shop/7:a', ['userId%3AShop%2F7%3Aa']],
    ['phoneNumber:+15551234567', 'phoneNumber:+15551234567', ['phoneNumber:%2B15551234567']],
    ['twitter:@Ada', 'twitter:ada', ['x:ADA', 'x:@ada', 'twitter:%40ada']],
    ['x:Grace_H', 'twitter:grace_h', ['twitter:@GRACE_h']],
  ])('%s', async (linkedUser, canonical, spellings) => {
    const response = await create({ type: 'evm-smart-wallet', linkedUser })
    expect(response.status).toBe(201)
    const wallet = await read(response)
    expect(wallet.linkedUser).toBe(canonical)
    for (const user of [encodeURIComponent(canonical), ...spellings]) {
      const found = await shop.send('GET', `${path}/${user}:evm-smart-wallet`)
      expect(await read(found), user).toEqual(wallet)
      expect((await shop.send('GET', `${path}/${user}:evm-mpc-wallet`)).status).toBe(404)
    }
  })

  test('behavior: the user’s existing wallet of a type, whatever signer the request names', async () => {
    const linkedUser = 'email:twice@example.com'
    const first = await create({ type: 'evm-smart-wallet', linkedUser })
    const before = await count()
    const second = await create({ ...withSigner({ type: 'evm-keypair', address }), linkedUser })
    expect([first.status, second.status]).toEqual([201, 200])
    expect(await read(second)).toEqual(await read(first))
    expect(await count()).toBe(before)
    expect((await create({ type: 'evm-mpc-wallet', linkedUser })).status).toBe(201)
  })

  test('behavior: without a user, every request creates a wallet', async () => {
    const [first, second] = await Promise.all(
      [0, 1].map(() => create(withSigner({ type: 'evm-keypair', address }))),
    )
    expect((await read(first ?? new Response())).address).not.toBe(
      (await read(second ?? new Response())).address,
    )
  })
})

test('parameters: x-idempotency-key', async () => {
  const body = withSigner({ type: 'evm-keypair', address })
  const headers = { 'x-idempotency-key': 'wallet-1' }
  const before = await count()
  const answers = await Promise.all([0, 1, 2].map(() => create(body, { headers })))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
  expect(await count()).toBe(before + 1)
  expect((await create({ type: 'evm-mpc-wallet' }, { headers })).status).toBe(409)

  const known = { type: 'evm-mpc-wallet', linkedUser: 'email:known@example.com' }
  await create(known)
  const again = { headers: { 'x-idempotency-key': 'wallet-2' } }
  expect([(await create(known, again)).status, (await create(known, again)).status]).toEqual([200, 200])
})

describe('error: input-invalid', () => {
  const passkey = newPasskey()
  const signer = 'config.adminSigner'
  test.each([
    ['no type', {}, 'type: required'],
    ['another type', { type: 'evm-wallet' }, 'type: expected one of evm-smart-wallet'],
    [
      'a wallet on Solana, which is not enabled',
      { type: 'solana-mpc-wallet' },
      'type: no enabled chain has wallets of the type solana-mpc-wallet',
    ],
    [
      'a smart one on Solana',
      { type: 'solana-smart-wallet' },
      'type: a solana-smart-wallet needs a program that this service has no adapter for',
    ],
    [
      'a signer of another kind',
      withSigner({ type: 'evm-fireblocks-custodial' }),
      `${signer}.type: expected`,
    ],
    [
      'a signer of Solana',
      withSigner({ type: 'solana-keypair', address }),
      `${signer}.type: expected evm-keypair, evm-passkey or evm-kassa-custodial for an evm-smart-wallet`,
    ],
    [
      'a signer of Solana, for a wallet on Solana',
      withSigner({ type: 'solana-keypair', address }, 'solana-smart-wallet'),
      'type: a solana-smart-wallet needs a program that this service has no adapter for',
    ],
    [
      'another’s locator',
      withSigner({ type: 'evm-keypair', address, locator: sanctioned }),
      `${signer}.locator: the locator of this signer is ${address}`,
    ],
    [
      'the address of a key that is yet to be made',
      withSigner({ type: 'evm-kassa-custodial', address }),
      `${signer}.address: the service makes the key of a new wallet`,
    ],
    [
      'the locator of a key that is yet to be made',
      withSigner({ type: 'evm-kassa-custodial', locator: `evm-kassa-custodial:${address}` }),
      `${signer}.locator: the service makes the key of a new wallet`,
    ],
    ['a signer that is a text', withSigner(address), `${signer}: `],
    ['no address', withSigner({ type: 'evm-keypair' }), `${signer}.address: required`],
    [
      'no EVM address',
      withSigner({ type: 'evm-keypair', address: '0x1' }),
      `${signer}.address: expected an EVM`,
    ],
    [
      'a wrong checksum',
      withSigner({ type: 'evm-keypair', address: address.replace('C5', 'c5') }),
      `${signer}.address: 0x70997970c51812dc3A010C7d01b50e0d17dc79C8: its checksum is wrong`,
    ],
    [
      'the zero address',
      withSigner({ type: 'evm-keypair', address: `0x${'0'.repeat(40)}` }),
      `${signer}.address: the zero address has no owner`,
    ],
    ['no public key', withSigner({ type: 'evm-passkey', id: 'a' }), `${signer}.publicKey: required`],
    [
      'a point beside the curve',
      withSigner({ ...passkey, publicKey: { x: '1', y: '2' } }),
      `${signer}.publicKey: not a point`,
    ],
    [
      'a coordinate that is none',
      withSigner({ ...passkey, publicKey: { x: 'x', y: '2' } }),
      `${signer}.publicKey.x: expected a number`,
    ],
    ['an id that is none', withSigner({ ...passkey, id: 'a b' }), `${signer}.id: expected the id`],
    [
      'an account for an mpc wallet',
      withSigner({ type: 'evm-keypair', address }, 'evm-mpc-wallet'),
      `${signer}.type: expected evm-kassa-custodial for an evm-mpc-wallet`,
    ],
    [
      'a signer of another kind for an mpc wallet',
      withSigner({ type: 'pen' }, 'evm-mpc-wallet'),
      `${signer}.type: expected evm-kassa-custodial for an evm-mpc-wallet`,
    ],
    [
      'a user of another kind',
      { type: 'evm-mpc-wallet', linkedUser: 'mail:a@b.co' },
      'linkedUser: expected one of email:…',
    ],
    [
      'no e-mail address',
      { type: 'evm-mpc-wallet', linkedUser: 'email:ada' },
      'linkedUser: expected an e-mail address',
    ],
    [
      'a NUL',
      { type: 'evm-mpc-wallet', linkedUser: 'userId:a\0' },
      'linkedUser: contains an invalid character',
    ],
  ])('%s', async (_, body, message) => {
    const before = await count()
    const response = await create(body)
    expect(response.status).toBe(400)
    expect(await readRefusal(response)).toContain(message)
    expect(await count()).toBe(before)
  })

  test('a smart wallet if no chain is enabled', async () => {
    const service = await createTestService({ chains: [] })
    const body = JSON.stringify({ type: 'evm-smart-wallet' })
    const headers = { 'x-api-key': service.serverKey }
    const response = await service.app.request(path, { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    expect(await readRefusal(response)).toBe(
      'type: no enabled chain has wallets of the type evm-smart-wallet',
    )
    await service.close()
  })
})

test('error: a sanctioned signer', async () => {
  const before = await count()
  const response = await create(withSigner({ type: 'evm-keypair', address: sanctioned }))
  expect(response.status).toBe(422)
  const message = expect.stringContaining(sanctioned.toLowerCase())
  expect(await response.json()).toEqual({ error: true, message })
  expect(await count()).toBe(before)
})

test('error: forbidden', async () => {
  const without = (...left: Scope[]) => keyWith(scopes.filter((scope) => !left.includes(scope)))
  const linked = { type: 'evm-mpc-wallet', linkedUser: 'email:scope@example.com' }
  const poor = await without('wallets.create')
  expect(await readRefusal(await create({ type: 'evm-mpc-wallet' }, { key: poor }))).toContain(
    'wallets.create',
  )
  const userless = await without('users.create')
  const refused = await create(linked, { key: userless })
  expect(refused.status).toBe(403)
  expect(await readRefusal(refused)).toContain('users.create')
  expect((await create({ type: 'evm-mpc-wallet' }, { key: userless })).status).toBe(201)
  expect((await create(linked, { key: shop.clientKey })).status).toBe(403)
  expect((await create(linked, { key: null })).status).toBe(401)
  const blind = await without('wallets.read')
  expect((await shop.send('GET', `${path}/${address}`, { key: blind })).status).toBe(403)
})
