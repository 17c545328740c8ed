import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeCollection } from '../../src/collections/changeCollection.js'
import { insertCollection } from '../../src/collections/insertCollection.js'
import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { collections } from '../../src/db/tables/index.js'
import { type CollectionWorld, createCollectionWorld } from '../helpers/createCollectionWorld.js'
import { createFakeChain, type FakeChain } from '../helpers/createFakeChain.js'
import { createTestDatabase } from '../helpers/createTestDatabase.js'

let database: OpenDatabase
let world: CollectionWorld
let chain: FakeChain
let nowMs = 1_800_000_000_000
const now = () => nowMs

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  chain = createFakeChain({ now })
  world = await createCollectionWorld({ db: database.db, chains: [chain.port], now })
  await world.put('tea', { supplyLimit: 10, payments: { price: '0.01' } })
  await world.work()
  nowMs += 1000
})

const updates = () => chain.sentOf('updateCollection')
const setMinted = (allocatedCount: number) =>
  database.db
    .update(collections)
    .set({ allocatedCount })
    .where(and(eq(collections.projectId, world.projectId), eq(collections.id, 'tea')))

test('default: what the contract knows follows on chain', async () => {
  const answer = await world.patch('tea', { supplyLimit: 20, transferable: false })
  expect(answer).toMatchObject({ id: 'tea', supplyLimit: 20, transferable: false })
  const { actionId } = await world.read('tea')
  expect(answer.actionId).not.toBe(actionId)
  expect(await world.follow(answer.actionId)).toMatchObject({
    action: 'collections.update',
    status: 'pending',
    data: { chain: 'base-sepolia', collection: { id: 'tea' }, changes: ['supplyLimit', 'transferable'] },
  })
  await world.work()
  expect(updates()).toMatchObject([
    {
      key: `update:collection:${world.projectId}:tea:1`,
      input: { revision: 1n, terms: { supplyLimit: 20n, transferable: false, name: 'Tea' } },
    },
  ])
  const changes = ['supplyLimit', 'transferable']
  const data = { changes, txId: expect.any(String), collection: { id: 'tea' } }
  expect(await world.follow(answer.actionId)).toMatchObject({ status: 'succeeded', data })
  expect((await world.listEvents()).at(-1)).toMatchObject({ type: 'collections.update.succeeded', data })
})

test('parameters: metadata', async () => {
  const before = await world.read('tea')
  const { metadata, actionId } = await world.patch('tea', { metadata: { name: 'Green tea' } })
  expect(metadata).toEqual({
    name: 'Green tea',
    description: 'Leaves',
    symbol: 'TEA',
    imageUrl: 'ipfs://bafytea',
  })
  await world.work()
  const { contractUri } = await world.read('tea')
  expect(contractUri).not.toBe(before.contractUri)
  expect(await world.readJson(contractUri)).toMatchObject({ name: 'Green tea', image: 'ipfs://bafytea' })
  expect(updates()).toMatchObject([{ input: { terms: { name: 'Green tea', uri: contractUri } } }])
  expect(await world.follow(actionId)).toMatchObject({ data: { changes: ['metadata'] } })
})

test('parameters: payments change at once and off chain; null takes the collection off sale', async () => {
  const recipientAddress = '0x00000000000000000000000000000000000000BB'
  const answer = await world.patch('tea', { payments: { price: '5', currency: 'USDC', recipientAddress } })
  expect(answer.payments).toEqual({
    price: '5',
    currency: 'usdc',
    recipientAddress: recipientAddress.toLowerCase(),
  })
  expect(await world.follow(answer.actionId)).toMatchObject({
    status: 'succeeded',
    data: { changes: ['payments'] },
  })
  expect((await world.listEvents()).at(-1)).toMatchObject({ type: 'collections.update.succeeded' })
  expect(await world.patch('tea', { payments: null })).not.toHaveProperty('payments')
  await world.work()
  expect(updates()).toEqual([])
})

test('parameters: supplyLimit null lifts the limit', async () => {
  expect(await world.patch('tea', { supplyLimit: null })).not.toHaveProperty('supplyLimit')
  await world.work()
  expect(updates()).toMatchObject([{ input: { terms: { supplyLimit: 0n } } }])
})

test('behavior: where nothing differs, the action has succeeded and names no changes', async () => {
  const before = await world.read('tea')
  const same = { metadata: { name: 'Tea' }, supplyLimit: 10, transferable: true, payments: { price: '0.01' } }
  const { actionId, ...answer } = await world.patch('tea', same)
  expect(answer).toMatchObject({ supplyLimit: 10, payments: { price: '0.01', currency: 'eth' } })
  expect(await world.follow(actionId)).toMatchObject({ status: 'succeeded', data: { changes: [] } })
  expect(await world.read('tea')).toEqual(before)
})

