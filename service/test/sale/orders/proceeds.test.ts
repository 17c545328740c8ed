import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { getAddress } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { collections } from '#base/db/tables/index.js'
import { runCli } from '#entry/cli/runCli.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { redirectProceeds } from '#sale/orders/redirectProceeds.js'
import { refreshOrder } from '#sale/orders/requoteOrder.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const ada = '0x00000000000000000000000000000000000000ad'
const bob = '0x0000000000000000000000000000000000000b0b'
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
  await world.createCollection({ id: 'ada', recipientAddress: ada })
  await world.createCollection({ id: 'bob', recipientAddress: bob, price: '0.02' })
})

/** The price of one `tea` or `ada`; a `bob` is twice that. */
const prices = { eth: 10n ** 16n, usdc: 30_000_000n }
const lineItems = ['tea', 'ada', 'bob', 'ada'].map((id) => ({ collectionLocator: `kassa:${id}` }))
const costs = 5n

const buy = async (currency: 'eth' | 'usdc', excess = 0n, items: readonly object[] = lineItems) => {
  const payment = { method: 'base-sepolia', currency, payerAddress }
  const { order } = await world.create({ lineItems: items, payment })
  chain.pay({ orderId: order.orderId, currency, units: costs * prices[currency] + excess })
  await world.look()
  return order.orderId
}

const swept = () =>
  chain.sentOf('sweep').map(({ key, input }) => {
    const { units, recipient } = input as { units: bigint; recipient?: string }
    return { key, units, ...(recipient !== undefined && { recipient }) }
  })
const ledger = (orderId: string) => getLedger(world.deps, { orderId })

const drainForHours = async (hours: number) => {
  for (let hour = 0; hour < hours; hour++) {
    await world.drain()
    nowMs += 60 * 60_000
  }
}

describe.each(['eth', 'usdc'] as const)('%s', (currency) => {
  const unit = prices[currency]
  const shares = (orderId: string) => [
    { key: `sweep:${orderId}`, units: unit },
    { key: `sweep:${orderId}:${ada}`, units: 2n * unit, recipient: ada },
    { key: `sweep:${orderId}:${bob}`, units: 2n * unit, recipient: bob },
  ]

  test('default: each recipient gets the price of its sold items, and the ledger balances', async () => {
    const orderId = await buy(currency, 3n)
    await world.drain()
    expect(swept()).toEqual(shares(orderId))
    expect(await ledger(orderId)).toMatchObject({
      differing: [],
      refused: [],
      totals: [{ received: 5n * unit + 3n, refunded: 3n, swept: 5n * unit, held: 0n, difference: 0n }],
    })
  })

  test('behavior: killed after any write, it pays each of them once', async () => {
    const orderId = await buy(currency, 3n)
    const keys = ['refund', ...shares(orderId).map(({ key }) => key)]
    for (const killed of [...keys, 'none']) {
      chain.state.afterWrite = (key) => {
        if (key !== killed && !(killed === 'refund' && key.startsWith(killed))) return
        chain.state.afterWrite = () => {}
        throw new Error('killed')
      }
      await world.drain().catch((error: Error) => expect(error.message).toBe('killed'))
      expect((await ledger(orderId)).differing).toEqual([])
    }
    expect(swept()).toEqual(shares(orderId))
    expect(await ledger(orderId)).toMatchObject({ totals: [{ swept: 5n * unit, held: 0n, difference: 0n }] })
  })

  test('behavior: a recipient that the chain refuses delays no other, and is paid once the chain allows it', async () => {
    const orderId = await buy(currency)
    const [treasury, adas, bobs] = shares(orderId)
    chain.state.refusals.set(`sweep:${orderId}:${ada}`, 'Blocked')
    await world.drain()
    expect(swept()).toEqual([treasury, bobs])
    const refused = {
      id: `sweep:${orderId}:${ada}`,
      chain: 'base-sepolia',
      currency,
      units: 2n * unit,
      reason: 'Blocked',
      isRetried: true,
    }
    expect(await ledger(orderId)).toMatchObject({
      refused: [refused],
      differing: [],
      totals: [{ swept: 3n * unit, held: 2n * unit }],
    })
    await drainForHours(24)
    expect(await ledger(orderId)).toMatchObject({ refused: [refused], differing: [] })
    chain.state.refusals.clear()
    await drainForHours(7)
    expect(swept()).toMatchObject([treasury, bobs, { ...adas, key: expect.stringMatching(`^${adas?.key}#`) }])
    expect(await ledger(orderId)).toMatchObject({ refused: [], differing: [], totals: [{ held: 0n }] })
    expect(world.queue.filter(({ name }) => name === 'orders.sweep')).toEqual([])
  })

  test('behavior: two refused recipients are logged and retried separately', async () => {
    const orderId = await buy(currency)
    for (const payee of [ada, bob]) chain.state.refusals.set(`sweep:${orderId}:${payee}`, `Not ${payee}`)
    await world.drain()
    expect((await ledger(orderId)).refused).toMatchObject([
      { reason: `Not ${ada}` },
      { reason: `Not ${bob}` },
    ])
    chain.state.refusals.delete(`sweep:${orderId}:${bob}`)
    nowMs += 60_000
    await world.drain()
    expect((await ledger(orderId)).refused).toMatchObject([{ reason: `Not ${ada}` }])
    expect(swept().map(({ recipient }) => recipient)).toEqual([undefined, bob])
  })

  test('behavior: the price of an undelivered item is refunded, and paid to no recipient', async () => {
    const orderId = await buy(currency)
    await database.db.update(collections).set({ supplyLimit: 1 }).where(eq(collections.id, 'ada'))
    await world.drain()
    expect(swept()).toEqual([
      { key: `sweep:${orderId}`, units: unit },
      { key: `sweep:${orderId}:${ada}`, units: unit, recipient: ada },
      { key: `sweep:${orderId}:${bob}`, units: 2n * unit, recipient: bob },
    ])
    expect(await ledger(orderId)).toMatchObject({
      differing: [],
      totals: [{ refunded: unit, swept: 4n * unit, held: 0n }],
    })
  })
})

