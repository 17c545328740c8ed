import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  burnNft,
  createClient,
  createCollection,
  createTemplate,
  deleteTemplate,
  getAction,
  getCollection,
  getNft,
  getTemplate,
  listCollections,
  listNfts,
  listTemplates,
  mintNft,
  putCollection,
  putNft,
  putTemplate,
  updateCollection,
  updateNft,
  updateTemplate,
  waitForAction,
} from '../../src/api/index.js'
import type { Action } from '../../src/schema/index.js'
import { createTokenShop, type TokenShop } from '../helpers/createTokenShop.js'
import { failureOf } from '../helpers/failureOf.js'

const owner = privateKeyToAccount(generatePrivateKey()).address
const recipient = `base-sepolia:${owner}`
const metadata = { name: 'One', image: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' }
const body = { chain: 'base-sepolia', metadata: { name: 'Medals' }, reuploadLinkedFiles: false } as const
const collectionId = 'medals'

let shop: TokenShop
const client = () => shop.client

beforeAll(async () => {
  shop = await createTokenShop()
  await finish(await putCollection(client(), { collectionId, body }))
})
afterAll(() => shop.close())

/** Waits for what an answer began, which has to end well. */
const finish = async ({ actionId = '' }: { actionId?: string | undefined }): Promise<Action> => {
  const action = await waitForAction(client(), { actionId, pollMs: 50 })
  expect(action).toMatchObject({ actionId, status: 'succeeded' })
  return action
}

describe('collections', () => {
  test('default: created, read, listed and changed', async () => {
    const created = await createCollection(client(), { body })
    expect(created).toMatchObject({ metadata: { name: 'Medals' }, onChain: { chain: 'base-sepolia' } })
    expect((await finish(created)).data.collection).toMatchObject({ id: created.id })
    const change = { supplyLimit: 5, metadata: { name: 'More medals' } }
    const changed = await updateCollection(client(), { collectionId: created.id, body: change })
    expect((await finish(changed)).action).toBe('collections.update')
    expect(await getCollection(client(), { collectionId: created.id })).toMatchObject({
      id: created.id,
      metadata: { name: 'More medals' },
      supplyLimit: 5,
    })
    const { results } = await listCollections(client())
    expect(results.map(({ id }) => id)).toEqual(expect.arrayContaining([created.id, collectionId]))
  })

  test('parameters: page, perPage', async () => {
    const all = await listCollections(client(), { perPage: 100 })
    const [first, second] = await Promise.all([
      listCollections(client(), { perPage: 1 }),
      listCollections(client(), { page: 2, perPage: 1 }),
    ])
    expect([...first.results, ...second.results]).toEqual(all.results.slice(0, 2))
    const error = await failureOf(listCollections(client(), { perPage: 101 }))
    expect(error).toMatchObject({ code: 'api.bad-request', message: expect.stringContaining('perPage') })
  })

  test('parameters: idempotencyKey', async () => {
    const call = { body, idempotencyKey: crypto.randomUUID() }
    const [one, two] = [await createCollection(client(), call), await createCollection(client(), call)]
    expect(two).toEqual(one)
  })

  test('behavior: put again, it is the same one', async () => {
    const call = { collectionId: 'once', body }
    const all = await Promise.all([1, 2, 3].map(() => putCollection(client(), call)))
    expect(new Set(all.map(({ actionId }) => actionId)).size).toBe(1)
    const other = { ...body, metadata: { name: 'Other' } }
    expect((await failureOf(putCollection(client(), { collectionId: 'once', body: other }))).code).toBe(
      'api.conflict',
    )
  })

  test('error: api.not-found, api.bad-request naming the field', async () => {
    expect((await failureOf(getCollection(client(), { collectionId: 'nowhere' }))).code).toBe('api.not-found')
    const wrong = putCollection(client(), { collectionId: 'x', body: { ...body, supplyLimit: 0 } })
    expect((await failureOf(wrong)).message).toContain('supplyLimit')
  })
})

describe('nfts', () => {
  test('default: minted, read, listed and changed', async () => {
    const minted = await mintNft(client(), { collectionId, body: { recipient, metadata } })
    expect(minted.onChain).toMatchObject({ status: 'pending', chain: 'base-sepolia' })
    const { data } = await finish(minted)
    expect(data.token).toMatchObject({ id: minted.id, owner: { walletAddress: owner } })
    const nft = await getNft(client(), { collectionId, nftId: minted.id })
    expect(nft.onChain).toMatchObject({ status: 'success', owner, tokenId: data.token?.tokenId })
    expect(await listNfts(client(), { collectionId, perPage: 1 })).toEqual([nft])
    expect(await listNfts(client(), { collectionId, page: 50 })).toEqual([])
    const change = { metadata: { ...metadata, name: 'One, polished' } }
    await finish(await updateNft(client(), { collectionId, nftId: minted.id, body: change }))
    expect((await getNft(client(), { collectionId, nftId: minted.id })).metadata?.name).toBe('One, polished')
  })

  test('parameters: idempotencyKey', async () => {
    const call = { collectionId, body: { recipient, metadata }, idempotencyKey: crypto.randomUUID() }
    expect(await mintNft(client(), call)).toEqual(await mintNft(client(), call))
  })

  test('behavior: put again, it is the same one', async () => {
    const call = { collectionId, nftId: 'first', body: { recipient, metadata } }
    const [one, two] = await Promise.all([putNft(client(), call), putNft(client(), call)])
    expect(two).toEqual(one)
    await finish(one)
    const other = { ...call, body: { recipient, metadata: { ...metadata, name: 'Two' } } }
    expect((await failureOf(putNft(client(), other))).code).toBe('api.conflict')
  })

  test('behavior: burned in an account of the service, and nowhere else', async () => {
    const ofUser = { collectionId, body: { recipient: 'email:ada@example.com:base-sepolia', metadata } }
    const minted = await mintNft(client(), ofUser)
    await finish(minted)
    const one = { collectionId, nftId: minted.id }
    expect((await finish(await burnNft(client(), one))).action).toBe('nfts.delete')
    expect((await getNft(client(), one)).onChain).toMatchObject({ status: 'burned' })
    const foreign = await mintNft(client(), { collectionId, body: { recipient, metadata } })
    await finish(foreign)
    const error = await failureOf(burnNft(client(), { collectionId, nftId: foreign.id }))
    expect(error).toMatchObject({ code: 'api.conflict', message: expect.stringContaining(owner) })
  })

  test('error: api.conflict when it is sold out', async () => {
    const limited = { ...body, supplyLimit: 1 }
    await finish(await putCollection(client(), { collectionId: 'single', body: limited }))
    const call = { collectionId: 'single', body: { recipient, metadata } }
    await finish(await mintNft(client(), call))
    expect((await failureOf(mintNft(client(), call))).code).toBe('api.conflict')
  })
})

describe('templates', () => {
  test('default: created, minted from, read and listed', async () => {
    const template = await createTemplate(client(), {
      collectionId,
      body: { metadata, supply: { limit: 2 } },
    })
    const { templateId } = template
    await finish(await mintNft(client(), { collectionId, body: { recipient, templateId } }))
    const seen = await getTemplate(client(), { collectionId, templateId })
    expect(seen).toMatchObject({ templateId, supply: { limit: 2, minted: 1 } })
    expect(await listTemplates(client(), { collectionId, perPage: 1 })).toEqual([seen])
  })

  test('parameters: idempotencyKey', async () => {
    const call = { collectionId, body: { metadata }, idempotencyKey: crypto.randomUUID() }
    expect(await createTemplate(client(), call)).toEqual(await createTemplate(client(), call))
  })

  test('behavior: under your own id, changed, and deleted', async () => {
    const one = { collectionId, templateId: crypto.randomUUID() }
    const created = await putTemplate(client(), { ...one, body: { metadata } })
    expect(await putTemplate(client(), { ...one, body: { metadata } })).toEqual(created)
    const body = { metadata: { name: 'Two' }, supply: { limit: 3 } }
    expect(await updateTemplate(client(), { ...one, body })).toBeUndefined()
    expect(await getTemplate(client(), one)).toMatchObject({
      metadata: { ...created.metadata, name: 'Two' },
      supply: { limit: 3, minted: 0 },
    })
    expect(await deleteTemplate(client(), one)).toBeUndefined()
    await expect(getTemplate(client(), one)).rejects.toMatchObject({ code: 'api.not-found' })
    await expect(putTemplate(client(), { ...one, body: { metadata } })).rejects.toMatchObject({
      code: 'api.conflict',
    })
  })

  test('behavior: a service that answers a change without a body', async () => {
    const silent = createClient({
      baseUrl: 'https://service.example/api',
      fetch: async () => new Response(null, { status: 204 }),
    })
    const one = { collectionId, templateId: crypto.randomUUID() }
    expect(await updateTemplate(silent, { ...one, body: { supply: { limit: 3 } } })).toBeUndefined()
    expect(await deleteTemplate(silent, one)).toBeUndefined()
  })
})

describe('actions', () => {
  test('error: api.not-found', async () => {
    const actionId = crypto.randomUUID()
    expect((await failureOf(getAction(client(), { actionId }))).code).toBe('api.not-found')
    expect((await failureOf(waitForAction(client(), { actionId }))).code).toBe('api.not-found')
  })
})

/** A client that notes what it is asked for, and is never answered well. */
const noting = () => {
  const asked: string[] = []
  const client = createClient({
    baseUrl: 'http://service.test/api',
    fetch: async (input, init) => {
      asked.push(`${init?.method} ${String(input).slice('http://service.test/api'.length)}`)
      return new Response('{}', { status: 404 })
    },
  })
  return { client, asked }
}

describe('paths', () => {
  test('behavior: an id is written so that it names nothing else', async () => {
    const { client, asked } = noting()
    const odd = 'a/../b?c#d%2e é👋'
    await failureOf(getNft(client, { collectionId: odd, nftId: odd }))
    const written = encodeURIComponent(odd)
    expect(asked).toEqual([`GET /2022-06-09/collections/${written}/nfts/${written}`])
  })

  test.each(['', '.', '..', 'a\ud800'])(
    'error: input.id-invalid for %j, and nothing is asked',
    async (id) => {
      const { client, asked } = noting()
      const one = { collectionId: 'one' }
      const nft = { recipient, metadata }
      const template = { metadata }
      const calls = {
        collectionId: [
          putCollection(client, { collectionId: id, body }),
          getCollection(client, { collectionId: id }),
          updateCollection(client, { collectionId: id, body: { supplyLimit: 1 } }),
          mintNft(client, { collectionId: id, body: nft }),
          putNft(client, { collectionId: id, nftId: 'one', body: nft }),
          getNft(client, { collectionId: id, nftId: 'one' }),
          listNfts(client, { collectionId: id }),
          updateNft(client, { collectionId: id, nftId: 'one', body: { metadata } }),
          createTemplate(client, { collectionId: id, body: template }),
          getTemplate(client, { collectionId: id, templateId: 'one' }),
          listTemplates(client, { collectionId: id }),
        ],
        nftId: [
          putNft(client, { ...one, nftId: id, body: nft }),
          getNft(client, { ...one, nftId: id }),
          updateNft(client, { ...one, nftId: id, body: { metadata } }),
        ],
        templateId: [getTemplate(client, { ...one, templateId: id })],
        actionId: [getAction(client, { actionId: id }), waitForAction(client, { actionId: id })],
      }
      const expected = Object.entries(calls).flatMap(([name, { length }]) =>
        Array.from({ length }, () => ({ code: 'input.id-invalid', context: { name } })),
      )
      expect(await Promise.all(Object.values(calls).flat().map(failureOf))).toMatchObject(expected)
      expect(asked).toEqual([])
    },
  )

  test('error: api.invalid-answer for what is no list', async () => {
    const client = createClient({
      baseUrl: 'http://service.test/api',
      fetch: async () => Response.json({ results: [] }),
    })
    expect(await failureOf(listNfts(client, { collectionId }))).toMatchObject({
      code: 'api.invalid-answer',
      context: { issues: 'expected a list' },
    })
  })
})
