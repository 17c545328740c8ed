import { eq } from 'drizzle-orm'
import { Nft, Template, TemplateList } from 'kassa/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createSafeFetch } from '#adapters/guard/createSafeFetch.js'
import { collections, files as fileRows, nfts, templates } from '#base/db/tables/index.js'
import { scopes } from '#base/scopes.js'
import { allocateTokens } from '#goods/collections/allocateTokens.js'
import { insertCollection, type NewCollection } from '#goods/collections/insertCollection.js'
import { contractTemplate, findTemplate } from '#goods/templates/findTemplate.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { readRefusal } from '../../helpers/readRefusal.js'
import { testNetwork } from '../../helpers/testNetwork.js'

const picture = 'https://pictures.example/cup.png'
const cup = { metadata: { name: 'Cup', image: 'ipfs://bafycup', description: 'A cup of it' } }
const guarded = createSafeFetch()

let shop: Shop
let otherKey: string
let fetchedCount = 0

const insert = (collection: Omit<NewCollection, 'projectId' | 'name'>) =>
  shop.deps.db.transaction((tx) =>
    insertCollection(tx, { projectId: shop.projectId, name: collection.id, ...collection }, shop.deps.now()),
  )

beforeAll(async () => {
  const safeFetch: typeof guarded = async (url) => {
    if (url !== picture) return guarded(url)
    fetchedCount += 1
    return { bytes: new TextEncoder().encode('a cup'), contentType: 'image/png' }
  }
  shop = await createShop({ network: { ...testNetwork, safeFetch } })
  await insert({ id: 'tea', chain: 'base-sepolia', supplyLimit: 100 })
  await insert({ id: 'mugs', chain: 'base-sepolia', fungibility: 'semi-fungible' })
  await insert({ id: 'sol', chain: 'solana' })
  await insert({ id: 'default-solana', chain: 'solana' })
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
    'select (select count(*)::int from templates) as t, (select count(*)::int from files) as f',
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

test('error: input-invalid: a chain that is not enabled, of which nothing could be minted', async () => {
  for (const id of ['sol', 'default-solana']) {
    const message = `collectionId: ${id} is on solana; solana is not enabled on this deployment (enabled: base-sepolia)`
    expect(await messageOf(await post(id))).toEqual([400, message])
    const put = await shop.send('PUT', `${pathOf(id)}/dunes`, { body: cup })
    expect(await messageOf(put)).toEqual([400, message])
  }
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

test('error: input-invalid: no file is kept if the other one cannot be fetched', async () => {
  const files = { image: picture, animation_url: 'http://192.168.0.1/a.mp4' }
  const refused = [400, expect.stringMatching(/^metadata\.animation_url: /)]
  await shop.deps.db.delete(fileRows)
  expect(await messageOf(await post('tea', metadata(files)))).toEqual(refused)
  const { templateId } = await create('tea')
  const path = `${pathOf('tea')}/${templateId}`
  expect(await messageOf(await shop.send('PATCH', path, { body: { metadata: files } }))).toEqual(refused)
  expect(await count()).toMatchObject({ f: 0 })
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
  expect(
    await findTemplate(shop.deps.db, { projectId: shop.projectId, collectionId: 'tea', templateId: 'x' }),
  ).toBeUndefined()
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

describe('PUT: an id of the caller’s', () => {
  const put = (id: string, body: object = cup, { collectionId = 'tea', key = shop.serverKey } = {}) =>
    shop.send('PUT', `${pathOf(collectionId)}/${id}`, { body, key })

  test('default: the same request again answers the one template', async () => {
    const id = crypto.randomUUID()
    const answer = { templateId: id, metadata: cup.metadata, supply: { minted: 0 } }
    for (const [spelling, body] of [
      [id, cup],
      [id.toUpperCase(), { ...cup, reuploadLinkedFiles: true, supply: null }],
    ] as const) {
      const response = await put(spelling, body)
      expect([response.status, await response.json()]).toEqual([200, answer])
    }
    expect(await (await get('tea', id)).json()).toEqual(answer)
  })

  test('behavior: ten requests at once create one template', async () => {
    const id = crypto.randomUUID()
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(id)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await count()).toEqual({ ...Object(before), t: Number(Object(before).t) + 1 })
  })

  test('behavior: another collection, and another project, has a template of the same id', async () => {
    const id = crypto.randomUUID()
    const terms = { chain: 'base-sepolia', metadata: { name: 'Tea' } }
    const otherProject = await createProject(shop.deps.db, 'third')
    const shared = { environment: 'staging', projectId: otherProject, kind: 'server', origins: [] } as const
    const key = await createKey(shop.deps, { ...shared, scopes })
    await shop.send('PUT', '/api/2022-06-09/collections/tea', { body: terms, key })
    expect((await put(id, { ...cup, supply: { limit: 1 } })).status).toBe(200)
    expect((await put(id, { ...cup, supply: { limit: 2 } }, { key })).status).toBe(200)
    expect((await put(id, { ...cup, supply: { limit: 3 } }, { collectionId: 'mugs' })).status).toBe(200)
    const { db } = shop.deps
    const collection = { projectId: otherProject, id: 'tea' }
    await db.transaction((tx) => allocateTokens(tx, { collection, templateId: id }, 2))
    const supplies = [
      await (await get('tea', id)).json(),
      await (await get('tea', id, key)).json(),
      await (await get('mugs', id)).json(),
    ].map((answer) => z.parse(Template, answer).supply)
    expect(supplies).toEqual([
      { limit: 1, minted: 0 },
      { limit: 2, minted: 2 },
      { limit: 3, minted: 0 },
    ])
  })

  test('error: conflict: other content, also of a template that has no id of the caller’s', async () => {
    const id = crypto.randomUUID()
    await put(id)
    const { templateId } = await create('tea')
    await shop.deps.db.update(templates).set({ requestHash: null }).where(eq(templates.id, templateId))
    for (const [taken, body] of [
      [id, { ...cup, supply: { limit: 3 } }],
      [templateId, cup],
    ] as const) {
      expect(await messageOf(await put(taken, body))).toEqual([
        409,
        `templateId: ${taken} exists with other content: PATCH changes it`,
      ])
    }
  })

  test.each(['gold', 'A.b_c-9', '7', 'x'.repeat(64)])('parameters: the id %s', async (id) => {
    const created = await put(id, { ...cup, supply: { limit: 2 } })
    const answer = { templateId: id, metadata: cup.metadata, supply: { limit: 2, minted: 0 } }
    expect([created.status, await created.json()]).toEqual([200, answer])
    expect(await (await get('tea', id)).json()).toEqual(answer)
    expect((await put(id, { ...cup, supply: { limit: 2 } })).status).toBe(200)
    expect(await messageOf(await put(id))).toEqual([
      409,
      `templateId: ${id} exists with other content: PATCH changes it`,
    ])
    const listed = z.parse(TemplateList, await (await shop.send('GET', pathOf('tea'))).json())
    expect(listed.map(({ templateId }) => templateId)).toContain(id)
    const body = { recipient: 'base-sepolia:0x70997970C51812dc3A010C7d01b50e0d17dc79C8', templateId: id }
    const mintTo = '/api/2022-06-09/collections/tea/nfts'
    const minted = [await shop.send('POST', mintTo, { body }), await shop.send('POST', mintTo, { body })]
    expect(await minted[0]?.json()).toMatchObject({ templateId: id })
    expect(minted[1]?.status).toBe(200)
    expect(await messageOf(await shop.send('POST', mintTo, { body }))).toEqual([
      409,
      `Template ${id} is sold out: all 2 tokens of its supply limit are minted`,
    ])
    const at = `${pathOf('tea')}/${id}`
    const changed = await shop.send('PATCH', at, { body: { metadata: { name: 'Mug' } } })
    expect(await changed.json()).toMatchObject({ templateId: id, metadata: { name: 'Mug' } })
    expect(await messageOf(await shop.send('DELETE', at))).toEqual([
      409,
      `The template ${id} cannot be deleted: 2 unfinished mints must end first. Try again then`,
    ])
  })

  test('behavior: an id is the same in no other case, and is free in another collection', async () => {
    expect((await put('Case')).status).toBe(200)
    expect((await get('tea', 'case')).status).toBe(404)
    expect((await put('Case', { ...cup, supply: { limit: 3 } }, { collectionId: 'mugs' })).status).toBe(200)
  })

  test.each(['-gold', 'a b', 'x'.repeat(65)])('error: input-invalid: %s', async (id) => {
    expect(await messageOf(await put(encodeURIComponent(id)))).toEqual([
      400,
      'templateId: expected 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit',
    ])
  })
})

describe('PATCH', () => {
  const patch = (collectionId: string, templateId: string, body: object) =>
    shop.send('PATCH', `${pathOf(collectionId)}/${templateId}`, { body })
  const mint = (collectionId: string, templateId: string, copies: number) => {
    const collection = { projectId: shop.projectId, id: collectionId }
    return shop.deps.db.transaction((tx) => allocateTokens(tx, { collection, templateId }, copies))
  }

  test('default: merges, and null changes nothing', async () => {
    const { templateId } = await create('tea', { supply: { limit: 5 } })
    const change = { metadata: { name: 'Mug', description: null, image: picture }, supply: {} }
    const response = await patch('tea', templateId, change)
    const metadata = { ...cup.metadata, name: 'Mug', image: expect.stringMatching(/^ipfs:\/\/b[a-z2-7]+$/) }
    const answer: unknown = await response.json()
    expect([response.status, answer]).toEqual([
      200,
      { templateId, metadata, supply: { limit: 5, minted: 0 } },
    ])
    expect(await (await get('tea', templateId)).json()).toEqual(answer)
    await patch('tea', templateId, { metadata: { image: picture }, reuploadLinkedFiles: false })
    expect(await (await get('tea', templateId)).json()).toMatchObject({ metadata: { image: picture } })
  })

  test('behavior: the limit rises and falls, also once a copy is minted, to the copies at the lowest', async () => {
    const { templateId } = await create('tea', { supply: { limit: 5 } })
    const limitTo = (limit: number | 'unlimited') => patch('tea', templateId, { supply: { limit } })
    expect((await limitTo(9)).status).toBe(200)
    await mint('tea', templateId, 3)
    expect(await messageOf(await limitTo(2))).toEqual([
      400,
      'supply.limit: 2 is less than the 3 copies that are minted, being minted or paid for',
    ])
    expect(await messageOf(await limitTo(10))).toEqual([
      409,
      'supply.limit: 3 copies are not minted yet, and may take long: paid orders and mints wait until the chain takes them. The limit of 9 can grow or be removed once each is minted or has failed, as its action or the delivery of its order shows',
    ])
    const { db } = shop.deps
    for (const [at, status] of (['success', 'success', 'burned'] as const).entries()) {
      await db.insert(nfts).values({
        projectId: shop.projectId,
        collectionId: 'tea',
        id: `${templateId} ${at}`,
        status,
        templateId,
        tokenId: BigInt(at + 1),
        metadata: cup.metadata,
        uri: '',
        locale: 'en-US',
        hasNotification: false,
        createdAt: new Date(),
      })
    }
    for (const limit of [10, 3, 5]) {
      const changed = z.parse(Template, await (await limitTo(limit)).json())
      expect(changed.supply).toEqual({ limit, minted: 3 })
    }
    expect(await (await limitTo('unlimited')).json()).toMatchObject({ supply: { minted: 3 } })
    const row = async () =>
      (await db.select().from(templates).where(eq(templates.id, templateId)))[0] ?? expect.fail('no template')
    expect(contractTemplate(await row())).toEqual({ key: `${templateId}:3`, limit: 0n })
    expect((await limitTo(5)).status).toBe(200)
    await mint('tea', templateId, 2)
    expect(await mint('tea', templateId, 1)).toEqual({ isShort: 'template', limit: 5 })
    expect(await messageOf(await limitTo('unlimited'))).toEqual([409, expect.stringContaining('2 copies')])
    expect(await messageOf(await limitTo(101))).toEqual([
      400,
      "supply.limit: 101 is more than the collection's supplyLimit of 100",
    ])
  })

  test('behavior: copies of a non-fungible template keep theirs; copies of one token share it', async () => {
    const { templateId } = await create('tea')
    await mint('tea', templateId, 1)
    expect((await patch('tea', templateId, { metadata: { name: 'Mug' } })).status).toBe(200)
    const shared = await create('mugs')
    expect((await patch('mugs', shared.templateId, { metadata: { name: 'Mug' } })).status).toBe(200)
    await mint('mugs', shared.templateId, 1)
    expect(await messageOf(await patch('mugs', shared.templateId, { metadata: { name: 'Pot' } }))).toEqual([
      409,
      expect.stringMatching(/^metadata: the copies of the template \S+ share one token/),
    ])
  })

  test('behavior: a copy that is about to be minted counts as one', async () => {
    const { templateId } = await create('mugs')
    const body = { recipient: 'userId:ada:base-sepolia', templateId }
    const minted = await shop.send('POST', '/api/2022-06-09/collections/mugs/nfts', { body })
    expect(minted.status).toBe(200)
    const { db } = shop.deps
    await db.update(templates).set({ allocatedCount: 0 }).where(eq(templates.id, templateId))
    expect(await messageOf(await patch('mugs', templateId, { metadata: { name: 'Pot' } }))).toEqual([
      409,
      expect.stringMatching(/^metadata: the copies of the template \S+ share one token/),
    ])
  })

  test.each<[string, object]>([
    ['limit', { metadata: { image: picture }, supply: { limit: 101 } }],
    ['metadata', { metadata: { image: picture, symbol: 'CUP' } }],
  ])('behavior: a %s that is refused fetches no file', async (_, change) => {
    const { templateId } = await create('tea')
    const before = fetchedCount
    expect((await patch('tea', templateId, change)).status).toBe(400)
    expect(fetchedCount).toBe(before)
  })

  test.each<[object, RegExp]>([
    [{}, /^body: expected metadata or supply\.limit$/],
    [{ metadata: null }, /^body: expected metadata or supply\.limit$/],
    [{ supply: {} }, /^body: expected metadata or supply\.limit$/],
    [{ metadata: { name: '' } }, /^metadata\.name: must not be empty$/],
    [{ metadata: { symbol: 'CUP' } }, /^metadata\.symbol: is for Solana only$/],
    [{ metadata: { image: 'http://192.168.0.1/a.png' } }, /^metadata\.image: /],
    [{ supply: { limit: 0 } }, /^supply\.limit: expected 1 or more$/],
    [{ onChain: { tokenId: '7' }, supply: { limit: 1 } }, /^onChain: cannot be changed$/],
    [{ price: '1', supply: { limit: 1 } }, /^price: not a field that can be given here$/],
    [{ metadata: { extra: 'x'.repeat(10_000) } }, /^metadata: expected at most 16 KiB of JSON$/],
  ])('error: input-invalid: %j', async (body, message) => {
    const extra = { more: 'x'.repeat(7_000) }
    const { templateId } = await create('tea', { metadata: { ...cup.metadata, ...extra } })
    const response = await patch('tea', templateId, body)
    expect([await readRefusal(response), response.status]).toEqual([expect.stringMatching(message), 400])
  })

  test('error: not-found', async () => {
    const id = crypto.randomUUID()
    const message = `Template ${id} not found`
    expect(await messageOf(await patch('tea', id, { supply: { limit: 1 } }))).toEqual([404, message])
  })
})

describe('DELETE', () => {
  const remove = (collectionId: string, templateId: string) =>
    shop.send('DELETE', `${pathOf(collectionId)}/${templateId}`)
  const mintPath = '/api/2022-06-09/collections/tea/nfts'

  test('default: it is gone from every answer, and its token id stays taken', async () => {
    const template = await create('mugs', { onChain: { tokenId: '9000' } })
    const { templateId } = template
    const response = await remove('mugs', templateId)
    expect([response.status, await response.json()]).toEqual([200, template])
    const gone = [404, `Template ${templateId} not found`]
    expect(await messageOf(await get('mugs', templateId))).toEqual(gone)
    expect(await messageOf(await remove('mugs', templateId))).toEqual(gone)
    const change = { body: { supply: { limit: 1 } } }
    const patched = await shop.send('PATCH', `${pathOf('mugs')}/${templateId}`, change)
    expect(await messageOf(patched)).toEqual(gone)
    const listed = await (await shop.send('GET', `${pathOf('mugs')}?perPage=100`)).text()
    expect(listed).not.toContain(templateId)
    expect(await messageOf(await post('mugs', { onChain: { tokenId: '9000' } }))).toEqual([
      409,
      'onChain.tokenId: 9000 is taken in the collection mugs',
    ])
    const again = await shop.send('PUT', `${pathOf('mugs')}/${templateId}`, { body: cup })
    expect(await messageOf(again)).toEqual([409, `templateId: ${templateId} was deleted: choose another id`])
  })

  test('behavior: it waits for unfinished mints, and minted copies stay', async () => {
    const { templateId } = await create('tea')
    const recipient = 'userId:ada:base-sepolia'
    const minted = await shop.send('POST', mintPath, { body: { recipient, templateId } })
    const { id } = z.parse(Nft, await minted.json())
    expect(await messageOf(await remove('tea', templateId))).toEqual([
      409,
      `The template ${templateId} cannot be deleted: 1 unfinished mint must end first. Try again then`,
    ])
    await shop.deps.db.update(nfts).set({ status: 'success' }).where(eq(nfts.id, id))
    expect((await remove('tea', templateId)).status).toBe(200)
    expect(await (await shop.send('GET', `${mintPath}/${id}`)).json()).toMatchObject({ templateId })
    const more = await shop.send('POST', mintPath, { body: { recipient, templateId } })
    expect(await messageOf(more)).toEqual([404, `Template ${templateId} not found`])
  })
})