const payTo = async (paymentRecipient: string | null) => {
  await database.db.update(collections).set({ paymentRecipient }).where(eq(collections.id, 'ada'))
  world.deps.notices.tell('collections', 'ada')
}
const one = { collectionLocator: 'kassa:ada' }

describe('a recipient that cannot receive coins', () => {
  const other = '0x00000000000000000000000000000000000000cc'
  const refused = async () => {
    chain.state.refusing.add(ada)
    const orderId = await buy('eth')
    await world.drain()
    return { orderId, key: `sweep:${orderId}:${ada}` }
  }
  const send = (key: string, to: string) => redirectProceeds(world.deps, { key, to })
  const sums = async (orderId: string) => {
    const { totals, differing, refused: waiting } = await ledger(orderId)
    const { swept: moved, claimable } = totals[0] ?? {}
    return {
      moved,
      claimable,
      differing,
      waiting: waiting.map(({ id, units, reason }) => [id, units, reason]),
    }
  }
  const share = 2n * prices.eth
  const paid = { moved: 5n * prices.eth, claimable: 0n, differing: [], waiting: [] }

  test('default: its proceeds are claimable until the operator sends them elsewhere, once', async () => {
    const { orderId, key } = await refused()
    const reason = 'waits in 0xrouter for its recipient to claim it'
    const waiting = {
      moved: 3n * prices.eth,
      claimable: share,
      differing: [],
      waiting: [[key, share, reason]],
    }
    expect(await sums(orderId)).toEqual(waiting)
    await send(key, other)
    await send(key, other)
    await expect(send(key, bob)).rejects.toMatchObject({ code: 'conflict' })
    expect((await sums(orderId)).waiting).toEqual([[key, share, expect.stringContaining('on its way to')]])
    await world.drain()
    expect(chain.sentOf('payOutCredit')).toMatchObject([{ input: { payOutKey: key, recipient: other } }])
    expect(await sums(orderId)).toEqual(paid)
    await expect(send(key, other)).rejects.toMatchObject({ code: 'conflict' })
    await drainForHours(13)
    expect(chain.sentOf('payOutCredit')).toHaveLength(1)
    expect(world.queue.filter(({ name }) => name === 'orders.sweep')).toEqual([])
  })

  test('behavior: a recipient that claims its credit is paid, and an address named too late gets nothing', async () => {
    const { orderId, key } = await refused()
    chain.claim(key)
    await send(key, other)
    await world.drain()
    expect(chain.sentOf('payOutCredit')).toEqual([])
    expect(await sums(orderId)).toEqual(paid)
  })

  test('behavior: the service notices a claim within six hours', async () => {
    const { orderId, key } = await refused()
    await drainForHours(2)
    chain.claim(key)
    await drainForHours(6)
    expect(await sums(orderId)).toEqual(paid)
  })

  test('behavior: an address that the chain refuses can be replaced', async () => {
    const { orderId, key } = await refused()
    chain.state.refusals.set('payOutCredit', 'FailedCall()')
    await send(key, other)
    await world.drain()
    expect((await sums(orderId)).waiting).toEqual([[key, share, 'FailedCall()']])
    chain.state.refusals.clear()
    await send(key, bob)
    await world.drain()
    expect(chain.sentOf('payOutCredit')).toMatchObject([
      { key: `credit:${key}#2`, input: { recipient: getAddress(bob) } },
    ])
    expect(await sums(orderId)).toEqual(paid)
  })

  test('error: only credited proceeds, to an address that may receive them', async () => {
    const { orderId, key } = await refused()
    await expect(send(`sweep:${orderId}:${bob}`, other)).rejects.toMatchObject({ code: 'conflict' })
    await expect(send(`refund:${orderId}:0`, other)).rejects.toThrow('id: refund')
    await expect(send(key, 'elsewhere')).rejects.toThrow('to: elsewhere is not an address')
    const config = { ...world.deps.config, sanctionedAddresses: new Set([other]) }
    await expect(redirectProceeds({ ...world.deps, config }, { key, to: other })).rejects.toMatchObject({
      code: 'unprocessable',
    })
  })
})

