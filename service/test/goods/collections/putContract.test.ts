import { expect, test } from 'vitest'
import { putContract } from '#goods/collections/contract.js'
import { requireCollection } from '#goods/collections/findCollection.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)

test('behavior: refused once and put there in another turn, it is not asked for again', async () => {
  const chain = createFakeChain({ now: Date.now })
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: Date.now })
  await world.createCollection({ id: 'tea' })
  const put = async (attempt: number) => {
    const collection = await requireCollection(database.db, world.projectId, 'tea')
    return putContract(world.deps, chain.port, collection, { id: 'batch', attempt })
  }
  chain.state.refusals.set('createCollection', 'Paused')
  expect((await put(1)).status).toBe('failed')
  chain.state.refusals.clear()
  const there = await put(2)
  expect(there.status).toBe('succeeded')
  // The chain's answer about the first attempt no longer matters.
  chain.state.isAway = true
  expect(await put(3)).toEqual(there)
})
