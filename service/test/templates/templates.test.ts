import { eq } from 'drizzle-orm'
import { Template, TemplateList } from 'kassa/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { allocateTokens } from '../../src/collections/allocateTokens.js'
import { insertCollection, type NewCollection } from '../../src/collections/insertCollection.js'
import { collections } from '../../src/db/tables/index.js'
import { createSafeFetch } from '../../src/guard/createSafeFetch.js'
import { createKey } from '../../src/keys/createKey.js'
import { createProject } from '../../src/projects/createProject.js'
import { findTemplate } from '../../src/templates/findTemplate.js'
import { createShop, type Shop } from '../helpers/createShop.js'
import { readRefusal } from '../helpers/readRefusal.js'
import { testNetwork } from '../helpers/testNetwork.js'

const picture = 'https://pictures.example/cup.png'
const cup = { metadata: { name: 'Cup', image: 'ipfs://bafycup', description: 'A cup of it' } }
const guarded = createSafeFetch()

let shop: Shop
let otherKey: string

const insert = (collection: Omit<NewCollection, 'projectId' | 'name'>) =>
  shop.deps.db.transaction((tx) =>
    insertCollection(tx, { projectId: shop.projectId, name: collection.id, ...collection }, shop.deps.now()),
  )

beforeAll(async () => {
  const safeFetch: typeof guarded = async (url) =>
    url === picture ? { bytes: new TextEncoder().encode('a cup'), contentType: 'image/png' } : guarded(url)
  shop = await createShop({ network: { ...testNetwork, safeFetch } })
  await insert({ id: 'tea', chain: 'base-sepolia', supplyLimit: 100 })
  await insert({ id: 'mugs', chain: 'base-sepolia', fungibility: 'semi-fungible' })
  await insert({ id: 'sol', chain: 'solana' })
  const projectId = await createProject(shop.deps.db, 'other')
  const key = { environment: 'staging', projectId, kind: 'server', origins: [] } as const
  otherKey = await createKey(shop.deps, { ...key, scopes: ['nfts.create', 'nfts.read'] })
})
afterAll(() => shop.close())

const pathOf = (collectionId: string) => `/api/2022-06-09/collections/${collectionId}/templates`
const post = (collectionId: string, change: object = {}, key = shop.serverKey) =>
  shop.send('POST', pathOf(collectionId), { body: { ...cup, ...change }, key })
const create = async (collectionId: string, change: object = {}) =>
  z.parse(Template, await (await post(collectionId, change)).json())
const get = (collectionId: string, templateId: string, key = shop.serverKey) =>
  shop.send('GET', `${pathOf(collectionId)}/${templateId}`, { key })
const messageOf = async (response: Response) => [response.status, await readRefusal(response)]
const count = async (): Promise<unknown> => {
  const { rows } = await shop.database.executeSql(
    'select (select count(*) from templates) as t, (select count(*) from files) as f',
  )
  return rows[0]
}

test('default', async () => {
  const response = await post('tea')
  expect(response.status).toBe(200)
  const answer = z.parse(Template, await response.json())
  expect(answer).toEqual({
    templateId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    metadata: cup.metadata,
    supply: { minted: 0 },
  })
  expect(await (await get('tea', answer.templateId)).json()).toEqual(answer)
  expect(await (await get('tea', answer.templateId.toUpperCase())).json()).toEqual(answer)
})

test('parameters: the picture is copied, unless the caller keeps it', async () => {
  const metadata = { name: 'Cup', image: picture }
  expect((await create('tea', { metadata })).metadata.image).toMatch(/^ipfs:\/\/b[a-z2-7]+$/)
  expect((await create('tea', { metadata, reuploadLinkedFiles: false })).metadata.image).toBe(picture)
})

test('parameters: metadata like a token’s, with the video copied too', async () => {
  const metadata = {
    ...cup.metadata,
    animation_url: picture,
    attributes: [{ trait_type: 'Size', value: 3, display_type: 'number', max_value: 5 }, { value: 'Rare' }],
    external_url: 'https://cups.example',
  }
  const { templateId, ...answer } = await create('tea', { metadata })
  expect(answer.metadata).toEqual({ ...metadata, animation_url: expect.stringMatching(/^ipfs:\/\/b/) })
  expect(await (await get('tea', templateId)).json()).toMatchObject({ metadata: answer.metadata })
})

