import { Collection, CollectionList } from 'kassa/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createSafeFetch } from '#adapters/guard/createSafeFetch.js'
import { createDefaultCollections } from '#goods/collections/createDefaultCollections.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { teaBody } from '../../helpers/createCollectionWorld.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { readRefusal } from '../../helpers/readRefusal.js'
import { testConfig } from '../../helpers/testConfig.js'
import { testNetwork } from '../../helpers/testNetwork.js'

const path = '/api/2022-06-09/collections'
const picture = 'https://pictures.example/tea.png'
const guarded = createSafeFetch()

let shop: Shop
let otherKey: string
let fetched: string[] = []

beforeAll(async () => {
  const safeFetch: typeof guarded = async (url) => {
    fetched.push(url)
    if (url !== picture) return guarded(url)
    return { bytes: new TextEncoder().encode('a picture of tea'), contentType: 'image/png' }
  }
  const ports = ['base-sepolia', 'polygon-amoy'].map(
    (chain) => createFakeChain({ chain, now: Date.now }).port,
  )
  shop = await createShop({ chains: ports, network: { ...testNetwork, safeFetch } })
  const { deps, projectId } = shop
  await deps.db.transaction((tx) =>
    createDefaultCollections(tx, { projectId, environment: 'staging' }, deps.now()),
  )
  const other = await createProject(deps.db, 'other')
  const key = { environment: 'staging', projectId: other, kind: 'server', origins: [] } as const
  otherKey = await createKey(deps, { ...key, scopes: ['collections.create', 'collections.read'] })
})
afterAll(() => shop.close())

const put = (id: string, change: object = {}, key = shop.serverKey) =>
  shop.send('PUT', `${path}/${id}`, { body: { ...teaBody, ...change }, key })
const get = (id: string, key = shop.serverKey) => shop.send('GET', `${path}/${id}`, { key })
const read = async (response: Response) => z.parse(Collection, await response.json())
const count = async (): Promise<unknown> => {
  const { rows } = await shop.database.executeSql(
    'select (select count(*) from collections) as c, (select count(*) from actions) as a, (select count(*) from files) as f',
  )
  return rows[0]
}

