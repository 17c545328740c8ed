import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { collections, nfts, templates } from '#base/db/tables/index.js'
import type { MintInput } from '#base/ports/collections.js'
import { listNfts } from '#goods/nfts/findNft.js'
import { createTemplate } from '#goods/templates/createTemplate.js'
import { deleteTemplate } from '#goods/templates/deleteTemplate.js'
import { getTemplate } from '#goods/templates/findTemplate.js'
import { updateTemplate } from '#goods/templates/updateTemplate.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, recipientAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const price = 10n ** 16n
let nowMs: number
const now = () => nowMs
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain

beforeEach(async () => {
  nowMs = 1_800_000_000_123
  await clearDatabase(database.db)
  chain = createFakeChain({ now })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now })
  await world.createCollection({ id: 'tea' })
})

const itemOf = (locator: string, quantity = 1) => ({
  collectionLocator: `kassa:${locator}`,
  callData: { quantity },
})
type Item = ReturnType<typeof itemOf>

const pay = (orderId: string, quantity: number) =>
  chain.pay({ orderId, currency: 'eth', units: BigInt(quantity) * price })

/** An order that is paid but not delivered. */
const buy = async (...items: Item[]): Promise<string> => {
  const { order } = await world.create({ lineItems: items })
  const counts = items.map(({ callData }) => callData.quantity)
  pay(
    order.orderId,
    counts.reduce((sum, count) => sum + count, 0),
  )
  await world.look()
  return order.orderId
}

/** Runs everything that is due within half an hour, each at its time. */
const drainForLong = async () => {
  for (let minute = 0; minute < 30; minute++) {
    await world.drain()
    nowMs += 60_000
  }
}

/** Kills the process once after each kind of write, and continues. */
const drainThoughKilled = async (...kinds: string[]) => {
  for (const kind of [...kinds, 'none']) {
    chain.state.afterWrite = (key) => {
      if (!key.startsWith(kind)) return
      chain.state.afterWrite = () => {}
      throw new Error('killed')
    }
    await world.drain().catch((error: Error) => expect(error.message).toBe('killed'))
  }
}

const tokensOf = async (orderId: string, index = 0) =>
  (await world.get(orderId)).lineItems[index]?.delivery.tokens ?? []
const minted = () => chain.sentOf('mint').flatMap(({ input }) => (input as MintInput).tokens)
const recorded = (orderId: string) => database.db.select().from(nfts).where(eq(nfts.orderId, orderId))
const suppliesOf = async () => {
  const [collection] = await database.db
    .select({ count: collections.allocatedCount })
    .from(collections)
    .where(eq(collections.id, 'tea'))
  const [template] = await database.db.select({ count: templates.allocatedCount }).from(templates)
  return [collection?.count, template?.count]
}
const limit = async (supplyLimit: number) => {
  await database.db.update(collections).set({ supplyLimit }).where(eq(collections.id, 'tea'))
  world.deps.notices.tell('collections', 'tea')
}

