import { eq } from 'drizzle-orm'
import { Nft } from 'kassa/schema'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { actions, files, nfts, templates, wallets } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'
import { createDefaultCollections } from '#goods/collections/createDefaultCollections.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { mintBody } from '../../helpers/createNftWorld.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const path = '/api/2022-06-09/collections'
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const picture = 'https://pictures.example/one.png'

const shop = openBeforeAll(createShop)
let fetched: string[]
beforeAll(async () => {
  shop.deps.safeFetch = async (url) => {
    fetched.push(url)
    if (!url.startsWith(picture)) {
      throw new ServiceError('input-invalid', 'leads to an address that is not public')
    }
    return { bytes: new TextEncoder().encode(url), contentType: 'image/png' }
  }
})
beforeEach(() => {
  fetched = []
})

const send = async (method: string, at: string, body?: unknown, key: string | null = shop.serverKey) => {
  const response = await shop.send(method, `${path}${at}`, { body, key })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const create = async (body: object, chain = 'base-sepolia') => {
  const metadata = { name: 'Things', description: 'Many', imageUrl: 'ipfs://things', symbol: 'T' }
  const created = await send('POST', '', { chain, metadata, ...body })
  expect(created.status).toBe(200)
  return String(created.body.id)
}
const mint = (body: object = {}, collectionId = 'prints') =>
  send('POST', `/${collectionId}/nfts`, { ...mintBody, ...body })
const countAll = async () => {
  const tables = [nfts, actions, wallets, files]
  return Promise.all(tables.map((table) => shop.deps.db.$count(table)))
}
const otherKey = async (scopes: Parameters<typeof createKey>[1]['scopes']) => {
  const projectId = await createProject(shop.deps.db, `other ${Math.random()}`)
  return createKey(shop.deps, { environment: 'staging', projectId, kind: 'server', scopes, origins: [] })
}

describe('POST', () => {
  test('default: a token under a new id, pending, and its action', async () => {
    const { status, body } = await mint()
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      metadata: mintBody.metadata,
      onChain: {
        status: 'pending',
        chain: 'base-sepolia',
        contractAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      },
      actionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const response = await shop.send('GET', `/api/2022-06-09/actions/${body.actionId}`)
    expect(await response.json()).toMatchObject({
      action: 'nfts.create',
      status: 'pending',
      data: { chain: 'base-sepolia', token: { id: body.id }, collection: { id: 'prints' } },
      resource: `http://localhost:4000${path}/prints/nfts/${body.id}`,
    })
  })

  test('behavior: under one idempotency key it is one token', async () => {
    const once = () =>
      shop.send('POST', `${path}/prints/nfts`, {
        body: mintBody,
        headers: { 'x-idempotency-key': 'one' },
      })
    const texts = await Promise.all((await Promise.all([once(), once(), once()])).map((r) => r.text()))
    expect(new Set(texts).size).toBe(1)
  })

  test('behavior: linked files are stored, and shown by their content identifier', async () => {
    const metadata = {
      name: 'Film',
      image: picture,
      animation_url: `${picture}?film`,
      description: 'Moves',
      attributes: [
        { trait_type: 'Length', value: 7, display_type: 'number', max_value: 9 },
        { value: 'Rare' },
      ],
      external_url: 'https://artist.example',
    }
    const { body } = await mint({ metadata })
    expect(fetched).toEqual([picture, `${picture}?film`])
    const read = await send('GET', `/prints/nfts/${body.id}`)
    expect(read.body.metadata).toEqual({
      ...metadata,
      image: expect.stringMatching(/^ipfs:\/\/b/),
      animation_url: expect.stringMatching(/^ipfs:\/\/b/),
    })
  })

  test('parameters: reuploadLinkedFiles', async () => {
    const { body } = await mint({ metadata: { name: 'L', image: picture }, reuploadLinkedFiles: false })
    expect(fetched).toEqual([])
    expect((await send('GET', `/prints/nfts/${body.id}`)).body.metadata).toMatchObject({ image: picture })
  })

  test.each([
    [`base-sepolia:${address}`, undefined],
    [`base-sepolia:${address.toLowerCase()}`, undefined],
    ['email:Ada@Example.com:base-sepolia', 'email:ada@example.com'],
    ['email:ada@example.com:base-sepolia', 'email:ada@example.com'],
    ['userId:Shop:7:base-sepolia', 'userId:Shop:7'],
    ['twitter:@Ada:base-sepolia', 'twitter:ada'],
    ['twitter:ada:base-sepolia', 'twitter:ada'],
  ])('parameters: recipient %s', async (recipient, user) => {
    const { status, body } = await mint({ recipient })
    expect(status).toBe(200)
    const kept = await shop.deps.db.select().from(wallets)
    const rows = await shop.deps.db.select().from(nfts)
    const owner = rows.find(({ id }) => id === body.id)?.owner
    if (user === undefined) expect(owner).toBe(address.toLowerCase())
    else expect(kept.filter((wallet) => wallet.userLocator === user)).toMatchObject([{ address: owner }])
  })

  test('behavior: users of one name in two projects have separate wallets', async () => {
    const key = await otherKey(['nfts.create', 'collections.create'])
    const metadata = { name: 'Theirs' }
    await send('PUT', '/theirs', { chain: 'base-sepolia', metadata }, key)
    const recipient = 'email:shared@example.com:base-sepolia'
    await mint({ recipient })
    expect((await send('POST', '/theirs/nfts', { ...mintBody, recipient }, key)).status).toBe(200)
    const kept = await shop.deps.db.select().from(wallets)
    const shared = kept.filter(({ userLocator }) => userLocator === 'email:shared@example.com')
    expect(new Set(shared.map((wallet) => wallet.address)).size).toBe(2)
  })

  test('behavior: an internationalised domain is one user in both spellings', async () => {
    const before = await shop.deps.db.$count(wallets)
    for (const domain of ['müller.example', 'xn--mller-kva.example']) {
      const minted = await mint({ recipient: `email:grete@${domain}:base-sepolia` })
      expect(minted.status).toBe(200)
      const wallet = { type: 'evm-mpc-wallet', linkedUser: `email:grete@${domain}` }
      const created = await shop.send('POST', '/api/2022-06-09/wallets', { body: wallet })
      expect(await created.json()).toMatchObject({ linkedUser: 'email:grete@xn--mller-kva.example' })
    }
    expect((await shop.deps.db.$count(wallets)) - before).toBe(1)
  })

  test('behavior: copies of a template show its metadata, until none is left', async () => {
    const collectionId = await create({ supplyLimit: 10 })
    const template = await send('POST', `/${collectionId}/templates`, {
      metadata: { name: 'Copy', image: 'ipfs://copy' },
      supply: { limit: 2 },
    })
    const { templateId } = template.body
    const copy = () => mint({ metadata: undefined, templateId }, collectionId)
    const { body } = await copy()
    expect((await send('GET', `/${collectionId}/nfts/${body.id}`)).body).toMatchObject({
      templateId,
      metadata: { name: 'Copy', image: 'ipfs://copy' },
    })
    expect((await copy()).status).toBe(200)
    expect(await copy()).toEqual({
      status: 409,
      body: {
        error: true,
        message: `Template ${templateId} is sold out: all 2 tokens of its supply limit are minted`,
      },
    })
    expect((await mint({}, collectionId)).status).toBe(200)
  })

  test('error: conflict, for a template of copies that changes while the request is read', async () => {
    const copies = await create({ fungibility: 'semi-fungible' })
    const tokens = await create({})
    const { storage } = shop.deps
    const mintChanged = async (collectionId: string) => {
      const template = await send('POST', `/${collectionId}/templates`, { metadata: mintBody.metadata })
      const templateId = String(template.body.templateId)
      const changed = { ...mintBody.metadata, name: 'Changed' }
      // The metadata is stored after the template is read and before the mint is written.
      shop.deps.storage = {
        ...storage,
        put: async (...file) => {
          await shop.deps.db.update(templates).set({ metadata: changed }).where(eq(templates.id, templateId))
          return storage.put(...file)
        },
      }
      const minted = await mint({ metadata: undefined, templateId }, collectionId)
      shop.deps.storage = storage
      return minted
    }
    expect(await mintChanged(copies)).toMatchObject({
      status: 409,
      body: { message: 'templateId: the template was changed at the same moment: try again' },
    })
    expect(await shop.deps.db.$count(nfts, eq(nfts.collectionId, copies))).toBe(0)
    expect(await mintChanged(tokens)).toMatchObject({ status: 200, body: { metadata: { name: 'One' } } })
  })

  test("behavior: a subscription's length comes from the configuration", async () => {
    const collectionId = await create({ subscription: { enabled: true } })
    const { body } = await mint({}, collectionId)
    const read = z.parse(Nft, (await send('GET', `/${collectionId}/nfts/${body.id}`)).body)
    const endsInMs = Date.parse(read.subscription?.expiresAt ?? '') - shop.deps.now()
    expect(Math.round(endsInMs / 86_400_000)).toBe(30)
    expect((await mint()).body).not.toHaveProperty('subscription')
  })

  test.each<[string, unknown, RegExp]>([
    ['no recipient', { recipient: undefined }, /^recipient: required/],
    ['a recipient that is none', { recipient: 'ada' }, /^recipient: expected <chain>:<address>/],
    [
      'an address that is none',
      { recipient: 'base-sepolia:0x123' },
      /^recipient: 0x123 is not a wallet address$/,
    ],
    [
      'an e-mail address that is none',
      { recipient: 'email:nope:base-sepolia' },
      /^recipient: expected an e-mail address, not nope$/,
    ],
    [
      'a user id with a space',
      { recipient: 'userId:a b:base-sepolia' },
      /^recipient: a user id has 1 to 255 printable ASCII characters without spaces$/,
    ],
    [
      'a handle that is none',
      { recipient: `twitter:${'x'.repeat(200)}:base-sepolia` },
      /^recipient: expected a Twitter handle, not x{128}$/,
    ],
    [
      'the zero address',
      { recipient: `base-sepolia:0x${'0'.repeat(40)}` },
      /^recipient: the zero address has no owner$/,
    ],
    ['a recipient of a wrong type', { recipient: 7 }, /^recipient: /],
    ['an empty recipient', { recipient: '' }, /^recipient: /],
    [
      'another chain',
      { recipient: `polygon-amoy:${address}` },
      /^recipient: .* base-sepolia, not on polygon-amoy$/,
    ],
    ['another chain of a user', { recipient: 'email:a@b.example:solana' }, /^recipient: .* not on solana$/],
    [
      'a wrong checksum',
      { recipient: `base-sepolia:${address.replace('C51812', 'c51812')}` },
      /^recipient: 0x\w{40}: its checksum is wrong, so it may be mistyped\. The right spelling is 0x\w{40}$/,
    ],
    [
      'an address of another family',
      { recipient: 'base-sepolia:4Nd1mYgCcNR6y2xYyv4TQp6Jx6YfZCKRJ8bQYvWiRzTM' },
      /^recipient: 4Nd1\w+ is not an address on base-sepolia$/,
    ],
    ['no metadata and no template', { metadata: undefined }, /expected either metadata or templateId/],
    [
      'metadata and a template',
      { templateId: '00000000-0000-4000-8000-000000000000' },
      /expected either metadata or templateId/,
    ],
    ['metadata of a wrong type', { metadata: 'x' }, /^metadata: /],
    ['no name', { metadata: { image: 'ipfs://x' } }, /^metadata\.name: required/],
    ['an empty name', { metadata: { name: ' ', image: 'ipfs://x' } }, /^metadata\.name: must not be empty/],
    ['a long name', { metadata: { name: 'x'.repeat(201), image: 'ipfs://x' } }, /^metadata\.name: /],
    ['no image', { metadata: { name: 'x' } }, /^metadata\.image: required/],
    ['an image that is no URL', { metadata: { name: 'x', image: 'x' } }, /^metadata\.image: expected/],
    [
      'a private image',
      { metadata: { name: 'x', image: 'http://10.0.0.1/x' } },
      /^metadata\.image: leads to an address that is not public$/,
    ],
    [
      'a private film',
      { metadata: { name: 'x', image: picture, animation_url: 'http://[::1]/' } },
      /^metadata\.animation_url: leads/,
    ],
    [
      'attributes of a wrong type',
      { metadata: { ...mintBody.metadata, attributes: [{ trait_type: 'x' }] } },
      /^metadata\.attributes\[0\]\.value: /,
    ],
    ['a malformed locale', { locale: 'en_US' }, /^locale: expected a BCP 47 language tag such as "en-US"$/],
    ['a wrong sendNotification', { sendNotification: 'yes' }, /^sendNotification: expected true or false/],
    ['a wrong reuploadLinkedFiles', { reuploadLinkedFiles: 1 }, /^reuploadLinkedFiles: /],
    ['compressed off Solana', { compressed: true }, /^compressed: only on Solana/],
  ])('error: input-invalid, for %s', async (_, change, message) => {
    const before = await countAll()
    const { status, body } = await mint(change as object)
    expect(body).toEqual({ error: true, message: expect.stringMatching(message) })
    expect(status).toBe(400)
    const [tokens, actionCount, wallets] = await countAll()
    expect([tokens, actionCount, wallets]).toEqual(before.slice(0, 3))
  })

  test('parameters: compressed, which is false on this chain anyway', async () => {
    expect((await mint({ compressed: false })).status).toBe(200)
  })

  test('parameters: a locale without a translation', async () => {
    expect(await mint({ locale: 'tlh' })).toMatchObject({ status: 200 })
  })

  test('error: input-invalid, for a chain that is not enabled', async () => {
    await shop.deps.db.transaction(async (tx) => {
      const { projectId } = shop
      await createDefaultCollections(tx, { projectId, environment: 'staging' }, shop.deps.now())
    })
    const { status, body } = await mint({}, 'default-solana')
    expect(status).toBe(400)
    expect(body.message).toMatch(/^collectionId: default-solana is on solana; solana is not enabled/)
  })

  test('error: conflict, when the collection is sold out', async () => {
    const collectionId = await create({ supplyLimit: 1 })
    expect((await mint({}, collectionId)).status).toBe(200)
    const before = await countAll()
    expect(await mint({ recipient: 'email:late@example.com:base-sepolia' }, collectionId)).toEqual({
      status: 409,
      body: {
        error: true,
        message: `Collection ${collectionId} is sold out: the one token of its supply limit is minted`,
      },
    })
    expect(await countAll()).toEqual(before)
  })

  test('error: not-found', async () => {
    const templateId = '00000000-0000-4000-8000-000000000000'
    const missing = (message: string) => ({ status: 404, body: { error: true, message } })
    expect(await mint({}, 'none')).toEqual(missing('Collection none not found'))
    expect(await mint({ metadata: undefined, templateId })).toEqual(
      missing(`Template ${templateId} not found`),
    )
    expect(await mint({ metadata: undefined, templateId: 'x' })).toEqual(missing('Template x not found'))
    const collectionId = await create({})
    const other = await send('POST', `/${collectionId}/templates`, { metadata: mintBody.metadata })
    expect(await mint({ metadata: undefined, templateId: other.body.templateId })).toEqual(
      missing(`Template ${other.body.templateId} not found`),
    )
  })

  test('error: not-found, for another project', async () => {
    const key = await otherKey(['nfts.create', 'nfts.read'])
    const { body } = await mint()
    const missing = { status: 404, body: { error: true, message: 'Collection prints not found' } }
    expect(await send('POST', '/prints/nfts', mintBody, key)).toEqual(missing)
    expect(await send('PUT', '/prints/nfts/x', mintBody, key)).toEqual(missing)
    expect(await send('GET', `/prints/nfts/${body.id}`, undefined, key)).toEqual(missing)
    expect(await send('GET', '/prints/nfts', undefined, key)).toEqual(missing)
    expect(await send('PATCH', `/prints/nfts/${body.id}`, { metadata: mintBody.metadata }, key)).toEqual(
      missing,
    )
  })

  test('error: forbidden', async () => {
    const key = await otherKey(['nfts.read'])
    const { status, body } = await send('POST', '/prints/nfts', mintBody, key)
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: 'The API key lacks the scope nfts.create',
    })
    expect((await send('GET', '/prints/nfts', undefined, await otherKey(['nfts.create']))).status).toBe(403)
  })
})