test('parameters: symbol, on Solana', async () => {
  const metadata = { ...cup.metadata, symbol: 'CUP' }
  expect(await create('sol', { metadata })).toMatchObject({ metadata: { symbol: 'CUP' } })
})

test('behavior: the limit, and how much of it is minted or being minted', async () => {
  const { templateId } = await create('tea', { supply: { limit: 5 } })
  const { db } = shop.deps
  const collection = { projectId: shop.projectId, id: 'tea' }
  await db.transaction((tx) => allocateTokens(tx, { collection, templateId }, 2))
  const answer = z.parse(Template, await (await get('tea', templateId)).json())
  expect(answer.supply).toEqual({ limit: 5, minted: 2 })
  expect(await db.transaction((tx) => allocateTokens(tx, { collection, templateId }, 4))).toEqual({
    isShort: 'template',
    limit: 5,
  })
})

describe('behavior: token ids of a semi-fungible collection', () => {
  const tokenIdOf = async (tokenId?: string) =>
    (await create('mugs', tokenId === undefined ? {} : { onChain: { tokenId } })).onChain?.tokenId
  const taken = (tokenId: string) => [409, `onChain.tokenId: ${tokenId} is taken in the collection mugs`]

  test('the given one, or the next free one', async () => {
    expect([await tokenIdOf(), await tokenIdOf('3'), await tokenIdOf(), await tokenIdOf()]).toEqual([
      1, 3, 2, 4,
    ])
    expect(await tokenIdOf('0')).toBe(0)
    expect(await tokenIdOf(`${Number.MAX_SAFE_INTEGER}`)).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('an id of a template or a token is taken', async () => {
    await tokenIdOf('77')
    const { db } = shop.deps
    const [row] = await db.select().from(collections).where(eq(collections.id, 'mugs'))
    const collection = { projectId: shop.projectId, id: 'mugs' }
    await db.transaction((tx) => allocateTokens(tx, { collection }, 1))
    const before = await count()
    for (const tokenId of ['0', '77', `${row?.nextTokenId}`]) {
      expect(await messageOf(await post('mugs', { onChain: { tokenId } }))).toEqual(taken(tokenId))
    }
    expect(await count()).toEqual(before)
  })

  test('twenty templates created at once have twenty ids', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => tokenIdOf()))
    expect(new Set(ids).size).toBe(20)
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => post('mugs', { onChain: { tokenId: '500' } })),
    )
    expect(asked.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })
})

const metadata = (change: object) => ({ metadata: { ...cup.metadata, ...change } })
const tokenId = (value: unknown) => ({ onChain: { tokenId: value } })

