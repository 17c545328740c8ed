import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { actions } from '#base/db/tables/index.js'
import type { MintInput } from '#base/ports/collections.js'
import { findCollection } from '#goods/collections/findCollection.js'
import { updateCollection } from '#goods/collections/updateCollection.js'
import { findTemplate } from '#goods/templates/findTemplate.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createNftWorld, mintBody, type NftWorld } from '../../helpers/createNftWorld.js'
import { recipientAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

let nowMs: number
const now = () => nowMs
const database = openBeforeAll(createTestDatabase)
let world: NftWorld
let chain: FakeChain

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now })
  world = await createNftWorld({ db: database.db, chains: [chain.port], now })
  await world.createCollection({ id: 'tea' })
  await world.listen('nfts.create.succeeded', 'nfts.create.failed')
})

/** Runs everything that is due within an hour, each at its time. */
const drainForLong = async () => {
  for (let minute = 0; minute < 60; minute++) {
    await world.drain()
    nowMs += 60_000
  }
}
const mintMany = async (count: number, body: object = {}, collectionId = 'tea') => {
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push((await world.mint(collectionId, body)).id)
  return ids
}
const statusOf = async (id: string, collectionId = 'tea') =>
  (await world.read(collectionId, id)).onChain.status
const minted = () => chain.sentOf('mint').map(({ input }) => (input as MintInput).tokens)
const countAllocated = async () => (await findCollection(database.db, world.projectId, 'tea'))?.allocatedCount
const jobs = (name: string) => world.queue.filter((job) => job.name === name)
/** A recipient that makes every batch with its token revert. */
const refuseTokensOf = (recipient: string) => {
  const { mint } = chain.port
  chain.port.mint = async (key, input) => {
    const isBad = input.tokens.some((token) => token.recipient === recipient)
    if (isBad) chain.state.refusals.set('mint', 'InvalidReceiver')
    else chain.state.refusals.delete('mint')
    return mint(key, input)
  }
}
const bad = '0x00000000000000000000000000000000000000ee'

