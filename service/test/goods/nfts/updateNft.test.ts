import { eq } from 'drizzle-orm'
import { UpdateNftBody } from 'kassa/schema'
import { beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { actions } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'
import type { UpdateTokenInput } from '#base/ports/collections.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createNftWorld, type NftWorld } from '../../helpers/createNftWorld.js'
import { recipientAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const dayMs = 24 * 60 * 60_000
const other = { name: 'Other', image: 'ipfs://other' }
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
  await world.createCollection({ id: 'club', isSubscription: true, isTransferable: false })
  await world.createCollection({ id: 'copies', fungibility: 'semi-fungible' })
  await world.listen('nfts.update.succeeded')
})

const mint = async (collectionId: string, body: object = {}) => {
  const { id } = await world.mint(collectionId, body)
  await world.drain()
  return id
}
const sent = () => chain.sentOf('updateToken').map(({ input }) => input as UpdateTokenInput)
const at = (ms: number) => ({ subscription: { expiresAt: new Date(nowMs + ms).toISOString() } })

describe('updateNft', () => {
  test('default: new metadata are written to the chain, with an event', async () => {
    const id = await mint('tea')
    const answer = await world.update('tea', id, { metadata: other })
    expect(answer).toMatchObject({ id, metadata: other, onChain: { status: 'success', tokenId: '1' } })
    await world.drain()
    expect(sent()).toEqual([
      {
        collection: { key: `collection:${world.projectId}:tea`, standard: 'erc-721' },
        tokenId: 1n,
        revision: 1n,
        name: other.name,
        symbol: 'T',
        uri: expect.stringMatching(/^ipfs:/),
      },
    ])
    const file = await world.deps.storage.get(sent()[0]?.uri.replace('ipfs://', '') ?? '')
    expect(JSON.parse(Buffer.from(file?.bytes ?? []).toString())).toEqual(other)
    expect(await world.events()).toMatchObject([
      {
        type: 'nfts.update.succeeded',
        actionId: answer.actionId,
        data: {
          chain: 'base-sepolia',
          txId: expect.stringMatching(/^0x/),
          collection: { id: 'tea' },
          token: { id, tokenId: '1', owner: { walletAddress: recipientAddress } },
          changes: ['metadata'],
        },
      },
    ])
    const read = await world.read('tea', id)
    expect(read.metadata).toEqual(other)
    expect(read.actionId).not.toBe(answer.actionId)
  })

  test('behavior: a subscription is renewed', async () => {
    const id = await mint('club')
    const answer = await world.update('club', id, { ...at(90 * dayMs), metadata: other })
    expect(answer.subscription?.expiresAt).toBe(new Date(nowMs + 90 * dayMs).toISOString())
    await world.drain()
    expect(sent()).toMatchObject([{ revision: 1n, expiresAt: BigInt((nowMs + 90 * dayMs) / 1000) }])
    expect(await world.events()).toMatchObject([{ data: { changes: ['metadata', 'subscription'] } }])
  })

  test('behavior: if nothing differs, nothing is sent, and the action has succeeded', async () => {
    const id = await mint('tea')
    const { actionId } = await world.update('tea', id, { metadata: { image: 'ipfs://one', name: 'One' } })
    expect(
      await database.db
        .select()
        .from(actions)
        .where(eq(actions.id, actionId ?? '')),
    ).toMatchObject([{ status: 'succeeded', data: { changes: [] } }])
    await world.drain()
    expect(sent()).toEqual([])
    expect(await world.events()).toEqual([])
  })

  test('behavior: of several changes the last one counts, and each has an event', async () => {
    const id = await mint('tea')
    await world.update('tea', id, { metadata: other })
    await world.update('tea', id, { metadata: { ...other, name: 'Last' } })
    await Promise.all([world.drain(), world.drain()])
    expect(sent()).toMatchObject([{ revision: 2n }])
    expect(await world.events()).toHaveLength(2)
    expect((await world.read('tea', id)).metadata?.name).toBe('Last')
  })

  test('behavior: killed after the write, it is written once', async () => {
    const id = await mint('tea')
    await world.update('tea', id, { metadata: other })
    chain.state.afterWrite = () => {
      chain.state.afterWrite = () => {}
      throw new Error('killed')
    }
    await expect(world.drain()).rejects.toThrow('killed')
    await world.drain()
    expect(sent()).toHaveLength(1)
    expect(await world.events()).toHaveLength(1)
  })

  test('behavior: a refused change is tried again, and then fails', async () => {
    const id = await mint('tea')
    chain.state.refusals.set('updateToken', 'Paused')
    await world.update('tea', id, { metadata: other })
    for (let minute = 0; minute < 60; minute++) {
      await world.drain()
      nowMs += 60_000
    }
    expect(world.queue).toEqual([])
    expect(world.logged.filter((line) => line.includes('a change of a token'))).toHaveLength(3)
    chain.state.refusals.clear()
    await world.update('tea', id, { metadata: { ...other, name: 'Later' } })
    await world.drain()
    expect(sent()).toMatchObject([{ revision: 2n }])
  })

  test('behavior: a refused change is sent again on a new request', async () => {
    const id = await mint('tea')
    chain.state.refusals.set('updateToken', 'Paused')
    await world.update('tea', id, { metadata: other })
    for (let seconds = 0; seconds < 60; seconds++) {
      await world.drain()
      nowMs += 1_000
    }
    expect(world.queue).toEqual([])
    expect(sent()).toEqual([])
    chain.state.refusals.clear()
    const { actionId } = await world.update('tea', id, { metadata: other })
    await world.drain()
    expect(sent()).toMatchObject([{ revision: 2n }])
    expect(await world.events()).toMatchObject([{ actionId, data: { changes: ['metadata'] } }])
    await world.update('tea', id, { metadata: other })
    await world.drain()
    expect(sent()).toHaveLength(1)
  })

  test('behavior: a single token of a semi-fungible collection can change, a copy of a template cannot', async () => {
    const templateId = await world.createTemplate({ collectionId: 'copies', tokenId: 7n })
    const copy = await mint('copies', { metadata: undefined, templateId })
    await expect(world.update('copies', copy, { metadata: other })).rejects.toMatchObject({
      code: 'input-invalid',
      message: `metadata: shared by all copies of the template ${templateId}`,
    })
    const single = await mint('copies')
    await world.update('copies', single, { metadata: other })
    await world.drain()
    expect(sent()).toMatchObject([{ tokenId: 1n }])
  })

  test('error: conflict, while the token is not minted, or its mint failed', async () => {
    const { id } = await world.mint('tea')
    const refused = (message: string) =>
      expect(world.update('tea', id, { metadata: other })).rejects.toMatchObject({
        code: 'conflict',
        message: `The token ${id} ${message}`,
      })
    await refused('is not minted yet')
    chain.state.refusals.set('mint', 'Paused')
    for (let minute = 0; minute < 60; minute++) {
      await world.drain()
      nowMs += 60_000
    }
    await refused('was not minted')
  })

  test.each([
    ['the past', -1],
    ['now', 0],
    ['milliseconds taken for seconds', 1_800_000_000_000 * 5],
  ])('error: input-invalid, for a subscription that ends in %s', async (_, ms) => {
    const id = await mint('club')
    await expect(world.update('club', id, at(ms))).rejects.toMatchObject({
      code: 'input-invalid',
      message: 'subscription.expiresAt: expected a time in the future, before the year 2100',
    })
  })

  test('error: input-invalid, for a subscription in another collection, and for a file that cannot be fetched', async () => {
    const id = await mint('tea')
    await expect(world.update('tea', id, at(dayMs))).rejects.toMatchObject({
      message: 'subscription: tea is not a subscription collection',
    })
    const metadata = { name: 'x', image: 'https://x.example/x' }
    await expect(world.update('tea', id, { metadata })).rejects.toThrow(/^metadata\.image: /)
    await world.update('tea', id, { metadata, reuploadLinkedFiles: false })
    expect((await world.read('tea', id)).metadata).toEqual(metadata)
  })

  test('error: input-invalid, for what a token can never change', () => {
    const { error } = z.safeParse(UpdateNftBody, { recipient: 'x', templateId: 'y', metadata: other })
    expect(error?.issues).toMatchObject([
      { path: ['recipient'], message: 'cannot be changed' },
      { path: ['templateId'], message: 'cannot be changed' },
    ])
  })

  test('error: input-invalid, for a field that a token does not have', () => {
    const { error } = z.safeParse(UpdateNftBody, { metadata: other, owner: 'x' })
    expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['owner'] }])
  })

  test('error: not-found', async () => {
    await expect(world.update('tea', 'none', { metadata: other })).rejects.toEqual(
      new ServiceError('not-found', 'Token none not found'),
    )
    await expect(world.update('none', 'none', { metadata: other })).rejects.toMatchObject({
      message: 'Collection none not found',
    })
  })
})