describe('PUT', () => {
  test('default: repeated, it is the same token, and nothing is fetched', async () => {
    const body = { ...mintBody, metadata: { name: 'Mine', image: picture } }
    const first = await send('PUT', '/prints/nfts/mine', body)
    expect(first).toMatchObject({ status: 200, body: { id: 'mine', onChain: { status: 'pending' } } })
    const defaults = { sendNotification: true, locale: 'en-US', reuploadLinkedFiles: true }
    const reordered = {
      ...defaults,
      metadata: { image: picture, name: 'Mine' },
      recipient: body.recipient,
    }
    expect(await send('PUT', '/prints/nfts/mine', reordered)).toEqual(first)
    expect(fetched).toEqual([picture])
  })

  test('behavior: one id in two collections is two tokens', async () => {
    const collectionId = await create({})
    const first = await send('PUT', '/prints/nfts/twin', mintBody)
    const second = await send('PUT', `/${collectionId}/nfts/twin`, { ...mintBody, locale: 'de-DE' })
    expect(second.status).toBe(200)
    expect(second.body.actionId).not.toBe(first.body.actionId)
  })

  test('error: conflict, for other content', async () => {
    await send('PUT', '/prints/nfts/taken', mintBody)
    const other = await send('PUT', '/prints/nfts/taken', { ...mintBody, locale: 'de-DE' })
    expect(other).toEqual({
      status: 409,
      body: { error: true, message: 'nftId: taken exists with other content' },
    })
  })

  test.each(['a%20b', '%00', 'x'.repeat(129), '-x', 'a:b'])(
    'error: input-invalid, for the id %s',
    async (id) => {
      const { status, body } = await send('PUT', `/prints/nfts/${id}`, mintBody)
      expect(status).toBe(400)
      expect(body.message).toMatch(/^nftId: expected/)
      expect((await send('GET', `/prints/nfts/${id}`)).status).toBe(404)
    },
  )
})

