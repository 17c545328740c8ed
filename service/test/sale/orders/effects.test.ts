import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { nfts, refunds, wallets } from '#base/db/tables/index.js'
import type { MintInput } from '#base/ports/collections.js'
import { findCollection } from '#goods/collections/findCollection.js'
import { updateCollection } from '#goods/collections/updateCollection.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { createOrderHandlers } from '#sale/orders/handlers.js'
import { resendRefund } from '#sale/orders/resendRefund.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import {
  createOrderWorld,
  type OrderWorld,
  payerAddress,
  recipientAddress,
} from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const price = 10n ** 16n
let nowMs: number
const now = () => nowMs
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now })
  await world.createCollection({ id: 'tea' })
})

/** Runs everything that is due within half an hour, each at its time. */
const drainForLong = async () => {
  for (let minute = 0; minute < 30; minute++) {
    await world.drain()
    nowMs += 60_000
  }
}

/** An order whose quote has ended with part of the price paid. */
const underpay = async (): Promise<string> => {
  const orderId = await buy({}, price - 1n)
  await world.endQuote(orderId)
  return orderId
}

/** An order that is paid but not delivered. */
const buy = async (body: object = {}, units = price): Promise<string> => {
  const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' }, ...body })
  chain.pay({ orderId: order.orderId, currency: 'eth', units })
  await world.look()
  return order.orderId
}