test('behavior: of several changes the chain gets the newest, whichever job runs first', async () => {
  const first = await world.patch('tea', { supplyLimit: 20 })
  const second = await world.patch('tea', { supplyLimit: 30, metadata: { symbol: 'T' } })
  world.queue.reverse()
  await world.work()
  expect(updates()).toMatchObject([{ input: { revision: 2n, terms: { supplyLimit: 30n, symbol: 'T' } } }])
  for (const { actionId } of [first, second]) {
    expect(await world.follow(actionId)).toMatchObject({ status: 'succeeded' })
  }
})

test('behavior: a collection whose contract is not there yet gets it first', async () => {
  await database.db.transaction((tx) =>
    insertCollection(
      tx,
      { projectId: world.projectId, id: 'own', chain: 'base-sepolia', name: 'Own' },
      nowMs,
    ),
  )
  await world.patch('own', { supplyLimit: 3 })
  await world.work()
  const kinds = chain.sent.filter(({ key }) => key.includes(':own')).map(({ kind }) => kind)
  expect(kinds).toEqual(['createCollection', 'updateCollection'])
})

test('behavior: refused, it is tried again and in the end has failed', async () => {
  chain.state.refusals.set('updateCollection', 'SupplyLimitTooLow')
  const { actionId } = await world.patch('tea', { supplyLimit: 20 })
  for (let attempt = 1; attempt <= 4; attempt++) {
    expect(await world.follow(actionId)).toMatchObject({ status: 'pending' })
    await world.work()
    nowMs += 20 * 60_000
  }
  const data = { changes: ['supplyLimit'], error: { revertReason: 'SupplyLimitTooLow' } }
  expect(await world.follow(actionId)).toMatchObject({ status: 'failed', data })
  expect((await world.listEvents()).at(-1)).toMatchObject({ type: 'collections.update.failed', data })
})

test('behavior: killed once the chain has it, it goes on and tells of it once', async () => {
  const { actionId } = await world.patch('tea', { supplyLimit: 20 })
  chain.state.afterWrite = () => {
    throw new Error('killed')
  }
  await expect(world.work()).rejects.toThrow('killed')
  chain.state.afterWrite = () => {}
  await world.work()
  expect(updates()).toHaveLength(1)
  expect(await world.follow(actionId)).toMatchObject({ status: 'succeeded' })
})

describe('error: input-invalid', () => {
  const refusal = (message: string | RegExp) =>
    expect.objectContaining({ code: 'input-invalid', message: expect.stringMatching(message) })

  test('a supply limit below what is minted names both numbers, and the number itself will do', async () => {
    await setMinted(7)
    await expect(world.patch('tea', { supplyLimit: 6 })).rejects.toEqual(
      refusal(/^supplyLimit: 6 is less than the 7 tokens/),
    )
    expect(await world.patch('tea', { supplyLimit: 7 })).toMatchObject({ supplyLimit: 7 })
  })

  test('a subscription cannot become transferable', async () => {
    await world.put('news', { subscription: { enabled: true } })
    await expect(world.patch('news', { transferable: true })).rejects.toEqual(
      refusal(/^transferable: must be false for a subscription$/),
    )
    expect(await world.patch('news', { transferable: false })).toMatchObject({ transferable: false })
  })

  test('payments that are no good name their fields', async () => {
    const bad = { payments: { price: '1', currency: 'doge', recipientAddress: '1'.repeat(44) } }
    await expect(world.patch('tea', bad)).rejects.toEqual(
      refusal(
        /^payments\.currency: doge .*; payments\.recipientAddress: expected an address on base-sepolia$/,
      ),
    )
  })

  test('a collection whose chain is not enabled, and one that does not exist', async () => {
    await database.db.transaction((tx) =>
      insertCollection(tx, { projectId: world.projectId, id: 'sol', chain: 'solana', name: 'Sol' }, nowMs),
    )
    await expect(world.patch('sol', { supplyLimit: 3 })).rejects.toEqual(
      refusal(/^collectionId: sol is on solana; solana is not enabled .*\(enabled: base-sepolia\)$/),
    )
    await expect(world.patch('nothing', { supplyLimit: 3 })).rejects.toMatchObject({
      code: 'not-found',
      message: 'Collection nothing not found',
    })
  })
})

test('behavior: only columns that differ are written', async () => {
  const row = await world.read('tea')
  expect(changeCollection(row, { metadata: { name: 'Tea', symbol: 'T' }, payments: null })).toEqual({
    columns: { symbol: 'T', price: null, priceCurrency: null, revision: 1, contractUri: null },
    changes: ['metadata', 'payments'],
    isOnChain: true,
  })
})
