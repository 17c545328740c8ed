import { beforeEach, expect, test } from 'vitest'
import { updateCollection } from '#goods/collections/updateCollection.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, recipientAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const now = () => 1_800_000_000_123
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain

beforeEach(async () => {
  await clearDatabase(database.db)
  chain = createFakeChain({ now })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now })
  await world.createCollection({ id: 'rare', supplyLimit: 3 })
  const { order } = await world.create({
    lineItems: [{ collectionLocator: 'kassa:rare', callData: { quantity: 2 } }],
  })
  chain.pay({ orderId: order.orderId, currency: 'eth', units: 2n * 10n ** 16n })
  await world.look()
})

const mint = () =>
  mintNft(world.deps, world.serverCall, {
    collectionId: 'rare',
    body: {
      recipient: `base-sepolia:${recipientAddress}`,
      metadata: { name: 'Direct', image: 'ipfs://picture' },
    },
  })

test('behavior: tokens that buyers have paid for are not minted for others', async () => {
  await mint()
  await expect(mint()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('belongs to paid orders'),
  })
  await world.drain()
  expect(chain.sentOf('mint')).toHaveLength(2)
  await expect(mint()).rejects.toMatchObject({ message: expect.stringContaining('all 3 tokens') })
})

const third = 10n ** 16n
const some = (units: bigint) => ({ currency: 'eth', units })

test.each([
  ['next to nothing', [{ currency: 'eth', units: 1n }], 'valid'],
  ['another currency', [{ currency: 'usdc', units: 3n * third }], 'valid'],
  ['too little, twice', [some(2n * third), some(third - 1n)], 'valid'],
  ['all of it in two payments', [some(2n * third), some(third)], 'all-line-items-unavailable'],
  ['all of it', [{ currency: 'eth', units: 3n * third }], 'all-line-items-unavailable'],
])('behavior: while its payment is not final, %s reserves what it pays for', async (_, payments, status) => {
  const slow = createFakeChain({ now, confirmations: 5 })
  const shop = await createOrderWorld({ db: database.db, chains: [slow.port], now })
  await shop.createCollection({ id: 'rare', supplyLimit: 3 })
  const order = (quantity: number) =>
    shop.create({ lineItems: [{ collectionLocator: 'kassa:rare', callData: { quantity } }] })
  const { orderId } = (await order(3)).order
  for (const payment of payments) slow.pay({ orderId, ...payment })
  await shop.look()
  expect((await shop.get(orderId)).phase).toBe('payment')
  expect((await order(1)).order.quote.status).toBe(status)
})

test('error: input-invalid, for a supply limit below what is paid for', async () => {
  const lower = (supplyLimit: number) =>
    updateCollection(world.deps, world.serverCall, { collectionId: 'rare', body: { supplyLimit } })
  await expect(lower(1)).rejects.toMatchObject({
    code: 'input-invalid',
    message: expect.stringContaining('supplyLimit: 1 is less than the 2 tokens'),
  })
  expect(await lower(2)).toMatchObject({ supplyLimit: 2 })
})
