import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { collections } from '#base/db/tables/index.js'
import { changeCollection } from '#goods/collections/changeCollection.js'
import { insertCollection } from '#goods/collections/insertCollection.js'
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

test('parameters: a price changes at once and off chain; null takes the collection off sale', async () => {
  const answer = await world.patch('tea', { payments: { price: '5', currency: 'USDC' } })
  expect(answer.payments).toEqual({ price: '5', currency: 'usdc', royaltyBasisPoints: 0 })
  expect(await world.follow(answer.actionId)).toMatchObject({
    status: 'succeeded',
    data: { changes: ['payments'] },
  })
  expect((await world.listEvents()).at(-1)).toMatchObject({ type: 'collections.update.succeeded' })
  expect(await world.patch('tea', { payments: null })).not.toHaveProperty('payments')
  await world.work()
  expect(updates()).toEqual([])
})

test('parameters: royalties and their recipient follow on chain, in the contract and in its JSON', async () => {
  const recipientAddress = '0x00000000000000000000000000000000000000BB'
  const owner = recipientAddress.toLowerCase()
  const before = await world.read('tea')
  const answer = await world.patch('tea', { payments: { recipientAddress, royaltyBasisPoints: 750 } })
  const payments = { price: '0.01', currency: 'eth', recipientAddress: owner, royaltyBasisPoints: 750 }
  expect(answer.payments).toEqual(payments)
  const pending = { status: 'pending', data: { changes: ['payments'] } }
  expect(await world.follow(answer.actionId)).toMatchObject(pending)
  await world.work()
  expect(await world.follow(answer.actionId)).toMatchObject({ status: 'succeeded' })
  const { contractUri } = await world.read('tea')
  expect(contractUri).not.toBe(before.contractUri)
  const told = { seller_fee_basis_points: 750, fee_recipient: owner }
  expect(await world.readJson(contractUri)).toMatchObject(told)
  const terms = { owner, royaltyBasisPoints: 750, uri: contractUri }
  expect(updates()).toMatchObject([{ input: { revision: 1n, terms } }])

  expect((await world.patch('tea', { payments: { price: '6' } })).payments).toEqual({
    ...payments,
    price: '6',
  })
  await world.patch('tea', { payments: null })
  await world.work()
  expect(updates()).toMatchObject([{}, { input: { revision: 2n, terms: { royaltyBasisPoints: 0 } } }])
  expect(updates()[1]?.input).not.toHaveProperty('terms.owner')
  expect(await world.readJson((await world.read('tea')).contractUri)).not.toHaveProperty('fee_recipient')
})

test('error: royalties without a recipient', async () => {
  await expect(world.patch('tea', { payments: { royaltyBasisPoints: 1 } })).rejects.toMatchObject({
    code: 'input-invalid',
    message: expect.stringContaining('payments.recipientAddress: required with payments.royaltyBasisPoints'),
  })
})

test('parameters: the currencies that it may be paid in, and again all', async () => {
  const payments = { price: '5', currency: 'usdc', currencies: ['USDC', 'usdxm', 'usdc'] }
  const narrow = { price: '5', currency: 'usdc', currencies: ['usdc', 'usdxm'], royaltyBasisPoints: 0 }
  expect((await world.patch('tea', { payments })).payments).toEqual(narrow)
  const { actionId } = await world.patch('tea', { payments })
  expect(await world.follow(actionId)).toMatchObject({ data: { changes: [] } })
  expect((await world.patch('tea', { payments: { price: '6' } })).payments).toEqual({ ...narrow, price: '6' })
  const lifted = await world.patch('tea', { payments: { currencies: null } })
  expect(lifted.payments).toEqual({ price: '6', currency: 'usdc', royaltyBasisPoints: 0 })
})

test('parameters: of payments only what is given changes', async () => {
  const recipientAddress = '0x00000000000000000000000000000000000000bb'
  const payments = { price: '5', currency: 'usdc', recipientAddress, royaltyBasisPoints: 0 }
  await world.patch('tea', { payments })
  expect((await world.patch('tea', { payments: { price: '6' } })).payments).toEqual({
    ...payments,
    price: '6',
  })
  expect((await world.patch('tea', { payments: { recipientAddress: null } })).payments).toEqual({
    price: '6',
    currency: 'usdc',
    royaltyBasisPoints: 0,
  })
  expect((await world.patch('tea', { payments: { currency: 'ETH' } })).payments).toEqual({
    price: '6',
    currency: 'eth',
    royaltyBasisPoints: 0,
  })
  await world.patch('tea', { payments: null })
  const required = { code: 'input-invalid', message: 'payments.price: required' }
  await expect(world.patch('tea', { payments: { recipientAddress } })).rejects.toMatchObject(required)
  expect((await world.patch('tea', { payments: { price: '7' } })).payments).toEqual({
    price: '7',
    currency: 'eth',
    royaltyBasisPoints: 0,
  })
})

