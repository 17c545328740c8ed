import { beforeEach, expect, test } from 'vitest'
import { type CollectionWorld, createCollectionWorld } from '../../helpers/createCollectionWorld.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)
let world: CollectionWorld
let chain: FakeChain
let nowMs = 1_800_000_000_000
const now = () => nowMs

beforeEach(async () => {
  chain = createFakeChain({ now })
  world = await createCollectionWorld({ db: database.db, chains: [chain.port], now })
})

test('default: the contract is put on chain and the event is written', async () => {
  const { actionId, onChain } = await world.put('tea', { supplyLimit: 7, transferable: false })
  expect(chain.sent).toEqual([])
  const data = {
    chain: 'base-sepolia',
    collection: { id: 'tea', contractAddress: onChain.contractAddress },
  }
  const resource = 'http://localhost:4000/api/2022-06-09/collections/tea'
  const startedAt = new Date(nowMs).toISOString()
  const pending = { actionId, action: 'collections.create', status: 'pending', data, startedAt, resource }
  expect(await world.follow(actionId)).toEqual(pending)

  nowMs += 1000
  await world.work()
  const { contractUri } = await world.read('tea')
  expect(chain.sentOf('createCollection')).toMatchObject([
    {
      input: {
        collection: { standard: 'erc-721' },
        terms: { name: 'Tea', symbol: 'TEA', uri: contractUri, supplyLimit: 7n, transferable: false },
      },
    },
  ])
  expect(await world.readJson(contractUri)).toEqual({
    name: 'Tea',
    description: 'Leaves',
    image: 'ipfs://bafytea',
    symbol: 'TEA',
  })
  const done = { ...data, txId: expect.stringMatching(/^0x[0-9a-f]{64}$/) }
  const completedAt = new Date(nowMs).toISOString()
  expect(await world.follow(actionId)).toEqual({ ...pending, status: 'succeeded', data: done, completedAt })
  expect(await world.listEvents()).toEqual([
    {
      type: 'collections.create.succeeded',
      actionId,
      startedAt,
      completedAt,
      data: done,
      resource,
      timestamp: nowMs,
    },
  ])
})

test('parameters: fungibility and subscription decide the standard', async () => {
  await world.put('many', { fungibility: 'semi-fungible' })
  await world.put('news', { subscription: { enabled: true } })
  await world.work()
  expect(chain.sentOf('createCollection')).toMatchObject([
    { input: { collection: { standard: 'erc-1155' }, terms: { supplyLimit: 0n, transferable: true } } },
    { input: { collection: { standard: 'erc-5643' }, terms: { transferable: false } } },
  ])
})

test('behavior: killed once the contract is there, it goes on and tells of it once', async () => {
  const { actionId } = await world.put('tea')
  chain.state.afterWrite = () => {
    throw new Error('killed')
  }
  await expect(world.work()).rejects.toThrow('killed')
  expect(await world.follow(actionId)).toMatchObject({ status: 'pending' })
  chain.state.afterWrite = () => {}
  const job = world.queue[0]
  await world.work()
  if (job) world.queue.push(job)
  await world.work()
  expect(chain.sentOf('createCollection')).toHaveLength(1)
  expect(await world.follow(actionId)).toMatchObject({ status: 'succeeded' })
  expect(await world.listEvents()).toHaveLength(1)
})

test('behavior: while the chain is away the collection is answered, and its job waits', async () => {
  chain.state.isAway = true
  const { actionId, onChain } = await world.put('tea')
  expect(onChain.contractAddress).toMatch(/^0x/)
  await expect(world.work()).rejects.toMatchObject({ code: 'chain-unavailable' })
  chain.state.isAway = false
  await world.work()
  expect(await world.follow(actionId)).toMatchObject({ status: 'succeeded' })
})

test('behavior: refused, it is tried again on the schedule, and may succeed', async () => {
  chain.state.refusals.set('createCollection', 'Paused')
  const { actionId } = await world.put('tea')
  await world.work()
  expect(world.queue).toMatchObject([{ data: { attempt: 2 }, startAfterMs: nowMs + 2_000 }])
  chain.state.refusals.clear()
  nowMs += 2_000
  await world.work()
  expect(await world.follow(actionId)).toMatchObject({ status: 'succeeded' })
})

test('behavior: refused every time, it fails with the reason', async () => {
  chain.state.refusals.set('createCollection', 'Paused')
  const { actionId } = await world.put('tea')
  for (let seconds = 0; seconds < 60; seconds++) {
    await world.work()
    nowMs += 1_000
  }
  expect(world.queue.filter(({ name }) => name.startsWith('collections.'))).toEqual([])
  const error = { reason: 'execution_reverted', message: expect.any(String), revertReason: 'Paused' }
  expect(await world.follow(actionId)).toMatchObject({ status: 'failed', data: { error } })
  const events = await world.listEvents()
  expect(events).toMatchObject([
    { type: 'collections.create.failed', actionId, data: { collection: { id: 'tea' }, error } },
  ])
  expect(events[0]).not.toHaveProperty('completedAt')
})

test('behavior: asked for again after it has failed, it begins anew and is written under a new key', async () => {
  chain.state.refusals.set('createCollection', 'Paused')
  const { actionId, ...first } = await world.put('tea')
  for (let seconds = 0; seconds < 60; seconds++) {
    await world.work()
    nowMs += 1_000
  }
  chain.state.refusals.clear()
  const [again, ...others] = await Promise.all([1, 2, 3].map(() => world.put('tea')))
  expect(again).toEqual({ ...first, actionId: expect.any(String) })
  expect(again?.actionId).not.toBe(actionId)
  for (const other of others) expect(other).toEqual(again)
  expect(await world.follow(again?.actionId)).toMatchObject({ status: 'pending' })
  await world.work()
  expect(chain.sentOf('createCollection')).toHaveLength(1)
  expect(await world.follow(again?.actionId)).toMatchObject({ status: 'succeeded' })
  expect(await world.follow(actionId)).toMatchObject({ status: 'failed' })
  expect(await world.put('tea')).toEqual(again)
})

test('behavior: what there is is answered though its chain is no longer enabled', async () => {
  const first = await world.put('tea')
  world.deps.chains = { enabled: [], get: () => undefined }
  const { contractAddress: _, ...onChain } = first.onChain
  expect(await world.put('tea')).toEqual({ ...first, onChain })
  await expect(world.put('other')).rejects.toMatchObject({ message: expect.stringMatching(/^chain: /) })
})
