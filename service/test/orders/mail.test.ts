import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { mails } from '../../src/db/tables/index.js'
import { clearDatabase } from '../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, recipientAddress } from '../helpers/createOrderWorld.js'
import { createTestDatabase } from '../helpers/createTestDatabase.js'

const price = 10n ** 16n
const email = 'ada@example.com'
let nowMs: number
let database: OpenDatabase
let world: OrderWorld
let chain: FakeChain

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  nowMs = 1_800_000_000_123
  const now = () => nowMs
  await clearDatabase(database.db)
  chain = createFakeChain({ now })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now })
  await world.createCollection({ id: 'tea' })
})

/** Pays for an order, and leaves its delivery to be done. */
const buy = async (body: Record<string, unknown>, quantity: number): Promise<string> => {
  const { order } = await world.create({ recipient: { email }, ...body })
  chain.pay({ orderId: order.orderId, currency: 'eth', units: BigInt(quantity) * price })
  await world.look()
  return order.orderId
}
const itemOf = (locator: string, quantity = 1) => ({
  collectionLocator: `kassa:${locator}`,
  callData: { quantity },
})
const written = () => database.db.select().from(mails)

test('default: who is known by an e-mail address hears of it, in the language of the order', async () => {
  const orderId = await buy({ lineItems: itemOf('tea'), locale: 'de-DE' }, 1)
  expect(await written()).toEqual([])
  await world.drain()
  const [token] = (await world.get(orderId)).lineItems[0]?.delivery.tokens ?? []
  expect(await written()).toMatchObject([
    {
      ...{ projectId: world.projectId, recipient: email, locale: 'de-DE', kind: 'nft-minted', sentAt: null },
      data: {
        ...{ tokenName: 'tea #1', collectionName: 'tea', chain: 'base-sepolia', tokenId: '1', imageUrl: '' },
        contractAddress: token?.contractAddress,
      },
    },
  ])
})

test('behavior: one mail for each line item, whatever its quantity', async () => {
  const templateId = await world.createTemplate({ collectionId: 'tea', name: 'Green' })
  await buy({ lineItems: [itemOf(`tea:${templateId}`, 3), itemOf('tea')] }, 4)
  await world.drain()
  const told = (await written()).map(({ data }) => [data.tokenName, data.tokenId])
  expect(told.sort()).toEqual([
    ['Green × 3', '1, 2, 3'],
    ['tea #4', '4'],
  ])
})

test('behavior: copies of one token are one number', async () => {
  await world.createCollection({ id: 'prints', fungibility: 'semi-fungible' })
  const templateId = await world.createTemplate({ collectionId: 'prints', name: 'Sun', tokenId: 7n })
  await buy({ lineItems: itemOf(`prints:${templateId}`, 2) }, 2)
  await world.drain()
  expect(await written()).toMatchObject([{ data: { tokenName: 'Sun × 2', tokenId: '7' } }])
})

test('behavior: the picture of what we hold is shown', async () => {
  const cid = await world.deps.storage.put(new TextEncoder().encode('a picture'), 'image/png')
  const templateId = await world.createTemplate({ collectionId: 'tea', name: cid })
  await buy({ lineItems: itemOf(`tea:${templateId}`) }, 1)
  await world.drain()
  expect(await written()).toMatchObject([{ data: { imageUrl: `http://localhost:4000/ipfs/${cid}` } }])
})

test('behavior: killed after any chain write, or done by two at once, it is told once', async () => {
  const orderId = await buy({ lineItems: itemOf('tea', 2) }, 2)
  for (const kind of ['collection', 'mint']) {
    chain.state.afterWrite = (key) => {
      if (!key.startsWith(kind)) return
      chain.state.afterWrite = () => {}
      throw new Error('killed')
    }
    await world.drain().catch((error: Error) => expect(error.message).toBe('killed'))
  }
  expect(await written()).toEqual([])
  await Promise.all([world.drain(), world.drain(), world.drain()])
  expect((await world.get(orderId)).phase).toBe('completed')
  expect(await written()).toHaveLength(1)
})

test('behavior: no mail to who has a wallet of their own', async () => {
  const recipient = { walletAddress: recipientAddress }
  const orderId = await buy({ lineItems: itemOf('tea'), recipient }, 1)
  await world.drain()
  expect((await world.get(orderId)).phase).toBe('completed')
  expect(await written()).toEqual([])
})

test('behavior: no mail of what the chain refuses', async () => {
  chain.state.refusals.set('mint', 'Paused')
  await buy({ lineItems: itemOf('tea') }, 1)
  for (let minute = 0; minute < 30; minute++) {
    await world.drain()
    nowMs += 60_000
  }
  expect(await written()).toEqual([])
})