test('parameters: payments.requires is set, kept beside other changes, and emptied', async () => {
  const requires = ['receipt-email', 'physical-address']
  const sorted = ['physical-address', 'receipt-email']
  expect((await world.patch('tea', { payments: { requires } })).payments).toMatchObject({ requires: sorted })
  const same = await world.patch('tea', { payments: { requires: sorted } })
  expect(await world.follow(same.actionId)).toMatchObject({ data: { changes: [] } })
  expect((await world.patch('tea', { payments: { price: '6' } })).payments).toMatchObject({
    price: '6',
    requires: sorted,
  })
  expect((await world.patch('tea', { payments: { requires: [] } })).payments).not.toHaveProperty('requires')
  const created = await world.put('print', { payments: { price: '1', requires } })
  expect(created.payments).toMatchObject({ requires: sorted })
  const unknown = async () => world.put('other', { payments: { price: '1', requires: ['shoe-size'] } })
  await expect(unknown()).rejects.toThrow(/physical-address/)
})

test('parameters: null clears the description and the picture', async () => {
  const { metadata } = await world.patch('tea', { metadata: { description: null, imageUrl: null } })
  expect(metadata).toEqual({ name: 'Tea', symbol: 'TEA' })
  await world.work()
  const { contractUri } = await world.read('tea')
  expect(await world.readJson(contractUri)).toEqual({ name: 'Tea', symbol: 'TEA' })
})

test('parameters: supplyLimit "unlimited" removes the limit', async () => {
  expect(await world.patch('tea', { supplyLimit: 'unlimited' })).not.toHaveProperty('supplyLimit')
  await world.work()
  expect(updates()).toMatchObject([{ input: { terms: { supplyLimit: 0n } } }])
})

test('behavior: where nothing differs, the action has succeeded, names no changes and is no event', async () => {
  const before = await world.read('tea')
  const same = { metadata: { name: 'Tea' }, supplyLimit: 10, transferable: true, payments: { price: '0.01' } }
  const { actionId, ...answer } = await world.patch('tea', same)
  expect(answer).toMatchObject({ supplyLimit: 10, payments: { price: '0.01', currency: 'eth' } })
  expect(await world.follow(actionId)).toMatchObject({
    status: 'succeeded',
    data: { changes: [] },
    completedAt: expect.any(String),
  })
  expect(await world.read('tea')).toEqual(before)
  expect(await world.listEvents()).toHaveLength(1)
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

/** Does everything there is to do within a minute, everything at its time. */
const workForAMinute = async () => {
  for (let seconds = 0; seconds < 60; seconds++) {
    await world.work()
    nowMs += 1_000
  }
}

test('behavior: refused, it is tried again and within a minute has failed', async () => {
  chain.state.refusals.set('updateCollection', 'SupplyLimitTooLow')
  const { actionId } = await world.patch('tea', { supplyLimit: 20 })
  await world.work()
  expect(await world.follow(actionId)).toMatchObject({ status: 'pending' })
  await workForAMinute()
  const data = { changes: ['supplyLimit'], error: { revertReason: 'SupplyLimitTooLow' } }
  expect(await world.follow(actionId)).toMatchObject({ status: 'failed', data })
  expect((await world.listEvents()).at(-1)).toMatchObject({ type: 'collections.update.failed', data })
})

test('behavior: what the chain has refused is sent again when it is asked for again', async () => {
  chain.state.refusals.set('updateCollection', 'Paused')
  await world.patch('tea', { supplyLimit: 20 })
  await workForAMinute()
  expect(await world.read('tea')).toMatchObject({ supplyLimit: 20, revision: 1, chainRevision: 0 })
  const { actionId: refusedAgain } = await world.patch('tea', { supplyLimit: 20 })
  await workForAMinute()
  expect(await world.follow(refusedAgain)).toMatchObject({ status: 'failed' })

  chain.state.refusals.clear()
  const { actionId } = await world.patch('tea', { supplyLimit: 20, payments: { price: '0.01' } })
  expect(await world.follow(actionId)).toMatchObject({ status: 'pending' })
  await world.work()
  expect(updates()).toMatchObject([{ input: { revision: 3n, terms: { supplyLimit: 20n } } }])
  expect(await world.follow(actionId)).toMatchObject({
    status: 'succeeded',
    data: { changes: ['supplyLimit'], txId: expect.any(String) },
  })
  expect(await world.read('tea')).toMatchObject({ revision: 3, chainRevision: 3 })
  const { actionId: last } = await world.patch('tea', { supplyLimit: 20 })
  expect(await world.follow(last)).toMatchObject({ status: 'succeeded', data: { changes: [] } })
})

test('behavior: a price changes alone while the chain lags behind', async () => {
  chain.state.refusals.set('updateCollection', 'Paused')
  await world.patch('tea', { supplyLimit: 20 })
  const { actionId } = await world.patch('tea', { payments: { price: '3' } })
  expect(await world.follow(actionId)).toMatchObject({
    status: 'succeeded',
    data: { changes: ['payments'] },
  })
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
        /^payments\.currency: doge .*; payments\.recipientAddress: 1+ is not an address on base-sepolia$/,
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