test('default', async () => {
  const response = await put('tea')
  expect(response.status).toBe(200)
  const answer = await read(response)
  expect(answer).toEqual({
    id: 'tea',
    metadata: teaBody.metadata,
    supply: { minted: 0, reserved: 0 },
    fungibility: 'non-fungible',
    onChain: {
      chain: 'base-sepolia',
      type: 'erc-721',
      contractAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/),
    },
    transferable: true,
    subscription: { enabled: false },
    actionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(await read(await get('tea'))).toEqual(answer)
})

test('parameters: everything', async () => {
  const recipientAddress = '0x00000000000000000000000000000000000000BB'
  const response = await put('all', {
    chain: 'polygon-amoy',
    metadata: { name: 'All' },
    fungibility: 'semi-fungible',
    transferable: false,
    supplyLimit: 12,
    payments: { price: '0.5', recipientAddress, royaltyBasisPoints: 500 },
  })
  expect(await read(response)).toMatchObject({
    metadata: { name: 'All', symbol: 'TOKEN' },
    fungibility: 'semi-fungible',
    onChain: { chain: 'polygon-amoy', type: 'erc-1155' },
    transferable: false,
    supplyLimit: 12,
    payments: {
      price: '0.5',
      currency: 'pol',
      recipientAddress: recipientAddress.toLowerCase(),
      royaltyBasisPoints: 500,
    },
  })
})

test('parameters: a subscription is never transferable', async () => {
  expect(await read(await put('news', { subscription: { enabled: true } }))).toMatchObject({
    onChain: { type: 'erc-5643' },
    transferable: false,
    subscription: { enabled: true },
  })
})

test('behavior: off EVM no standard of EVM is named', async () => {
  const { onChain, ...collection } = await read(await get('default-solana'))
  expect(onChain).toEqual({ chain: 'solana', type: 'token-2022' })
  expect(collection).toMatchObject({ transferable: true })
})

test('parameters: the picture is copied, unless the caller keeps it', async () => {
  const metadata = { name: 'Tea', imageUrl: picture }
  const copied = await read(await put('copied', { metadata }))
  expect(copied.metadata.imageUrl).toMatch(/^ipfs:\/\/b[a-z2-7]+$/)
  const file = await shop.app.request(`/ipfs/${copied.metadata.imageUrl?.slice('ipfs://'.length)}`)
  expect(await file.text()).toBe('a picture of tea')
  const linked = await read(await put('linked', { metadata, reuploadLinkedFiles: false }))
  expect(linked.metadata.imageUrl).toBe(picture)
})

test('parameters: without an id of the caller’s it is a UUID, and an idempotency key makes one', async () => {
  const headers = { 'x-idempotency-key': 'one' }
  const first = await shop.send('POST', path, { body: teaBody, headers })
  const again = await shop.send('POST', path, { body: teaBody, headers })
  const { id } = await read(first)
  expect(first.status).toBe(200)
  expect(id).toMatch(/^[0-9a-f]{8}-/)
  expect((await read(again)).id).toBe(id)
})

describe('behavior: idempotent', () => {
  test('the same request answers the same, in whatever order its fields come, and fetches nothing again', async () => {
    const body = { ...teaBody, metadata: { ...teaBody.metadata, imageUrl: picture } }
    const first = await read(await put('twice', body))
    fetched = []
    const turned = Object.fromEntries(Object.entries({ ...body, ignored: 1 }).reverse())
    const again = await shop.send('PUT', `${path}/twice`, { body: turned })
    expect(again.status).toBe(200)
    expect(await read(again)).toEqual(first)
    expect(fetched).toEqual([])
  })

  test('another request for the id is a conflict', async () => {
    await put('once')
    const before = await count()
    const response = await put('once', { supplyLimit: 3 })
    expect(response.status).toBe(409)
    expect(await response.json()).toEqual({
      error: true,
      message: 'collectionId: once exists with other content',
    })
    expect(await count()).toEqual(before)
  })

  test('defaults said or not are the same request', async () => {
    const payments = { price: '1' }
    const first = await read(await put('said', { payments }))
    const said = {
      fungibility: 'non-fungible',
      transferable: true,
      reuploadLinkedFiles: true,
      subscription: { enabled: false },
      payments: { ...payments, currency: 'ETH', royaltyBasisPoints: 0 },
    }
    expect(await read(await put('said', said))).toEqual(first)
    expect((await put('said', { ...said, transferable: false })).status).toBe(409)
  })

  test('the default collections are taken', async () => {
    for (const id of ['default-solana', 'default-polygon']) {
      expect((await put(id)).status).toBe(409)
      expect((await put(id, { chain: 'solana' })).status).toBe(409)
    }
  })

  test('another project has ids of its own', async () => {
    const mine = await read(await put('shared'))
    const theirs = await read(await put('shared', {}, otherKey))
    expect(theirs.onChain.contractAddress).not.toBe(mine.onChain.contractAddress)
    expect(theirs.actionId).not.toBe(mine.actionId)
  })
})

const name = (length: number) => ({ metadata: { name: 'x'.repeat(length) } })
const metadata = (change: object) => ({ metadata: { name: 'Tea', ...change } })
const payments = (change: object) => ({ payments: { price: '1', ...change } })

test.each<[object, RegExp]>([
  [{ chain: undefined }, /^chain: required$/],
  [{ chain: 'narnia' }, /^chain: expected a chain/],
  [{ chain: 7 }, /^chain: /],
  [
    { chain: 'base' },
    /^chain: base is not enabled on this deployment \(enabled: base-sepolia, polygon-amoy\)$/,
  ],
  [{ chain: 'solana' }, /^chain: solana is not enabled/],
  [{ chain: 'aptos' }, /^chain: Aptos is not supported, and no setting enables it \(enabled: /],
  [
    { chain: 'aptos', fungibility: 'semi-fungible' },
    /fungibility: semi-fungible is for EVM chains and Solana/,
  ],
  [{ chain: 'solana', subscription: { enabled: true } }, /subscription\.enabled: .*EVM chains/],
  [{ metadata: undefined }, /^metadata: required$/],
  [metadata({ name: undefined }), /^metadata\.name: required$/],
  [metadata({ name: '' }), /^metadata\.name: must not be empty$/],
  [metadata({ name: '  ' }), /^metadata\.name: must not be empty$/],
  [metadata({ name: 7 }), /^metadata\.name: /],
  [name(201), /^metadata\.name: expected 200 characters or fewer$/],
  [metadata({ description: '' }), /^metadata\.description: must not be empty$/],
  [metadata({ description: 'x'.repeat(5001) }), /^metadata\.description: expected 5000 /],
  [metadata({ symbol: '' }), /^metadata\.symbol: must not be empty$/],
  [metadata({ symbol: 'x'.repeat(33) }), /^metadata\.symbol: expected 32 /],
  [metadata({ imageUrl: '' }), /^metadata\.imageUrl: /],
  [metadata({ imageUrl: 'file:///etc/passwd' }), /^metadata\.imageUrl: expected an https/],
  [metadata({ imageUrl: `https://x.example/${'x'.repeat(2048)}` }), /^metadata\.imageUrl: expected 2048 /],
  [metadata({ imageUrl: 'http://127.0.0.1/a.png' }), /^metadata\.imageUrl: /],
  [metadata({ imageUrl: 'http://169.254.169.254/latest' }), /^metadata\.imageUrl: /],
  [metadata({ imageUrl: 'http://[::1]/a.png' }), /^metadata\.imageUrl: /],
  [{ fungibility: 'fungible' }, /^fungibility: expected "non-fungible" or "semi-fungible"$/],
  [{ transferable: 'yes' }, /^transferable: expected true or false$/],
  [{ supplyLimit: 0 }, /^supplyLimit: expected 1 or more$/],
  [{ supplyLimit: -1 }, /^supplyLimit: expected 1 or more$/],
  [{ supplyLimit: 1.5 }, /^supplyLimit: expected a whole number$/],
  [{ supplyLimit: '5' }, /^supplyLimit: /],
  [{ supplyLimit: 2 ** 31 }, /^supplyLimit: expected 2147483647 or less$/],
  [payments({ price: undefined }), /^payments\.price: required$/],
  [payments({ price: 1 }), /^payments\.price: /],
  [payments({ price: '1e3' }), /^payments\.price: expected a decimal string/],
  [payments({ price: '-1' }), /^payments\.price: /],
  [payments({ price: '0.1234567', currency: 'USDC' }), /^payments\.price: at most 6 decimals in usdc$/],
  [payments({ currency: '' }), /^payments\.currency: expected a currency such as "eth" or "usdc"$/],
  [payments({ currency: 'doge' }), /^payments\.currency: doge is not known .*eth, /],
  [payments({ currency: 'constructor' }), /^payments\.currency: constructor is not known /],
  [
    payments({ recipientAddress: `0x${'0'.repeat(40)}` }),
    /^payments\.recipientAddress: the zero address has no owner$/,
  ],
  [
    payments({ currencies: ['gold'] }),
    /^payments\.currencies: gold is not accepted on this deployment \(accepted: eth, usdc, usdxm\)$/,
  ],
  [payments({ currencies: [] }), /^payments\.currencies: expected one currency or more$/],
  [payments({ royaltyBasisPoints: -1 }), /^payments\.royaltyBasisPoints: expected 0 or more$/],
  [payments({ royaltyBasisPoints: 10_001 }), /^payments\.royaltyBasisPoints: expected 10000 or less$/],
  [payments({ royaltyBasisPoints: 0.5 }), /^payments\.royaltyBasisPoints: expected a whole number$/],
  [payments({ royaltyBasisPoints: 1 }), /^payments\.recipientAddress: required with /],
  [payments({ recipientAddress: 'me' }), /^payments\.recipientAddress: expected a wallet address$/],
  [
    payments({ recipientAddress: '4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABxE1234S' }),
    /^payments\.recipientAddress: 4Nd1\w+ is not an address on base-sepolia$/,
  ],
  [{ subscription: { enabled: 1 } }, /^subscription\.enabled: expected true or false$/],
  [
    { subscription: { enabled: true }, transferable: true },
    /^transferable: must be false for a subscription$/,
  ],
  [
    { subscription: { enabled: true }, fungibility: 'semi-fungible' },
    /^subscription\.enabled: .*semi-fungible/,
  ],
  [{ reuploadLinkedFiles: 'no' }, /^reuploadLinkedFiles: expected true or false$/],
])('error: input-invalid %j', async (change, message) => {
  const before = await count()
  const response = await put('bad', change)
  expect(await readRefusal(response)).toMatch(message)
  expect(response.status).toBe(400)
  expect(await count()).toEqual(before)
})

test.each(['-x', 'a%20b', 'a:b', '%00', '%E0%B9%80', 'x'.repeat(129)])(
  'error: input-invalid, the id %s',
  async (id) => {
    const response = await put(id)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      message: expect.stringMatching(/^collectionId: expected 1 to/),
    })
  },
)