describe('a template', () => {
  test('default: is shown, priced as its collection, and delivered as a copy', async () => {
    const templateId = await world.createTemplate({ collectionId: 'tea', name: 'Green', supplyLimit: 5 })
    const { order } = await world.create({ lineItems: [itemOf(`tea:${templateId.toUpperCase()}`, 2)] })
    expect(order.lineItems).toMatchObject([
      {
        metadata: { name: 'Green', description: 'About Green', imageUrl: 'ipfs://Green' },
        quote: { totalPrice: { amount: '0.02', currency: 'eth' } },
      },
    ])
    pay(order.orderId, 2)
    await world.look()
    await world.drain()
    expect((await tokensOf(order.orderId)).map(({ tokenId }) => tokenId)).toEqual(['1', '2'])
    const mints = minted()
    expect(mints).toMatchObject([
      { tokenId: 1n, template: { key: templateId, limit: 5n } },
      { tokenId: 2n, template: { key: templateId, limit: 5n } },
    ])
    const uri = mints[0]?.uri ?? ''
    const file = await world.deps.storage.get(uri.replace('ipfs://', ''))
    const metadata = { name: 'Green', description: 'About Green', image: 'ipfs://Green' }
    expect(JSON.parse(Buffer.from(file?.bytes ?? []).toString())).toEqual(metadata)
    expect(await recorded(order.orderId)).toMatchObject(
      [1n, 2n].map((tokenId) => ({
        collectionId: 'tea',
        status: 'success',
        tokenId,
        templateId,
        metadata,
        uri,
        owner: recipientAddress,
        recipient: null,
        expiresAt: null,
        locale: 'en-US',
      })),
    )
    expect(await suppliesOf()).toEqual([2, 2])
  })

  test('behavior: a chosen id is sold by its locator, and named by the delivered token', async () => {
    const body = { metadata: { name: 'Green', image: 'ipfs://green' }, supply: { limit: 1 } }
    const named = { collectionId: 'tea', templateId: 'green' }
    await createTemplate(world.deps, world.serverCall, { ...named, body })
    const { order } = await world.create({ lineItems: [itemOf('tea:green')] })
    pay(order.orderId, 1)
    await world.look()
    await world.drain()
    expect(await recorded(order.orderId)).toMatchObject([{ status: 'success', templateName: 'green' }])
    expect(await getTemplate(world.deps, world.serverCall, named)).toMatchObject({ supply: { minted: 1 } })
    const page = { collectionId: 'tea', page: 1, perPage: 9 }
    expect(await listNfts(world.deps, world.serverCall, page)).toMatchObject([{ templateId: 'green' }])
    await expect(world.create({ lineItems: [itemOf('tea:blue')] })).rejects.toThrow('Template blue not found')
  })

  test('error: not-found', async () => {
    await world.createCollection({ id: 'cups' })
    const elsewhere = await world.createTemplate({ collectionId: 'cups' })
    const other = await createOrderWorld({ db: database.db, chains: [chain.port], now })
    await other.createCollection({ id: 'tea' })
    const foreign = await other.createTemplate({ collectionId: 'tea' })
    for (const id of ['green', crypto.randomUUID(), elsewhere, foreign]) {
      await expect(world.create({ lineItems: itemOf(`tea:${id}`) })).rejects.toMatchObject({
        code: 'not-found',
        message: `Template ${id} not found`,
      })
    }
    await expect(world.create({ lineItems: itemOf(`cups2:${elsewhere}`) })).rejects.toMatchObject({
      code: 'not-found',
      message: 'Collection cups2 not found',
    })
  })

  test("error: input-invalid, for another total than the collection's price gives", async () => {
    const templateId = await world.createTemplate({ collectionId: 'tea' })
    const callData = { quantity: 2, totalPrice: '0.03' }
    const lineItems = { collectionLocator: `kassa:tea:${templateId}`, callData }
    await expect(world.create({ lineItems })).rejects.toThrow('expected 0.02 eth')
  })

  test('behavior: a quote with it keeps it when quoted again', async () => {
    const templateId = await world.createTemplate({ collectionId: 'tea', name: 'Green' })
    const { order } = await world.create({ lineItems: itemOf(`tea:${templateId}`), recipient: undefined })
    const { orderId } = order
    const body = { recipient: { email: 'ada@example.com' } }
    const edited = await editOrder(world.deps, world.serverCall, { orderId, body })
    expect(edited.lineItems[0]?.metadata?.name).toBe('Green')
    pay(order.orderId, 1)
    await world.look()
    await world.drain()
    expect(await recorded(order.orderId)).toMatchObject([{ templateId }])
  })

  test('behavior: tokens reserved for paid orders cannot be sold again', async () => {
    const templateId = await world.createTemplate({ collectionId: 'tea', name: 'Green', supplyLimit: 2 })
    // A token without a template takes nothing from a template's supply.
    await buy(itemOf('tea', 3))
    await buy(itemOf(`tea:${templateId}`))
    const two = await world.create({ lineItems: itemOf(`tea:${templateId}`, 2) })
    expect(two.order.lineItems[0]?.quote.unavailabilityReason).toEqual({
      code: 'supply-insufficient',
      message: 'only 1 of Green are left',
    })
    expect(two.order.lineItems[0]?.quote.available).toBe(1)
    await buy(itemOf(`tea:${templateId}`))
    const none = await world.create({ lineItems: itemOf(`tea:${templateId}`) })
    expect(none.order.lineItems[0]?.quote.unavailabilityReason?.code).toBe('sold-out')
    // Other tokens of the collection are still available, up to the collection's limit.
    expect((await world.create({ lineItems: itemOf('tea') })).order.quote.status).toBe('valid')
    await limit(5)
    expect((await world.create({ lineItems: itemOf('tea') })).order.quote.status).not.toBe('valid')
  })

  test.each([
    ['its own limit', { supplyLimit: 1 }, undefined],
    ["its collection's limit", {}, 1],
  ])('behavior: the last one, by %s, goes to the first payer; the other is refunded', async (_, own, of) => {
    const templateId = await world.createTemplate({ collectionId: 'tea', ...own })
    if (of !== undefined) await limit(of)
    const body = { lineItems: itemOf(`tea:${templateId}`) }
    const [early, late] = [(await world.create(body)).order, (await world.create(body)).order]
    for (const { orderId } of [early, late]) pay(orderId, 1)
    await world.look()
    await world.drain()
    const statuses = [early, late].map(
      async ({ orderId }) => (await world.get(orderId)).lineItems[0]?.delivery.status,
    )
    expect(await Promise.all(statuses)).toEqual(['completed', 'failed'])
    expect(chain.sentOf('refund')).toMatchObject([{ input: { orderId: late.orderId, units: price } }])
    expect(await suppliesOf()).toEqual([1, 1])
    expect(await recorded(late.orderId)).toEqual([])
  })

  test('behavior: a mint that always reverts frees both supplies', async () => {
    const templateId = await world.createTemplate({ collectionId: 'tea', supplyLimit: 1 })
    chain.state.refusals.set('mint', 'Paused')
    const orderId = await buy(itemOf(`tea:${templateId}`))
    await world.drain()
    expect(await suppliesOf()).toEqual([1, 1])
    await drainForLong()
    expect((await world.get(orderId)).lineItems[0]?.delivery.status).toBe('failed')
    expect(await suppliesOf()).toEqual([0, 0])
  })

  test('behavior: killed after any chain write, it is minted and listed once', async () => {
    const templateId = await world.createTemplate({ collectionId: 'tea' })
    const orderId = await buy(itemOf(`tea:${templateId}`, 2), itemOf('tea'))
    await drainThoughKilled('collection', `mint:${orderId}:0`, `mint:${orderId}:1`, 'sweep')
    expect((await world.get(orderId)).phase).toBe('completed')
    expect(minted()).toHaveLength(3)
    expect((await recorded(orderId)).map((row) => row.templateId)).toEqual([templateId, templateId, null])
    expect(await suppliesOf()).toEqual([3, 2])
  })
})