describe('GET', () => {
  test('default: a page, newest first', async () => {
    const collectionId = await create({})
    const ids: unknown[] = []
    for (let at = 0; at < 12; at++) {
      ids.unshift((await mint({}, collectionId)).body.id)
      await shop.advance(1000)
    }
    const list = async (query: string) => {
      const { status, body } = await send('GET', `/${collectionId}/nfts${query}`)
      expect(status).toBe(200)
      return (body as unknown as Nft[]).map(({ id }) => id)
    }
    expect(await list('')).toEqual(ids.slice(0, 10))
    expect(await list('?page=2')).toEqual(ids.slice(10))
    expect(await list('?page=3&perPage=4')).toEqual(ids.slice(8))
    expect(await list('?page=999999999&perPage=100')).toEqual([])
  })

  test.each([
    ['page', '0'],
    ['page', 'x'],
    ['perPage', '101'],
    ['perPage', ''],
  ])('error: input-invalid, for %s %s', async (name, value) => {
    const { status, body } = await send('GET', `/prints/nfts?${name}=${value}`)
    expect(status).toBe(400)
    expect(body.message).toMatch(new RegExp(`^${name}: `))
  })

  test('error: not-found', async () => {
    expect((await send('GET', '/prints/nfts/none')).body).toEqual({
      error: true,
      message: 'Token none not found',
    })
    expect((await send('GET', `/prints/nfts/${'x'.repeat(500)}`)).body.message).toBe(
      `Token ${'x'.repeat(128)}… not found`,
    )
    expect((await send('GET', '/none/nfts')).body.message).toBe('Collection none not found')
  })
})