test('parameters: payments.currency, US dollars: refused where no order could be paid', async () => {
  const dollars = { ...teaBody, payments: { price: '12', currency: 'usd' } }
  expect((await put('dollars', dollars)).status).toBe(200)
  const config = { ...testConfig, rates: { ...testConfig.rates, table: {} } }
  const withoutRates = await createShop({ config })
  const create = (payments: object) =>
    withoutRates.send('PUT', `${path}/dollars`, { body: { ...teaBody, payments } })
  const refused = await create(dollars.payments)
  expect(refused.status).toBe(400)
  expect(await readRefusal(refused)).toBe(
    'payments.currency: no order could be paid, as this deployment has no exchange rates from usd to eth, usdc, usdxm',
  )
  expect((await create({ price: '0.01', currency: 'eth' })).status).toBe(200)
  await withoutRates.close()
})

test('error: forbidden', async () => {
  const { deps, projectId } = shop
  const shared = { environment: 'staging', projectId, origins: [] } as const
  const reader = await createKey(deps, { ...shared, kind: 'server', scopes: ['collections.read'] })
  const writer = await createKey(deps, { ...shared, kind: 'server', scopes: ['collections.create'] })
  const messageOf = async (response: Response) => [response.status, await readRefusal(response)]
  const lacks = (scope: string) => [403, `The API key lacks the scope ${scope}`]
  expect(await messageOf(await put('no', {}, reader))).toEqual(lacks('collections.create'))
  expect(
    await messageOf(await shop.send('PATCH', `${path}/tea`, { body: { supplyLimit: 5 }, key: reader })),
  ).toEqual(lacks('collections.create'))
  expect(await messageOf(await get('tea', writer))).toEqual(lacks('collections.read'))
  expect(await messageOf(await shop.send('GET', path, { key: writer }))).toEqual(lacks('collections.read'))
  expect(await messageOf(await put('no', {}, shop.clientKey))).toEqual(lacks('collections.create'))
})