describe('deliver', () => {
  test('default: mints with metadata, and stores the result', async () => {
    const orderId = await buy(
      { lineItems: { collectionLocator: 'kassa:tea', callData: { quantity: 2 } } },
      2n * price,
    )
    await world.drain()
    const { phase, lineItems } = await world.get(orderId)
    expect(phase).toBe('completed')
    const tokens = lineItems[0]?.delivery.tokens ?? []
    expect(tokens.map(({ tokenId }) => tokenId)).toEqual(['1', '2'])
    for (const { locator, contractAddress = '', tokenId = '' } of tokens) {
      expect(locator).toBe(`base-sepolia:${contractAddress}:${tokenId}`)
      expect(chain.ownerOf(contractAddress, tokenId)).toBe(recipientAddress)
    }
    const [mint] = chain.sentOf('mint')
    if (!mint) throw new Error('nothing was minted')
    const { tokens: minted } = mint.input as MintInput
    const uri = minted[1]?.uri ?? ''
    const file = await world.deps.storage.get(uri.replace('ipfs://', ''))
    expect(JSON.parse(Buffer.from(file?.bytes ?? []).toString())).toEqual({
      name: 'tea #2',
      description: 'About tea',
      image: 'ipfs://picture',
    })
  })

  test('behavior: killed after any chain write, it continues and mints once', async () => {
    for (const kind of ['collection', 'mint', 'none']) {
      const orderId = await buy()
      let isKilled = false
      chain.state.afterWrite = (key) => {
        if (isKilled || !key.startsWith(kind)) return
        isKilled = true
        throw new Error('killed')
      }
      await world.drain().catch((error: Error) => expect(error.message).toBe('killed'))
      await world.drain()
      expect((await world.get(orderId)).phase).toBe('completed')
    }
    expect(chain.sentOf('mint')).toHaveLength(3)
    expect(await findCollection(database.db, world.projectId, 'tea')).toMatchObject({
      allocatedCount: 3,
      nextTokenId: 4n,
    })
  })

  describe('of a hundred tokens', () => {
    const buyHundred = () =>
      buy({ lineItems: { collectionLocator: 'kassa:tea', callData: { quantity: 100 } } }, 100n * price)
    const minted = () => chain.sentOf('mint').map(({ input }) => (input as MintInput).tokens)

    test('behavior: they are minted in batches of fifty, each token with its transaction', async () => {
      const orderId = await buyHundred()
      await world.drain()
      const { delivery } = (await world.get(orderId)).lineItems[0] ?? {}
      expect(delivery).toMatchObject({ status: 'completed' })
      expect(delivery?.tokens?.map(({ tokenId }) => tokenId)).toEqual(
        Array.from({ length: 100 }, (_, at) => `${at + 1}`),
      )
      expect(chain.sentOf('mint').map(({ key }) => key)).toEqual([`mint:${orderId}:0`, `mint:${orderId}:0:1`])
      expect(minted().map(({ length }) => length)).toEqual([50, 50])
      const mintKeys = minted().flatMap((tokens) => tokens.map(({ mintKey }) => mintKey))
      expect(mintKeys).toEqual(Array.from({ length: 100 }, (_, at) => `mint:${orderId}:0:${at}`))
      const rows = await database.db.select().from(nfts).orderBy(nfts.tokenId)
      const txIds = [...new Set(rows.map(({ txId }) => txId))]
      expect(txIds).toHaveLength(2)
      expect(rows.map(({ txId }) => txIds.indexOf(txId))).toEqual([
        ...Array.from({ length: 50 }, () => 0),
        ...Array.from({ length: 50 }, () => 1),
      ])
      expect(delivery?.txId).toBe(txIds[1])
    })

    test('behavior: killed between them, or run twice at once, each is minted once', async () => {
      const orderId = await buyHundred()
      chain.state.afterWrite = (key) => {
        if (!key.startsWith('mint')) return
        chain.state.afterWrite = () => {}
        throw new Error('killed')
      }
      await world.drain().catch((error: Error) => expect(error.message).toBe('killed'))
      await Promise.all([world.drain(), world.drain()])
      expect((await world.get(orderId)).phase).toBe('completed')
      expect(minted().map(({ length }) => length)).toEqual([50, 50])
      expect(await database.db.select().from(nfts)).toHaveLength(100)
    })

    test('behavior: a partly minted item is never refunded: the rest is tried until it is minted', async () => {
      const orderId = await buyHundred()
      chain.state.refusals.set(`mint:${orderId}:0:1`, 'Paused')
      for (let hour = 0; hour < 3; hour++) await drainForLong()
      expect((await world.get(orderId)).lineItems[0]?.delivery.status).toBe('in-progress')
      expect(world.logged.join()).toContain('the chain refused the rest of a delivery')
      chain.state.refusals.clear()
      await drainForLong()
      expect((await world.get(orderId)).phase).toBe('completed')
      expect(minted().map(({ length }) => length)).toEqual([50, 50])
      expect(chain.sentOf('refund')).toEqual([])
    })
  })

  test('behavior: killed after signing, it is listed as it was signed, whatever changed since', async () => {
    const orderId = await buy()
    chain.state.afterWrite = (key) => {
      if (!key.startsWith('mint')) return
      chain.state.afterWrite = () => {}
      throw new Error('killed')
    }
    await world.drain().catch((error: Error) => expect(error.message).toBe('killed'))
    const body = { metadata: { name: 'Coffee', description: 'About coffee' } }
    await updateCollection(world.deps, world.serverCall, { collectionId: 'tea', body })
    await world.drain()
    expect((await world.get(orderId)).phase).toBe('completed')
    const [token] = chain.sentOf('mint').flatMap(({ input }) => (input as MintInput).tokens)
    const metadata = { name: 'tea #1', description: 'About tea', image: 'ipfs://picture' }
    expect(await database.db.select().from(nfts)).toMatchObject([{ uri: token?.uri, metadata }])
  })

  test('behavior: a job that runs twice at once delivers once', async () => {
    const orderId = await buy()
    await Promise.all([world.drain(), world.drain()])
    expect((await world.get(orderId)).phase).toBe('completed')
    expect(chain.sentOf('mint')).toHaveLength(1)
  })

  test('behavior: an e-mail recipient gets one custodial wallet, whose key is encrypted', async () => {
    const first = await buy({ recipient: { email: 'Ada@example.com' } })
    const second = await buy({ recipient: { email: 'ada@example.com' } })
    await world.drain()
    const rows = await database.db.select().from(wallets)
    expect(rows).toMatchObject([{ userLocator: 'email:ada@example.com' }])
    for (const orderId of [first, second]) {
      const delivery = (await world.get(orderId)).lineItems[0]?.delivery
      expect(delivery?.recipient?.walletAddress).toBe(rows[0]?.address)
      const { contractAddress = '', tokenId = '' } = delivery?.tokens?.[0] ?? {}
      expect(chain.ownerOf(contractAddress, tokenId)).toBe(rows[0]?.address)
    }
  })

  test('behavior: a mint that always reverts fails the item, refunds it and frees the supply', async () => {
    await world.createCollection({ id: 'rare', supplyLimit: 1 })
    chain.state.refusals.set('mint', 'Paused')
    const orderId = await buy({ lineItems: { collectionLocator: 'kassa:rare' } })
    await world.drain()
    expect((await world.get(orderId)).lineItems[0]?.delivery.status).toBe('in-progress')
    await drainForLong()
    expect(await world.get(orderId)).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'failed' } }],
      payment: { status: 'completed', refunded: { amount: '0.01', currency: 'eth' } },
    })
    expect(chain.sentOf('refund')).toMatchObject([{ input: { units: price, recipient: payerAddress } }])
    expect(chain.sentOf('sweep')).toEqual([])
    expect((await findCollection(database.db, world.projectId, 'rare'))?.allocatedCount).toBe(0)
  })

  test.each([
    ['mint', 'mint'],
    ['contract', 'createCollection'],
  ])('behavior: a %s that reverts once is tried again, and delivered once', async (_, kind) => {
    chain.state.refusals.set(kind, 'Paused')
    const orderId = await buy()
    await Promise.all([world.drain(), world.drain()])
    expect((await world.get(orderId)).phase).toBe('delivery')
    chain.state.refusals.clear()
    await world.drain()
    expect((await world.get(orderId)).phase).toBe('delivery')
    await drainForLong()
    expect((await world.get(orderId)).phase).toBe('completed')
    expect(chain.sentOf('mint')).toMatchObject([{ key: `mint:${orderId}:0#2` }])
    expect(chain.sentOf('refund')).toEqual([])
    const second = await buy()
    await world.drain()
    // The contract that one order's second attempt created serves the other's first.
    await drainForLong()
    expect((await world.get(second)).phase).toBe('completed')
    expect(chain.sentOf('createCollection')).toHaveLength(1)
  })

  test('behavior: the last token goes to the first payer; the other is refunded', async () => {
    await world.createCollection({ id: 'rare', supplyLimit: 1 })
    const body = { lineItems: { collectionLocator: 'kassa:rare' } }
    const [early, late] = [await world.create(body), await world.create(body)]
    chain.pay({ orderId: early.order.orderId, currency: 'eth', units: price })
    await world.look()
    expect((await world.create(body)).order.lineItems[0]?.quote.unavailabilityReason?.code).toBe('sold-out')
    chain.pay({ orderId: late.order.orderId, currency: 'eth', units: price })
    await world.look()
    await world.drain()
    expect((await world.get(early.order.orderId)).lineItems[0]?.delivery.status).toBe('completed')
    expect((await world.get(late.order.orderId)).lineItems[0]?.delivery.status).toBe('failed')
    expect(chain.sentOf('refund')).toMatchObject([{ input: { orderId: late.order.orderId, units: price } }])
  })

  test('behavior: a node that is away only delays', async () => {
    const orderId = await buy()
    chain.state.isAway = true
    await expect(world.drain()).rejects.toThrow('does not answer')
    expect((await world.get(orderId)).phase).toBe('delivery')
    chain.state.isAway = false
    await world.drain()
    expect((await world.get(orderId)).phase).toBe('completed')
  })
})