describe('kassa-service proceeds send', () => {
  const other = '0x00000000000000000000000000000000000000cc'
  const run = async (...args: string[]) => {
    const said = { out: '', err: '' }
    const out = (text: string) => {
      said.out += text
    }
    const err = (text: string) => {
      said.err += text
    }
    const status = await runCli(['proceeds', 'send', ...args], { env: {}, service: world.deps, out, err })
    return { status, ...said }
  }

  test('default: the service pays the credited proceeds to the given address', async () => {
    chain.state.refusing.add(ada)
    const orderId = await buy('eth')
    await world.drain()
    const key = `sweep:${orderId}:${ada}`
    expect(await run(key, '--to', other)).toEqual({
      status: 0,
      out: '',
      err: 'The service will send the proceeds.\n',
    })
    await world.drain()
    expect(chain.sentOf('payOutCredit')).toMatchObject([{ input: { payOutKey: key, recipient: other } }])
    expect(await run(key, '--to', other)).toMatchObject({
      status: 1,
      err: expect.stringContaining(`${key} has no credit that waits`),
    })
  })

  test('error: an address that the settings list as sanctioned', async () => {
    world.deps.config = { ...world.deps.config, sanctionedAddresses: new Set([other]) }
    expect(await run(`sweep:${randomUUID()}:${ada}`, '--to', other)).toMatchObject({
      status: 1,
      err: expect.stringContaining('sanctioned addresses'),
    })
  })

  test.each([
    ['--to: required, the address that receives the proceeds', ['sweep:any']],
    ['expected the id of one sweep', ['--to', other]],
    ['expected the id of one sweep', ['sweep:any', 'sweep:other', '--to', other]],
  ])('error: %s', async (message, args) => {
    expect(await run(...args)).toMatchObject({ status: 2, err: expect.stringContaining(message) })
  })
})

describe('the recipient of proceeds', () => {
  const pay = async (orderId: string) => {
    chain.pay({ orderId, currency: 'eth', units: prices.eth })
    await world.look()
    await world.drain()
  }

  test("default: the price's payee, even if the collection has another by now", async () => {
    const { order } = await world.create({ lineItems: one })
    await payTo(bob)
    await pay(order.orderId)
    expect(swept()).toMatchObject([{ recipient: ada, units: prices.eth }])
  })

  test("behavior: a new quote takes the collection's current payee", async () => {
    const { order } = await world.create({ lineItems: one })
    await payTo(bob)
    await refreshOrder(world.deps, world.serverCall, { orderId: order.orderId })
    await pay(order.orderId)
    expect(swept().map(({ recipient }) => recipient)).toEqual([bob])
  })

  test('behavior: the treasury, for a collection without a payee', async () => {
    await payTo(null)
    const { order } = await world.create({ lineItems: one })
    await pay(order.orderId)
    expect(chain.sentOf('sweep')).toEqual([
      {
        kind: 'sweep',
        key: `sweep:${order.orderId}`,
        input: { orderId: order.orderId, currency: 'eth', units: prices.eth },
      },
    ])
  })

  test('behavior: the same account, if the payment is on another chain', async () => {
    const polygon = createFakeChain({ now, chain: 'polygon-amoy' })
    const both = await createOrderWorld({ db: database.db, chains: [chain.port, polygon.port], now })
    await both.createCollection({ id: 'far', chain: 'polygon-amoy', recipientAddress: ada })
    const { order } = await both.create({ lineItems: { collectionLocator: 'kassa:far' } })
    chain.pay({ orderId: order.orderId, currency: 'eth', units: prices.eth })
    await both.look()
    await both.drain()
    expect(polygon.sentOf('mint')).toHaveLength(1)
    expect(polygon.sentOf('sweep')).toEqual([])
    expect(swept()).toMatchObject([{ recipient: ada, units: prices.eth }])
    expect((await getLedger(both.deps, { orderId: order.orderId })).differing).toEqual([])
  })

  test('behavior: only the operator can see it, not a reader of the order', async () => {
    const { order } = await world.create({ lineItems: one })
    expect(JSON.stringify(order)).not.toContain(ada)
  })
})
