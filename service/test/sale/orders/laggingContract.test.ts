import { beforeAll, expect, test } from 'vitest'
import { updateCollection } from '#goods/collections/updateCollection.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const now = () => 1_800_000_000_123
const database = openBeforeAll(createTestDatabase)

beforeAll(async () => {
  await clearDatabase(database.db)
})

test('behavior: a contract that lags behind is updated before a delivery', async () => {
  const chain = createFakeChain({ now })
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now })
  await world.createCollection({ id: 'rare', supplyLimit: 1 })
  const body = { supplyLimit: 2 }
  await updateCollection(world.deps, world.serverCall, { collectionId: 'rare', body })
  // The delivery overtakes the update.
  world.queue.splice(0)
  const { order } = await world.create({ lineItems: [{ collectionLocator: 'kassa:rare' }] })
  chain.pay({ orderId: order.orderId, currency: 'eth', units: 10n ** 16n })
  await world.look()
  await world.drain()
  const kinds = chain.sent.map(({ kind }) => kind)
  expect(kinds.slice(0, 3)).toEqual(['createCollection', 'updateCollection', 'mint'])
  expect(chain.sentOf('updateCollection')).toMatchObject([{ input: { terms: { supplyLimit: 2n } } }])
})