describe('refund', () => {
  test('default: once, to the payer of the log', async () => {
    const orderId = await buy({}, price + 7n)
    chain.state.afterWrite = (key) => {
      if (!key.startsWith('refund')) return
      chain.state.afterWrite = () => {}
      throw new Error('killed')
    }
    await world.drain().catch(() => {})
    await world.drain()
    expect(chain.sentOf('refund')).toMatchObject([{ input: { units: 7n, recipient: payerAddress } }])
    expect(chain.sentOf('sweep')).toMatchObject([{ input: { units: price } }])
    expect((await world.get(orderId)).payment.refunded).toMatchObject({ amount: '0.000000000000000007' })
  })

  const rowsOf = (orderId: string) => database.db.select().from(refunds).where(eq(refunds.orderId, orderId))

  test('behavior: one that the chain refuses once is sent at the next attempt', async () => {
    chain.state.refusals.set('refund', 'Paused')
    const orderId = await underpay()
    await Promise.all([world.drain(), world.drain()])
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'pending', attempt: 2, failure: 'Paused' }])
    chain.state.refusals.clear()
    await drainForLong()
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'sent', attempt: 2, failure: null }])
    expect(chain.sentOf('refund')).toMatchObject([
      {
        key: expect.stringMatching(new RegExp(`^refund:${orderId}:0:.*#2$`)),
        input: { units: price - 1n },
      },
    ])
    expect((await world.get(orderId)).payment.refunded).toMatchObject({ currency: 'eth' })
  })

  test('behavior: the operator resends a failed one', async () => {
    chain.state.refusals.set('refund', 'Paused')
    const orderId = await underpay()
    const refundId = `refund:${orderId}:0`
    await expect(resendRefund(world.deps, { refundId })).rejects.toThrow('is pending')
    await drainForLong()
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'failed', attempt: 4, failure: 'Paused' }])
    chain.state.refusals.clear()
    await resendRefund(world.deps, { refundId })
    await world.drain()
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'sent', attempt: 5 }])
    expect(chain.sentOf('refund')).toHaveLength(1)
    expect((await world.get(orderId)).payment.refunded).toMatchObject({ currency: 'eth' })
    await expect(resendRefund(world.deps, { refundId })).rejects.toThrow('is sent')
    await expect(resendRefund(world.deps, { refundId: 'refund:none:0' })).rejects.toThrow(
      'there is no refund',
    )
  })

  test('behavior: one that the chain keeps refusing is held for the operator', async () => {
    chain.state.refusals.set('refund', 'Rejected')
    const orderId = await underpay()
    await drainForLong()
    expect(await rowsOf(orderId)).toMatchObject([{ status: 'failed', failure: 'Rejected' }])
    expect((await world.get(orderId)).payment).toMatchObject({
      failureReason: { code: 'underpaid' },
      received: {},
    })
    expect((await world.get(orderId)).payment.refunded).toBeUndefined()
  })
})

