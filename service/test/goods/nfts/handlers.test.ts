import { beforeAll, expect, test } from 'vitest'
import { createNftHandlers, gatherMs } from '#goods/nfts/handlers.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createNftWorld, type NftWorld } from '../../helpers/createNftWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)
let world: NftWorld
beforeAll(async () => {
  const chain = createFakeChain({ now: Date.now })
  world = await createNftWorld({ db: database.db, chains: [chain.port], now: Date.now })
  await world.createCollection({ id: 'tea' })
})

test('default: a lone mint waits for others once, for less than 250 ms, and for nothing else', async () => {
  const waits: number[] = []
  const handlers = createNftHandlers(world.deps, async (ms) => {
    waits.push(ms)
    // Nothing is decided before the wait is over, so all mints until then share the transaction.
    expect(world.queue.map(({ name }) => name)).toEqual(['nfts.gather'])
  })
  const { id } = await world.mint('tea')
  expect(world.queue).toMatchObject([{ name: 'nfts.gather', startAfterMs: 0 }])
  const collection = { projectId: world.projectId, collectionId: 'tea' }
  await handlers['nfts.gather'](collection)
  const [, batch] = world.queue
  expect(batch).toMatchObject({ name: 'nfts.mint', startAfterMs: 0, data: { ...collection, attempt: 1 } })
  await handlers['nfts.mint'](batch?.data as Parameters<(typeof handlers)['nfts.mint']>[0])
  expect((await world.read('tea', id)).onChain.status).toBe('success')
  expect(waits).toEqual([gatherMs])
  expect(gatherMs).toBeLessThan(250)
})

test('behavior: the first mint requests gathering, and later ones do not until it ends', async () => {
  world.queue.length = 0
  await world.mint('tea')
  await world.mint('tea')
  expect(world.queue.map(({ name }) => name)).toEqual(['nfts.gather'])
  await world.drain()
  await world.mint('tea')
  expect(world.queue.map(({ name }) => name)).toEqual(['nfts.gather'])
})