test.each<[string, object, RegExp]>([
  ['tea', { metadata: undefined }, /^metadata: required$/],
  ['tea', metadata({ name: undefined }), /^metadata\.name: required$/],
  ['tea', metadata({ name: ' ' }), /^metadata\.name: must not be empty$/],
  ['tea', metadata({ name: 'x'.repeat(201) }), /^metadata\.name: expected 200 /],
  ['tea', metadata({ image: undefined }), /^metadata\.image: required$/],
  ['tea', metadata({ image: '' }), /^metadata\.image: /],
  ['tea', metadata({ image: 'ftp://x.example/a' }), /^metadata\.image: /],
  ['tea', metadata({ image: 'http://192.168.0.1/a.png' }), /^metadata\.image: /],
  ['tea', metadata({ description: 7 }), /^metadata\.description: /],
  ['tea', metadata({ description: 'x'.repeat(5001) }), /^metadata\.description: expected 5000 /],
  ['tea', metadata({ symbol: 'CUP' }), /^metadata\.symbol: is for Solana only$/],
  ['sol', metadata({ symbol: 'x'.repeat(11) }), /^metadata\.symbol: expected 10 /],
  ['tea', tokenId('7'), /^onChain\.tokenId: is for semi-fungible collections only$/],
  ['mugs', tokenId(7), /^onChain\.tokenId: /],
  ['mugs', tokenId(''), /^onChain\.tokenId: expected a whole number as a string/],
  ['mugs', tokenId('-1'), /^onChain\.tokenId: expected a whole number as a string/],
  ['mugs', tokenId('07'), /^onChain\.tokenId: expected a whole number as a string/],
  ['mugs', tokenId('9007199254740992'), /^onChain\.tokenId: expected 9007199254740991 or less$/],
  ['tea', { supply: { limit: 0 } }, /^supply\.limit: expected 1 or more$/],
  ['tea', { supply: { limit: '5' } }, /^supply\.limit: /],
  ['tea', { supply: { limit: 2 ** 31 } }, /^supply\.limit: expected 2147483647 or less$/],
  [
    'tea',
    { supply: { limit: 101 } },
    /^supply\.limit: 101 is more than the collection's supplyLimit of 100$/,
  ],
  ['tea', { reuploadLinkedFiles: 1 }, /^reuploadLinkedFiles: expected true or false$/],
])('error: input-invalid, in %s %j', async (collectionId, change, message) => {
  const before = await count()
  const response = await post(collectionId, change)
  expect(await readRefusal(response)).toMatch(message)
  expect(response.status).toBe(400)
  expect(await count()).toEqual(before)
})

test('error: not-found, also for another project’s or collection’s', async () => {
  const { templateId } = await create('tea')
  const noCollection = (id: string) => [404, `Collection ${id} not found`]
  expect(await messageOf(await post('nothing'))).toEqual(noCollection('nothing'))
  expect(await messageOf(await post('tea', {}, otherKey))).toEqual(noCollection('tea'))
  expect(await messageOf(await get('tea', templateId, otherKey))).toEqual(noCollection('tea'))
  expect(await messageOf(await shop.send('GET', pathOf('tea'), { key: otherKey }))).toEqual(
    noCollection('tea'),
  )
  expect(await messageOf(await get('mugs', templateId))).toEqual([404, `Template ${templateId} not found`])
  for (const id of ['x', '%00', crypto.randomUUID()]) {
    expect(await messageOf(await get('tea', id))).toEqual([
      404,
      `Template ${decodeURIComponent(id)} not found`,
    ])
  }
  expect(await findTemplate(shop.deps.db, shop.projectId, 'tea', 'x')).toBeUndefined()
})

test('error: forbidden', async () => {
  const shared = { environment: 'staging', projectId: shop.projectId, kind: 'server', origins: [] } as const
  const reader = await createKey(shop.deps, { ...shared, scopes: ['nfts.read'] })
  const writer = await createKey(shop.deps, { ...shared, scopes: ['nfts.create'] })
  const lacks = (scope: string) => [403, `The API key lacks the scope ${scope}`]
  expect(await messageOf(await post('tea', {}, reader))).toEqual(lacks('nfts.create'))
  expect(await messageOf(await get('tea', crypto.randomUUID(), writer))).toEqual(lacks('nfts.read'))
  expect(await messageOf(await shop.send('GET', pathOf('tea'), { key: writer }))).toEqual(lacks('nfts.read'))
})

test('behavior: lists are newest first, in pages, and per collection', async () => {
  await insert({ id: 'listed', chain: 'base-sepolia' })
  const names = Array.from({ length: 5 }, (_, index) => `Cup ${index}`)
  for (const name of names) {
    await create('listed', metadata({ name }))
    await shop.advance(1)
  }
  const list = async (query: string) => {
    const response = await shop.send('GET', `${pathOf('listed')}${query}`)
    return z.parse(TemplateList, await response.json()).map((template) => template.metadata.name)
  }
  expect(await list('')).toEqual(names.toReversed())
  expect(await list('?page=2&perPage=2')).toEqual(['Cup 2', 'Cup 1'])
  expect((await shop.send('GET', `${pathOf('listed')}?perPage=0`)).status).toBe(400)
})
