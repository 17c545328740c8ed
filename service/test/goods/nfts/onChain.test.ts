import { eq } from 'drizzle-orm'
import type { Nft } from 'kassa/schema'
import { type Address, getAddress } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { Collection1155 } from '#adapters/chains/evm/artifacts/Collection1155.js'
import { Subscription721 } from '#adapters/chains/evm/artifacts/Subscription721.js'
import { templates } from '#base/db/tables/index.js'
import { findCollection } from '#goods/collections/findCollection.js'
import { updateCollection } from '#goods/collections/updateCollection.js'
import { toCollectionRef, toCollectionTerms } from '#goods/collections/viewCollection.js'
import { updateTemplate } from '#goods/templates/updateTemplate.js'
import { createNftWorld, mintBody, type NftWorld } from '../../helpers/createNftWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { readStored } from '../../helpers/readStored.js'

const dayMs = 24 * 60 * 60_000
const chain = openBeforeAll(createTestChain)
let world: NftWorld
let holder: Awaited<ReturnType<(typeof chain)['createPayer']>>
let id: string
let skippedMs = 0

beforeAll(async () => {
  const now = () => Date.now() + skippedMs
  world = await createNftWorld({ db: chain.db, chains: [chain.chain], now })
  holder = await chain.createPayer()
})
beforeEach(() => {
  id = crypto.randomUUID()
})

/** Requests tokens for the holder, mints them, and returns their state. */
const mint = async (...bodies: object[]): Promise<Nft[]> => {
  const recipient = `base-sepolia:${holder.address}`
  const asked: Nft[] = []
  for (const body of bodies) asked.push(await world.mint(id, { recipient, ...body }))
  await world.drain()
  return Promise.all(asked.map((nft) => world.read(id, nft.id)))
}
const addressOf = (nft: Nft | undefined): Address => getAddress(nft?.onChain.contractAddress ?? '')
const tokenOf = (nft: Nft | undefined): bigint => BigInt(nft?.onChain.tokenId ?? -1)
const read721 = (nft: Nft | undefined, functionName: 'ownerOf' | 'tokenURI') =>
  chain.client.readContract({ address: addressOf(nft), ...Collection721, functionName, args: [tokenOf(nft)] })
const readJson = (uri: string): Promise<unknown> => readStored(world.deps, uri)

describe('erc-721', () => {
  test('default: owner, metadata and supply are on chain, in one transaction', async () => {
    await world.createCollection({ id, supplyLimit: 10 })
    const user = await world.mint(id, { recipient: `email:${id}@example.com:base-sepolia` })
    const nfts = [...(await mint({}, {})), await world.read(id, user.id)]
    expect(new Set(nfts.map(({ onChain }) => onChain.txId)).size).toBe(1)
    for (const nft of nfts) {
      expect(nft.onChain.status).toBe('success')
      expect(await read721(nft, 'ownerOf')).toBe(nft.onChain.owner)
      expect(await readJson(await read721(nft, 'tokenURI'))).toEqual(mintBody.metadata)
    }
    expect(nfts[0]?.onChain.owner).toBe(holder.address)
    const at = { address: addressOf(nfts[0]), ...Collection721 }
    expect(await chain.client.readContract({ ...at, functionName: 'totalSupply' })).toBe(3n)
    expect(await chain.client.readContract({ ...at, functionName: 'supplyLimit' })).toBe(10n)
    const contractUri = await chain.client.readContract({ ...at, functionName: 'contractURI' })
    expect(await readJson(contractUri)).toMatchObject({ name: id })
  })

  test('behavior: a supply limit that was just raised applies to the next mint', async () => {
    await world.createCollection({ id, supplyLimit: 1 })
    await mint({})
    const body = { supplyLimit: 2 }
    await updateCollection(world.deps, world.serverCall, { collectionId: id, body })
    // The mint's jobs overtake the update's.
    const [change] = world.queue.splice(0)
    const [nft] = await mint({})
    expect(nft?.onChain.status).toBe('success')
    const question = { address: addressOf(nft), ...Collection721, functionName: 'supplyLimit' } as const
    expect(await chain.client.readContract(question)).toBe(2n)
    if (change) world.queue.push(change)
    await world.drain()
    expect(world.queue).toEqual([])
  })

  test('behavior: changed metadata are on chain', async () => {
    await world.createCollection({ id })
    const [nft] = await mint({})
    const metadata = { name: 'New', image: 'ipfs://new' }
    await world.update(id, nft?.id ?? '', { metadata })
    await world.drain()
    expect(await readJson(await read721(nft, 'tokenURI'))).toEqual(metadata)
  })

  test('behavior: a soulbound token stays with its owner, another one can be transferred', async () => {
    const transfer = async (nft: Nft | undefined) => {
      const args = [holder.address, chain.operator, tokenOf(nft)] as const
      const call = { address: addressOf(nft), ...Collection721, functionName: 'transferFrom', args } as const
      return chain.client.simulateContract({ ...call, account: holder.address })
    }
    await world.createCollection({ id, isTransferable: false })
    const [bound] = await mint({})
    await expect(transfer(bound)).rejects.toThrow('NotTransferable')
    id = crypto.randomUUID()
    await world.createCollection({ id })
    const [free] = await mint({})
    await expect(transfer(free)).resolves.toBeDefined()
  })

  test('behavior: a template’s limit is on chain too, whatever the database contains later', async () => {
    await world.createCollection({ id })
    const templateId = await world.createTemplate({ collectionId: id, supplyLimit: 1 })
    const copy = { metadata: undefined, templateId }
    const [first] = await mint(copy)
    expect(await readJson(await read721(first, 'tokenURI'))).toMatchObject({ name: 'Copy' })
    await expect(mint(copy)).rejects.toMatchObject({ code: 'conflict' })
    await chain.db.update(templates).set({ supplyLimit: 5 }).where(eq(templates.id, templateId))
    const [second] = await mint(copy)
    expect(second?.onChain.status).toBe('pending')
    expect(world.logged.at(-1)).toContain('TemplateLimitReached')
    world.queue.length = 0
  })

  test('behavior: a template’s limit grows after a copy, and its contract mints the further ones', async () => {
    await world.createCollection({ id })
    const templateId = await world.createTemplate({ collectionId: id, supplyLimit: 1 })
    const copy = { metadata: undefined, templateId }
    const grow = (limit: number) =>
      updateTemplate(world.deps, world.serverCall, {
        collectionId: id,
        templateId,
        body: { supply: { limit } },
      })
    await mint(copy)
    await grow(3)
    const [second] = await mint(copy)
    await grow(4)
    const [third] = await mint(copy)
    const [fourth] = await mint(copy)
    expect([second, third, fourth].map((nft) => nft?.onChain.status)).toEqual([
      'success',
      'success',
      'success',
    ])
    await expect(mint(copy)).rejects.toMatchObject({ code: 'conflict' })
    await expect(grow(2)).rejects.toMatchObject({ code: 'input-invalid' })
    // The contract holds the total, whatever the database says is left.
    await chain.db.update(templates).set({ allocatedCount: 2 }).where(eq(templates.id, templateId))
    const [fifth] = await mint(copy)
    expect(fifth?.onChain.status).toBe('pending')
    expect(world.logged.at(-1)).toContain('TemplateLimitReached')
    world.queue.length = 0
  })

  test('behavior: a refused batch is split, and the possible mints happen once', async () => {
    await world.createCollection({ id })
    await mint({})
    const collection = await findCollection(chain.db, world.projectId, id)
    if (!collection) throw new Error('no collection')
    const terms = { ...toCollectionTerms(collection), supplyLimit: 3n }
    const change = { collection: toCollectionRef(collection), revision: 1n, terms }
    await chain.chain.updateCollection(`limit:${id}`, change)
    const nfts = await mint({}, {}, {})
    expect(nfts.map(({ onChain }) => onChain.status).sort()).toEqual(['pending', 'success', 'success'])
    const at = { address: addressOf(nfts[0]), ...Collection721 }
    expect(await chain.client.readContract({ ...at, functionName: 'totalSupply' })).toBe(3n)
    world.queue.length = 0
  })
})

