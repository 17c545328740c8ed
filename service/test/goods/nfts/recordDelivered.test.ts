import { beforeAll, expect, test } from 'vitest'
import { isUuid } from '#base/lib/uuid.js'
import { listNfts } from '#goods/nfts/findNft.js'
import { recordDelivered } from '#goods/nfts/recordDelivered.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createNftWorld, type NftWorld } from '../../helpers/createNftWorld.js'
import { recipientAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)
let world: NftWorld
beforeAll(async () => {
  const chain = createFakeChain({ now: Date.now })
  world = await createNftWorld({ db: database.db, chains: [chain.port], now: Date.now })
  await world.createCollection({ id: 'tea' })
})

const nowMs = 1_800_000_000_000
const record = (lineItemIndex: number, change: object = {}) =>
  database.db.transaction((tx) =>
    recordDelivered(tx, {
      projectId: world.projectId,
      collectionId: 'tea',
      orderId: '11111111-1111-4111-8111-111111111111',
      lineItemIndex,
      tokens: ['1', '2'].map((tokenId) => ({
        tokenId,
        metadata: { name: `tea #${tokenId}` },
        uri: `ipfs://${tokenId}`,
        txId: '0xabc',
      })),
      owner: recipientAddress,
      locale: 'en-US',
      nowMs,
      ...change,
    }),
  )
const list = () => listNfts(world.deps, world.serverCall, { collectionId: 'tea', page: 1, perPage: 100 })

test("default: an order's delivered tokens are listed once, however often they are recorded", async () => {
  await record(0)
  const first = await list()
  await record(0)
  expect(await list()).toEqual(first)
  expect(first.map(({ onChain }) => onChain.tokenId).sort()).toEqual(['1', '2'])
  expect(first.every(({ id }) => isUuid(id))).toBe(true)
  const { contractAddress } = first[0]?.onChain ?? {}
  expect(first.find(({ onChain }) => onChain.tokenId === '2')).toEqual({
    id: expect.any(String),
    metadata: { name: 'tea #2' },
    onChain: {
      status: 'success',
      chain: 'base-sepolia',
      contractAddress,
      tokenId: '2',
      owner: recipientAddress,
      txId: '0xabc',
    },
  })
})

test('behavior: another line item has separate tokens; a subscription has its end', async () => {
  const before = (await list()).length
  await record(1, { expiresAtMs: nowMs + 1000 })
  const all = await list()
  expect(all).toHaveLength(before + 2)
  expect(all.filter(({ subscription }) => subscription)).toMatchObject([
    { subscription: { expiresAt: new Date(nowMs + 1000).toISOString() } },
    {},
  ])
  await record(2, { tokens: [] })
  expect(await list()).toHaveLength(before + 2)
})

test('behavior: a delivered token can be changed', async () => {
  const id = (await list())[0]?.id ?? ''
  const metadata = { name: 'New', image: 'ipfs://new' }
  await world.update('tea', id, { metadata })
  await world.drain()
  expect((await world.read('tea', id)).metadata).toEqual(metadata)
})