describe('batches', () => {
  test('default: waiting mints share a transaction, each with its own data', async () => {
    const ids = await mintMany(3)
    expect(jobs('nfts.gather')).toHaveLength(1)
    await world.drain()
    expect(minted()).toEqual([
      ids.map((id, index) => ({
        recipient: recipientAddress,
        tokenId: BigInt(index + 1),
        name: expect.any(String),
        symbol: 'T',
        uri: expect.stringMatching(/^ipfs:\/\//),
        mintKey: `nft:${world.projectId}:tea:${id}`,
      })),
    ])
    const [first] = await Promise.all(ids.map((id) => world.read('tea', id)))
    const { contractAddress = '', txId } = first?.onChain ?? {}
    expect(first?.onChain).toEqual({
      status: 'success',
      chain: 'base-sepolia',
      contractAddress,
      tokenId: '1',
      owner: recipientAddress,
      txId,
    })
    expect(chain.ownerOf(contractAddress, '3')).toBe(recipientAddress)
    const file = await world.deps.storage.get(minted()[0]?.[0]?.uri.replace('ipfs://', '') ?? '')
    expect(JSON.parse(Buffer.from(file?.bytes ?? []).toString())).toEqual(mintBody.metadata)
  })

  test('behavior: a later mint is in a later batch, and none is lost', async () => {
    await mintMany(1)
    await world.drain()
    await mintMany(2)
    await world.drain()
    expect(minted().map((tokens) => tokens.length)).toEqual([1, 2])
  })

  test('behavior: a mint that arrives during gathering is included, or gathered next', async () => {
    await mintMany(1)
    const [gathering] = await Promise.all([world.drain(), mintMany(1), mintMany(1)])
    expect(gathering).toBeUndefined()
    await world.drain()
    expect(minted().flat()).toHaveLength(3)
  })

  test('behavior: mints that exceed one transaction go into several, each token once', async () => {
    await mintMany(120)
    await world.drain()
    expect(minted().map((tokens) => tokens.length)).toEqual([50, 50, 20])
    expect(new Set(minted().flatMap((tokens) => tokens.map(({ tokenId }) => tokenId))).size).toBe(120)
  })

  test('behavior: each collection has separate batches; templates and single tokens share one', async () => {
    await world.createCollection({ id: 'copies', fungibility: 'semi-fungible' })
    const templateId = await world.createTemplate({ collectionId: 'copies', supplyLimit: 9, tokenId: 7n })
    const ofTemplate = { metadata: undefined, templateId }
    await mintMany(2, ofTemplate, 'copies')
    await mintMany(1, {}, 'copies')
    await mintMany(1)
    await world.drain()
    const template = { key: templateId, limit: 9n }
    expect(minted()).toMatchObject([
      [{ tokenId: 1n }, { tokenId: 7n, template }, { tokenId: 7n, template }],
      [{ tokenId: 1n }],
    ])
    const [single, ...copies] = minted()[0] ?? []
    expect(new Set(copies.map(({ uri }) => uri)).size).toBe(1)
    expect(single).not.toHaveProperty('template')
    expect(copies[0]?.uri).not.toBe(single?.uri)
  })

  test.each([
    ['the contract', 'collection'],
    ['the batch', 'batch'],
    ['nothing', 'none'],
  ])('behavior: killed after %s is written, it continues and mints once', async (_, prefix) => {
    const ids = await mintMany(3, { recipient: 'email:ada@example.com:base-sepolia' })
    let kills = 0
    chain.state.afterWrite = (key) => {
      if (kills > 0 || !key.startsWith(prefix)) return
      kills++
      throw new Error('killed')
    }
    await world.drain().catch((error: Error) => expect(error.message).toBe('killed'))
    expect(kills).toBe(prefix === 'none' ? 0 : 1)
    await Promise.all([world.drain(), world.drain()])
    expect(minted().flat()).toHaveLength(3)
    for (const id of ids) expect(await statusOf(id)).toBe('success')
    expect(await world.events()).toHaveLength(3)
    expect(await world.mails()).toHaveLength(3)
  })

  test('behavior: a node that is away only delays', async () => {
    const [id = ''] = await mintMany(1)
    chain.state.isAway = true
    await expect(world.drain()).rejects.toThrow('does not answer')
    expect(await statusOf(id)).toBe('pending')
    chain.state.isAway = false
    await world.drain()
    expect(await statusOf(id)).toBe('success')
  })
})

describe('refusals', () => {
  test('default: one bad mint fails alone, and releases its supply', async () => {
    refuseTokensOf(bad)
    const [badId = ''] = await mintMany(1, { recipient: `base-sepolia:${bad}` })
    const good = await mintMany(4)
    await world.drain()
    expect(await statusOf(badId)).toBe('pending')
    for (const id of good) expect(await statusOf(id)).toBe('success')
    await drainForLong()
    expect(await statusOf(badId)).toBe('failed')
    expect((await world.read('tea', badId)).onChain).not.toHaveProperty('tokenId')
    expect(minted().flat()).toHaveLength(4)
    expect(await countAllocated()).toBe(4)
    const events = await world.events()
    expect(events.map(({ type }) => type).sort()).toEqual([
      'nfts.create.failed',
      ...new Array(4).fill('nfts.create.succeeded'),
    ])
    expect(events.find(({ type }) => type === 'nfts.create.failed')).toMatchObject({
      resource: `http://localhost:4000/api/2022-06-09/collections/tea/nfts/${badId}`,
      data: {
        chain: 'base-sepolia',
        collection: { id: 'tea', contractAddress: expect.stringMatching(/^0x/) },
        recipient: { walletAddress: bad },
        token: { id: badId },
        contractArguments: { recipient: bad, tokenId: '1' },
        error: { reason: 'execution_reverted', revertReason: 'InvalidReceiver' },
      },
    })
  })

  test('behavior: a batch refused in two processes at once is split once', async () => {
    refuseTokensOf(bad)
    await mintMany(1, { recipient: `base-sepolia:${bad}` })
    await mintMany(2)
    await Promise.all([world.drain(), world.drain(), world.drain()])
    expect(minted().map((tokens) => tokens.length)).toEqual([1, 1])
    await drainForLong()
    expect(minted().flat()).toHaveLength(2)
    expect(await world.events()).toHaveLength(3)
    expect(await countAllocated()).toBe(2)
  })

  test('behavior: a mint that is refused once is tried again under its next key', async () => {
    chain.state.refusals.set('mint', 'Paused')
    const [id = ''] = await mintMany(1)
    await world.drain()
    chain.state.refusals.clear()
    await world.drain()
    expect(await statusOf(id)).toBe('pending')
    await drainForLong()
    expect(await statusOf(id)).toBe('success')
    expect(chain.sentOf('mint')).toMatchObject([{ key: expect.stringMatching(/^batch:.*#2$/) }])
  })

  test('behavior: a refused contract keeps the batch together; refused permanently it fails all', async () => {
    chain.state.refusals.set('createCollection', 'Paused')
    const ids = await mintMany(2)
    await world.drain()
    expect(jobs('nfts.mint')).toHaveLength(1)
    await drainForLong()
    for (const id of ids) expect(await statusOf(id)).toBe('failed')
    expect(await countAllocated()).toBe(0)
    expect((await world.events()).map(({ type }) => type)).toEqual(new Array(2).fill('nfts.create.failed'))
  })

  test('behavior: refused permanently, it has failed within a minute', async () => {
    chain.state.refusals.set('mint', 'Paused')
    const [id = ''] = await mintMany(1)
    for (let seconds = 0; seconds < 60; seconds++) {
      await world.drain()
      nowMs += 1_000
    }
    expect(await statusOf(id)).toBe('failed')
  })

  test('behavior: a token whose mint has failed starts again on a new request', async () => {
    chain.state.refusals.set('createCollection', 'Paused')
    const put = (body: object = {}) => world.mint('tea', body, 'mine')
    const first = await put()
    await drainForLong()
    expect(await statusOf('mine')).toBe('failed')
    expect(await countAllocated()).toBe(0)
    await expect(put({ locale: 'de-DE' })).rejects.toMatchObject({ code: 'conflict' })
    chain.state.refusals.clear()
    const [again, ...others] = await Promise.all([put(), put(), put()])
    expect(again?.onChain.status).toBe('pending')
    expect(again?.actionId).not.toBe(first.actionId)
    expect(others).toEqual([again, again])
    expect(await countAllocated()).toBe(1)
    await world.drain()
    expect(minted().flat()).toHaveLength(1)
    const { onChain } = await put()
    expect(onChain).toMatchObject({ status: 'success', tokenId: '1', owner: recipientAddress })
    expect(await world.read('tea', 'mine')).toEqual(await put())
    const told = (await world.events()).map(({ type, actionId }) => [type, actionId])
    expect(told).toEqual([
      ['nfts.create.failed', first.actionId],
      ['nfts.create.succeeded', again?.actionId],
    ])
  })

  test('behavior: a minted token is still returned after its chain is disabled', async () => {
    await world.mint('tea', {}, 'mine')
    await world.drain()
    world.deps.chains = { enabled: [], get: () => undefined }
    expect((await world.mint('tea', {}, 'mine')).onChain).toMatchObject({ status: 'success', tokenId: '1' })
    await expect(world.mint('tea', {}, 'other')).rejects.toMatchObject({ code: 'input-invalid' })
  })

  test('behavior: a refused template gets its supply back', async () => {
    await world.createCollection({ id: 'copies', fungibility: 'semi-fungible', supplyLimit: 3 })
    const templateId = await world.createTemplate({ collectionId: 'copies', supplyLimit: 1, tokenId: 7n })
    chain.state.refusals.set('mint', 'Paused')
    await world.mint('copies', { metadata: undefined, templateId })
    await drainForLong()
    chain.state.refusals.clear()
    const counts = async () => [
      (await findCollection(database.db, world.projectId, 'copies'))?.allocatedCount,
      (await findTemplate(database.db, { projectId: world.projectId, collectionId: 'copies', templateId }))
        ?.allocatedCount,
    ]
    expect(await counts()).toEqual([0, 0])
    const { id } = await world.mint('copies', { metadata: undefined, templateId })
    await drainForLong()
    expect(await statusOf(id, 'copies')).toBe('success')
    expect(await counts()).toEqual([1, 1])
  })
})

describe('a contract that lags behind', () => {
  const raise = (supplyLimit: number) =>
    updateCollection(world.deps, world.serverCall, { collectionId: 'tea', body: { supplyLimit } })
  const kinds = () => chain.sent.map(({ kind }) => kind)

  test('default: is updated before a mint, in one write with the job of the update', async () => {
    await mintMany(1)
    await world.drain()
    const { actionId } = await raise(20)
    // The mint's jobs overtake the update's.
    const change = world.queue.splice(0)
    await mintMany(1)
    await world.drain()
    expect(kinds()).toEqual(['createCollection', 'mint', 'updateCollection', 'mint'])
    expect(chain.sentOf('updateCollection')).toMatchObject([{ input: { terms: { supplyLimit: 20n } } }])
    world.queue.push(...change)
    await world.drain()
    const [action] = await database.db
      .select()
      .from(actions)
      .where(eq(actions.id, actionId ?? ''))
    expect(action?.status).toBe('succeeded')
    await mintMany(1)
    await world.drain()
    expect(chain.sentOf('updateCollection')).toHaveLength(1)
  })

  test('behavior: is still minted from if its update is refused', async () => {
    chain.state.refusals.set('updateCollection', 'Paused')
    await raise(20)
    const [id = ''] = await mintMany(1)
    await world.drain()
    expect(await statusOf(id)).toBe('success')
    expect(world.logged.some((line) => line.includes('a change before a mint'))).toBe(true)
  })
})

describe('events and e-mails', () => {
  test('default: one event and one e-mail for each token', async () => {
    const recipient = 'email:Ada@Example.com:base-sepolia'
    const cid = await world.deps.storage.put(new TextEncoder().encode('a picture'), 'image/png')
    const metadata = { name: 'One', image: `ipfs://${cid}` }
    const nft = await world.mint('tea', { recipient, locale: 'de-DE', metadata })
    await world.drain()
    const { onChain } = await world.read('tea', nft.id)
    const { contractAddress, owner: walletAddress, txId } = onChain
    expect(await world.events()).toMatchObject([
      {
        type: 'nfts.create.succeeded',
        actionId: nft.actionId,
        data: {
          chain: 'base-sepolia',
          txId,
          collection: { id: 'tea', contractAddress },
          recipient: { walletAddress, email: 'Ada@Example.com' },
          token: { id: nft.id, owner: { walletAddress }, tokenId: '1' },
        },
      },
    ])
    expect(await world.mails()).toMatchObject([
      {
        recipient: 'Ada@Example.com',
        locale: 'de-DE',
        kind: 'nft-minted',
        data: {
          tokenName: 'One',
          collectionName: 'tea',
          imageUrl: `http://localhost:4000/ipfs/${cid}`,
          chain: 'base-sepolia',
          contractAddress,
          tokenId: '1',
        },
      },
    ])
  })

  test.each([
    ['ipfs://one', ''],
    ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy', ''],
    ['ar://one', ''],
    ['https://pictures.example/1.png', 'https://pictures.example/1.png'],
  ])(
    'behavior: an e-mail shows only pictures that mail programs can fetch: for %s, %j',
    async (image, imageUrl) => {
      const recipient = 'email:ada@example.com:base-sepolia'
      await world.mint('tea', { recipient, metadata: { name: 'One', image }, reuploadLinkedFiles: false })
      await world.drain()
      expect(await world.mails()).toMatchObject([{ data: { imageUrl } }])
    },
  )

  test.each([
    ['who asked for none', { recipient: 'email:a@b.example:base-sepolia', sendNotification: false }],
    ['an address', {}],
    ['a user id', { recipient: 'userId:7:base-sepolia' }],
  ])('behavior: no e-mail to %s', async (_, body) => {
    await world.mint('tea', body)
    await world.drain()
    expect(await world.events()).toHaveLength(1)
    expect(await world.mails()).toEqual([])
  })
})