describe('sweep', () => {
  test('default: a refused one is logged, and tried again until it succeeds', async () => {
    chain.state.refusals.set('sweep', 'Paused')
    const orderId = await buy()
    await world.drain()
    expect((await world.get(orderId)).phase).toBe('completed')
    const refused = {
      id: `sweep:${orderId}`,
      chain: 'base-sepolia',
      currency: 'eth',
      decimals: 18,
      units: price,
      reason: 'Paused',
      isRetried: true,
    }
    const ledger = () => getLedger(world.deps, { orderId })
    expect(await ledger()).toMatchObject({ refused: [refused], differing: [], totals: [{ held: price }] })
    // Refused repeatedly: tried again every few hours without a limit.
    for (let hours = 0; hours < 24; hours++) {
      await world.drain()
      nowMs += 60 * 60_000
    }
    expect(await ledger()).toMatchObject({ refused: [refused] })
    chain.state.refusals.clear()
    for (let hours = 0; hours < 7; hours++) {
      await world.drain()
      nowMs += 60 * 60_000
    }
    expect(chain.sentOf('sweep')).toMatchObject([{ input: { orderId, units: price } }])
    expect(await ledger()).toMatchObject({ refused: [], differing: [], totals: [{ held: 0n, swept: price }] })
    expect(world.queue.filter(({ name }) => name === 'orders.sweep')).toEqual([])
  })

  test('behavior: two jobs that are refused at once count as one attempt', async () => {
    chain.state.refusals.set('sweep', 'Paused')
    const orderId = await buy()
    await world.drain()
    world.queue.length = 0
    chain.state.refusals.set('sweep', 'Still paused')
    const sweep = createOrderHandlers(world.deps)['orders.sweep']
    await Promise.all([sweep({ orderId }), sweep({ orderId })])
    expect(world.queue.map(({ name }) => name)).toEqual(['orders.sweep'])
    expect(await getLedger(world.deps, { orderId })).toMatchObject({ refused: [{ reason: 'Still paused' }] })
  })
})