test('error: not-found, another project’s too', async () => {
  const long = 'x'.repeat(128)
  for (const id of ['nothing', 'tea', '%00', `${long}xyz`]) {
    const response = await get(id, otherKey)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: true,
      message: `Collection ${decodeURIComponent(id.replace('xyz', '…'))} not found`,
    })
    const patched = await shop.send('PATCH', `${path}/${id}`, { body: { supplyLimit: 5 }, key: otherKey })
    expect(patched.status).toBe(404)
  }
})

test.each<[object, RegExp]>([
  [{}, /^body: expected at least one of metadata/],
  [{ reuploadLinkedFiles: true }, /^body: expected at least one of metadata/],
  [{ supplyLimit: 'all' }, /^supplyLimit: /],
  [{ supplyLimit: 0 }, /^supplyLimit: expected 1 or more$/],
  [{ metadata: { name: '' } }, /^metadata\.name: must not be empty$/],
  [{ metadata: null }, /^body: expected at least one of metadata, /],
  [{ metadata: { imageUrl: 'http://10.0.0.1/a.png' } }, /^metadata\.imageUrl: /],
  [{ transferable: null }, /^body: expected at least one of metadata, /],
  [{ payments: { currency: 'usdc' } }, /^payments\.price: required$/],
  [{ payments: { price: `0.${'0'.repeat(18)}1` } }, /^payments\.price: at most 18 decimals in eth$/],
  [{ metadata: { name: 5 } }, /^metadata\.name: /],
  [{ transferable: true, price: '1' }, /^price: not a field that can be given here$/],
  [{ chain: 'base' }, /^chain: cannot be changed$/],
  [
    { fungibility: 'semi-fungible', subscription: { enabled: true }, supplyLimit: 9 },
    /^fungibility: cannot be changed; subscription: cannot be changed$/,
  ],
])('error: input-invalid, an update of %j', async (body, message) => {
  const before = await count()
  const response = await shop.send('PATCH', `${path}/tea`, { body })
  expect(await readRefusal(response)).toMatch(message)
  expect(response.status).toBe(400)
  expect(await count()).toEqual(before)
})

test('behavior: lists are newest first and in pages, and a project’s own', async () => {
  const list = async (query: string, key = shop.serverKey) => {
    const response = await shop.send('GET', `${path}${query}`, { key })
    return z.parse(CollectionList, await response.json()).results.map(({ id }) => id)
  }
  await put('last')
  const all = await list('?perPage=100')
  expect(all[0]).toBe('last')
  expect(all).toContain('default-polygon')
  expect(await list('')).toEqual(all.slice(0, 10))
  expect(await list('?page=2&perPage=3')).toEqual(all.slice(3, 6))
  expect(await list('?page=99999999')).toEqual([])
  expect(await list('', otherKey)).toEqual(['shared'])
  for (const query of ['page=0', 'page=-1', 'page=x', 'page=', 'perPage=0', 'perPage=101', 'perPage=1.5']) {
    const response = await shop.send('GET', `${path}?${query}`)
    expect(response.status).toBe(400)
    expect(await readRefusal(response)).toMatch(
      new RegExp(`^${query.split('=')[0]}: expected a whole number`),
    )
  }
})
