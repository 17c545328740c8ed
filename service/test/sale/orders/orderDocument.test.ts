import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { nfts, orders, templates } from '#base/db/tables/index.js'
import { lockOrder, readOrder } from '#sale/orders/store.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const now = () => 1_800_000_000_123
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain
let longest: string

beforeEach(async () => {
  await clearDatabase(database.db)
  chain = createFakeChain({ now })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now })
  await world.createCollection({ id: 'tea' })
  longest = `${'a'.repeat(999)}😀${'b'.repeat(3_999)}`
})

const describedAs = async (description: string): Promise<string> => {
  const templateId = await world.createTemplate({ collectionId: 'tea' })
  const metadata = { name: 'Copy', description, image: 'ipfs://copy' }
  await database.db.update(templates).set({ metadata }).where(eq(templates.id, templateId))
  return templateId
}

const order = async (...templateIds: string[]): Promise<string> => {
  const lineItems = templateIds.map((id) => ({ collectionLocator: `kassa:tea:${id}` }))
  return (await world.create({ lineItems })).order.orderId
}

const readStored = async (orderId: string): Promise<string> => {
  const document = sql<string>`${orders.document}::text`
  const [row] = await database.db.select({ document }).from(orders).where(eq(orders.id, orderId))
  return row?.document ?? ''
}

test('behavior: the texts of one template are stored once, and read for each of its items', async () => {
  const [long, other] = [await describedAs(longest), await describedAs('Another')]
  const orderId = await order(...new Array<string>(24).fill(long), other, ...new Array<string>(25).fill(long))
  const stored = await readStored(orderId)
  expect(stored.split(longest)).toHaveLength(2)
  const read = await readOrder(database.db, orderId, world.projectId)
  const locked = await database.db.transaction((tx) => lockOrder(tx, orderId))
  for (const found of [read, locked]) {
    const texts = found?.order.lineItems.map(({ metadata }) => metadata.description) ?? []
    expect(texts).toHaveLength(50)
    expect(texts.filter((text) => text === longest)).toHaveLength(49)
    expect(texts[24]).toBe('Another')
  }
})

test('behavior: an order shows the beginning of a description, and its token has all of it', async () => {
  const orderId = await order(await describedAs(longest), await describedAs('Short'))
  const shown = (await world.get(orderId)).lineItems.map(({ metadata }) => metadata?.description)
  expect(shown).toEqual([`${'a'.repeat(999)}…`, 'Short'])
  chain.pay({ orderId, currency: 'eth', units: 2n * 10n ** 16n })
  await world.look()
  await world.drain()
  const minted = await database.db.select().from(nfts).where(eq(nfts.orderId, orderId))
  expect(minted.map(({ metadata }) => metadata.description).sort()).toEqual([longest, 'Short'].sort())
})

test('behavior: fifty line items share what an order shows of descriptions, so that its answer stays short', async () => {
  const orderId = await order(...new Array<string>(50).fill(await describedAs('茶'.repeat(5_000))))
  const answer = await world.get(orderId)
  const shown = answer.lineItems.map(({ metadata }) => metadata?.description)
  expect(shown).toEqual(new Array<string>(50).fill(`${'茶'.repeat(200)}…`))
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(90_000)
})

test('behavior: an order that an earlier version stored is read as it is', async () => {
  const templateId = await describedAs('Twice')
  const orderId = await order(templateId, templateId)
  const { order: known } = (await readOrder(database.db, orderId, world.projectId)) ?? {}
  await database.db
    .update(orders)
    .set({ document: sql`${JSON.stringify(known)}::jsonb` })
    .where(eq(orders.id, orderId))
  expect((await readStored(orderId)).split('Twice')).toHaveLength(3)
  expect((await readOrder(database.db, orderId, world.projectId))?.order).toEqual(known)
})