describe('a template that is deleted or changed', () => {
  const idsOf = (templateId: string) => ({ collectionId: 'tea', templateId })
  const remove = (templateId: string) => deleteTemplate(world.deps, world.serverCall, idsOf(templateId))
  const rename = (templateId: string) =>
    updateTemplate(world.deps, world.serverCall, {
      ...idsOf(templateId),
      body: { metadata: { name: 'Black' } },
    })

  test('error: conflict: while an order of it can be paid or is to be delivered', async () => {
    const templateId = await world.createTemplate({ collectionId: 'tea', name: 'Green' })
    const message = `The template ${templateId} cannot be deleted: 1 open order must end first. Try again then`
    const { order } = await world.create({ lineItems: [itemOf(`tea:${templateId}`), itemOf('tea')] })
    await expect(remove(templateId)).rejects.toMatchObject({ code: 'conflict', message })
    pay(order.orderId, 2)
    await world.look()
    await expect(remove(templateId)).rejects.toMatchObject({ code: 'conflict', message })
    await expect(rename(templateId)).rejects.toMatchObject({
      code: 'conflict',
      message: `metadata: 1 paid order of the template ${templateId} must be delivered first: try again in a moment`,
    })
    await world.drain()
    expect((await rename(templateId)).metadata).toMatchObject({ name: 'Black', image: 'ipfs://Green' })
    await remove(templateId)
    const again = world.create({ lineItems: itemOf(`tea:${templateId}`) })
    await expect(again).rejects.toMatchObject({ message: `Template ${templateId} not found` })
  })

  test('behavior: a supply limit covers the copies that are paid for', async () => {
    const templateId = await world.createTemplate({ collectionId: 'tea', supplyLimit: 5 })
    const { order } = await world.create({ lineItems: itemOf(`tea:${templateId}`, 2) })
    pay(order.orderId, 2)
    await world.look()
    const limitTo = (limit: number) =>
      updateTemplate(world.deps, world.serverCall, { ...idsOf(templateId), body: { supply: { limit } } })
    await expect(limitTo(1)).rejects.toMatchObject({
      code: 'input-invalid',
      message: 'supply.limit: 1 is less than the 2 copies that are minted, being minted or paid for',
    })
    expect((await limitTo(2)).supply).toEqual({ limit: 2, minted: 0 })
    await world.drain()
    expect((await world.get(order.orderId)).lineItems[0]?.delivery.status).toBe('completed')
  })

  test('behavior: an expired order is quoted again without it, or paid in time all the same', async () => {
    const templateId = await world.createTemplate({ collectionId: 'tea' })
    const body = { lineItems: [itemOf(`tea:${templateId}`), itemOf('tea')] }
    const [quoted, paid] = [(await world.create(body)).order, (await world.create(body)).order]
    pay(paid.orderId, 2)
    nowMs += world.deps.config.quoteTtlMs + 1000
    await world.drain()
    await remove(templateId)
    const { lineItems } = await refreshOrder(world.deps, world.serverCall, { orderId: quoted.orderId })
    expect(lineItems.map(({ quote }) => [quote.status, quote.unavailabilityReason?.code])).toEqual([
      ['item-unavailable', 'sold-out'],
      ['valid', undefined],
    ])
    await world.look()
    await world.drain()
    expect((await world.get(paid.orderId)).lineItems[0]?.delivery.status).toBe('completed')
  })
})