test('erc-5643: a subscription ends, is renewed, and is never transferable', async () => {
  await world.createCollection({ id, isSubscription: true, isTransferable: false })
  const [nft] = await mint({})
  const at = { address: addressOf(nft), ...Subscription721, args: [tokenOf(nft)] } as const
  const expiry = async () => {
    const seconds = await chain.client.readContract({ ...at, functionName: 'expiresAt' })
    return new Date(Number(seconds) * 1000).toISOString()
  }
  expect(await expiry()).toBe(nft?.subscription?.expiresAt)
  skippedMs = 60 * dayMs
  const expiresAt = new Date(Math.floor(world.deps.now() / 1000) * 1000 + 30 * dayMs).toISOString()
  await world.update(id, nft?.id ?? '', { subscription: { expiresAt } })
  await world.drain()
  skippedMs = 0
  expect(await expiry()).toBe(expiresAt)
  expect((await world.read(id, nft?.id ?? '')).subscription?.expiresAt).toBe(expiresAt)
  const args = [holder.address, chain.operator, tokenOf(nft)] as const
  const move = { ...at, functionName: 'transferFrom', args, account: holder.address } as const
  await expect(chain.client.simulateContract(move)).rejects.toThrow('NotTransferable')
})

test('erc-1155: copies share an id and its metadata; single tokens have their own', async () => {
  await world.createCollection({ id, fungibility: 'semi-fungible' })
  const templateId = await world.createTemplate({ collectionId: id, tokenId: 7n, supplyLimit: 3 })
  const copy = { metadata: undefined, templateId }
  const nfts = await mint(copy, copy, {}, copy)
  expect(nfts.map(({ onChain }) => onChain.tokenId)).toEqual(['7', '7', '1', '7'])
  const at = { address: addressOf(nfts[0]), ...Collection1155 }
  const balance = (tokenId: bigint) =>
    chain.client.readContract({ ...at, functionName: 'balanceOf', args: [holder.address, tokenId] })
  expect(await Promise.all([balance(7n), balance(1n)])).toEqual([3n, 1n])
  const uri = (tokenId: bigint) =>
    chain.client.readContract({ ...at, functionName: 'uri', args: [tokenId] }).then(readJson)
  expect(await uri(7n)).toMatchObject({ name: 'Copy' })
  expect(await uri(1n)).toEqual(mintBody.metadata)
  await expect(world.mint(id, copy)).rejects.toMatchObject({ code: 'conflict' })
})