describe('a semi-fungible collection', () => {
  test('default: copies share their token, and each is minted once', async () => {
    await world.createCollection({ id: 'prints', fungibility: 'semi-fungible' })
    const templateId = await world.createTemplate({ collectionId: 'prints', tokenId: 7n })
    const orderId = await buy(itemOf(`prints:${templateId}`, 3))
    await drainThoughKilled('collection', 'mint')
    const tokens = await tokensOf(orderId)
    expect(tokens).toHaveLength(3)
    const [{ contractAddress, locator } = { contractAddress: '', locator: '' }] = tokens
    expect(new Set(tokens.map((token) => token.locator))).toEqual(new Set([locator]))
    expect(locator).toBe(`base-sepolia:${contractAddress}:7`)
    const mintKeys = minted().map(({ mintKey }) => mintKey)
    expect(mintKeys).toEqual([0, 1, 2].map((copy) => `mint:${orderId}:0:${copy}`))
    for (const mintKey of mintKeys) {
      expect(chain.ownerOf(contractAddress ?? '', '7', mintKey)).toBe(recipientAddress)
    }
    expect((await recorded(orderId)).map(({ tokenId }) => tokenId)).toEqual([7n, 7n, 7n])
  })

  test("behavior: a token without a template never gets a template's id", async () => {
    await world.createCollection({ id: 'prints', fungibility: 'semi-fungible' })
    await world.createTemplate({ collectionId: 'prints', tokenId: 2n })
    const orderId = await buy(itemOf('prints', 2))
    await world.drain()
    expect((await tokensOf(orderId)).map(({ tokenId }) => tokenId)).toEqual(['1', '3'])
  })
})

describe('a subscription', () => {
  const endsAtMs = 1_800_000_000_000 + 30 * 24 * 60 * 60_000

  test('default: ends thirty days after it begins', async () => {
    await world.createCollection({ id: 'club', isSubscription: true, isTransferable: false })
    const orderId = await buy(itemOf('club', 2))
    await world.drain()
    const expiresAt = BigInt(endsAtMs / 1000)
    expect(minted()).toMatchObject([{ expiresAt }, { expiresAt }])
    expect(chain.sentOf('mint')).toMatchObject([{ input: { collection: { standard: 'erc-5643' } } }])
    expect((await recorded(orderId)).map((row) => row.expiresAt?.getTime())).toEqual([endsAtMs, endsAtMs])
  })

  test('behavior: killed, refused and tried again later, it keeps its first end', async () => {
    await world.createCollection({ id: 'club', isSubscription: true, isTransferable: false })
    const inputs: MintInput[] = []
    const { mint } = chain.port
    chain.port.mint = (key, input) => {
      inputs.push(input)
      return mint(key, input)
    }
    chain.state.refusals.set('mint', 'Paused')
    chain.state.afterWrite = (key) => {
      if (!key.startsWith('mint')) return
      chain.state.afterWrite = () => {}
      throw new Error('killed')
    }
    const orderId = await buy(itemOf('club'))
    await world.drain().catch(() => {})
    nowMs += 5_000
    await world.drain()
    chain.state.refusals.clear()
    await drainForLong()
    expect((await world.get(orderId)).phase).toBe('completed')
    expect(inputs.length).toBeGreaterThan(2)
    const ends = inputs.flatMap(({ tokens }) => tokens.map(({ expiresAt }) => expiresAt))
    expect(new Set(ends)).toEqual(new Set([BigInt(endsAtMs / 1000)]))
    expect(await recorded(orderId)).toMatchObject([{ expiresAt: new Date(endsAtMs) }])
  })
})

test('behavior: the contract of a collection links to its metadata', async () => {
  await buy(itemOf('tea'))
  await world.drain()
  const [{ input } = { input: undefined }] = chain.sentOf('createCollection')
  const { uri } = (input as { terms: { uri: string } }).terms
  const file = await world.deps.storage.get(uri.replace('ipfs://', ''))
  expect(JSON.parse(Buffer.from(file?.bytes ?? []).toString())).toMatchObject({ name: 'tea', symbol: 'T' })
})
