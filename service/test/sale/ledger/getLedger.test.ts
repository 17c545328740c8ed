import { like } from 'drizzle-orm'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chainTransactions, payments } from '#base/db/tables/index.js'
import type { ChainRegistry } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { createMoneyWorld, price } from '../../helpers/createMoneyWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const withChain = (chains: ChainRegistry, port: ChainPort): ChainRegistry => {
  return {
    enabled: [...new Set([...chains.enabled, port.chain])],
    get: (name) => (name === port.chain ? port : chains.get(name)),
  }
}

type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>
const chain = openBeforeAll(createMoneyWorld)
let world: Awaited<ReturnType<MoneyWorld['open']>>
let buyer: Awaited<ReturnType<MoneyWorld['createPayer']>>
let snapshot: `0x${string}`

beforeAll(async () => {
  world = await chain.open()
  buyer = await chain.createPayer()
})
// What a test leaves on the chain is wound back: nothing of it is ever seen by the service.
beforeEach(async () => {
  snapshot = await chain.client.snapshot()
})
afterEach(() => chain.client.revert({ id: snapshot }))

describe('getLedger', () => {
  test('default: before, between and after: paid, delivered, swept', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', price.usdc + 1n)
    await world.look()
    const line = { chain: 'base-sepolia', currency: 'usdc', decimals: 6, received: price.usdc + 1n }
    expect((await world.ledger()).totals).toEqual([
      {
        ...line,
        delivered: 0n,
        open: price.usdc,
        refunded: 0n,
        claimable: 0n,
        owed: 1n,
        swept: 0n,
        held: price.usdc + 1n,
        difference: 0n,
      },
    ])
    await world.drain()
    expect(await world.ledger()).toEqual({
      totals: [
        {
          ...line,
          delivered: price.usdc,
          open: 0n,
          refunded: 1n,
          claimable: 0n,
          owed: 0n,
          swept: price.usdc,
          held: 0n,
          difference: 0n,
        },
      ],
      differing: [],
      unattributedFunds: [],
      sentBack: [],
      refused: [],
      lost: [],
    })
    snapshot = await chain.client.snapshot()
  })

  test('behavior: a payment that was not recorded shows up, to the last base unit', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdxm', 3n)
    expect((await world.ledger()).differing).toMatchObject([
      { orderId, currency: 'usdxm', received: 0n, held: 3n, difference: 3n },
    ])
    expect((await getLedger(world.deps, { orderId })).totals).toMatchObject([{ currency: 'usdxm', held: 3n }])
  })

  test('behavior: coins sent to a deposit address past the router are listed apart', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.mine(await buyer.sign({ to: chain.depositOf(orderId), value: 4n }))
    expect(await getLedger(world.deps, { orderId })).toMatchObject({
      differing: [],
      unattributedFunds: [{ orderId, chain: 'base-sepolia', currency: 'eth', decimals: 18, units: 4n }],
    })
  })

  test('behavior: coins under a reference of no order are listed apart, and not as those of one order', async () => {
    const orderId = await world.create(buyer, 'eth')
    await buyer.send(crypto.randomUUID(), 'eth', 5n)
    const nothing = { differing: [], refused: [], lost: [] }
    const stray = { chain: 'base-sepolia', currency: 'eth', decimals: 18, units: 5n }
    expect(await world.ledger()).toMatchObject({ ...nothing, unattributedFunds: [stray] })
    expect(await getLedger(world.deps, { orderId })).toEqual({
      ...nothing,
      totals: [],
      unattributedFunds: [],
      sentBack: [],
    })
  })

  test("parameters: project: only its orders, and another project's order is not found", async () => {
    const other = await chain.open()
    const orderId = await other.create(buyer, 'usdxm')
    await buyer.send(orderId, 'usdxm', price.usdc)
    await other.look()
    const projects = await chain.database.executeSql('select id, name from projects')
    const nameOf = (id: string) => {
      const row = (projects.rows as { id: string; name: string }[]).find((each) => each.id === id)
      return row?.name
    }
    const of = (id: string) => getLedger(world.deps, { project: nameOf(id) })
    expect((await of(other.projectId)).totals).toMatchObject([{ currency: 'usdxm', received: price.usdc }])
    expect((await of(world.projectId)).totals.map(({ currency }) => currency)).not.toContain('usdxm')
  })

  test('behavior: many orders are asked about in several calls', async () => {
    const orderIds = Array.from({ length: 120 }, () => crypto.randomUUID())
    for (const at of [0, 60, 119])
      await buyer.send(orderIds[at] ?? '', at === 60 ? 'eth' : 'usdc', BigInt(at + 1))
    const { held } = await chain.chain.getStatement(orderIds.map((orderId) => ({ orderId, payOutKeys: [] })))
    expect(held.filter(({ orderId }) => orderId)).toEqual([
      { orderId: orderIds[0], currency: 'usdc', units: 1n },
      { orderId: orderIds[60], currency: 'eth', units: 61n },
      { orderId: orderIds[119], currency: 'usdc', units: 120n },
    ])
    expect(held.find(({ orderId }) => !orderId)).toBeUndefined()
  })

  test('behavior: any number of payouts, of many orders and of one, fits into what a node answers', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', 2n)
    await world.look()
    await world.endQuote(orderId)
    await world.drain()
    const [sent] = await chain.db
      .select()
      .from(chainTransactions)
      .where(like(chainTransactions.key, `base-sepolia:refund:${orderId}:0:%`))
    if (!sent) throw new Error('there was no refund')
    // The very same payout under many keys: each finds that it was paid.
    const copies = Array.from({ length: 300 }, (_, at) => `copy:${at}`)
    const row = { ...sent, sender: 'nobody' }
    const rows = copies.map((key, nonce) => ({ ...row, key: `base-sepolia:${key}`, nonce }))
    await chain.db.insert(chainTransactions).values(rows)
    const some = copies.slice(100).map((key) => ({ orderId: crypto.randomUUID(), payOutKeys: [key] }))
    const one = { orderId, payOutKeys: copies.slice(0, 150) }
    const { paidOut } = await chain.chain.getStatement([...some.slice(0, 70), one, ...some.slice(70)])
    const asked = [...some.slice(0, 70), one, ...some.slice(70)].flatMap(({ payOutKeys }) => payOutKeys)
    expect(paidOut).toEqual(asked.map((key) => ({ key, currency: 'usdc', units: 2n })))
  })

  test('error: not-found, input-invalid', async () => {
    await expect(getLedger(world.deps, { project: 'nobody' })).rejects.toMatchObject({ code: 'not-found' })
    await expect(getLedger(world.deps, { orderId: 'x' })).rejects.toMatchObject({ code: 'input-invalid' })
    await expect(getLedger(world.deps, { orderId: crypto.randomUUID() })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('error: a chain that holds money is no longer enabled', async () => {
    const chains = { enabled: [], get: () => undefined }
    await expect(getLedger({ ...world.deps, chains })).rejects.toThrow('base-sepolia')
  })

  test('behavior: an enabled chain that was never used is asked, and nothing is put there', async () => {
    const other = await createTestChain('polygon-amoy', chain)
    // Of an operator whose contracts stand nowhere, on a chain that is not our own.
    const unused = other.open({ operatorKey: generatePrivateKey(), isLocal: false })
    const deps = { ...world.deps, chains: withChain(world.deps.chains, unused) }
    const orderId = await world.create(buyer, 'usdc')
    const deposit = unused.paymentTarget({ orderId, currency: 'usdc' }) as Hex
    expect(await getLedger(deps, { orderId })).toMatchObject({
      totals: [],
      differing: [],
      unattributedFunds: [],
    })
    const away = await other.createPayer(10n ** 18n)
    await away.mintTokens('usdc', 9n, deposit)
    await other.client.setBalance({ address: deposit, value: 4n })
    const before = await other.client.getBlockNumber({ cacheTime: 0 })
    expect(await getLedger(deps, { orderId })).toMatchObject({
      differing: [{ orderId, chain: 'polygon-amoy', currency: 'usdc', held: 9n, difference: 9n }],
      unattributedFunds: [{ orderId, chain: 'polygon-amoy', currency: 'pol', units: 4n }],
    })
    expect(await other.client.getBlockNumber({ cacheTime: 0 })).toBe(before)
    await other.close()
  })

  test('behavior: of tokens of no account, the chain is asked about so many and no more', async () => {
    const orderId = await world.create(buyer, 'usdc')
    const rows = Array.from({ length: 30 }, (_, at) => {
      const token = `0x${String(at).padStart(40, '0')}`
      return {
        id: `${orderId}:${at}`,
        orderId,
        chain: 'base-sepolia',
        txId: '0x1',
        logIndex: at,
        blockNumber: 1n,
        blockHash: '0x1',
        minedAt: new Date(),
        payer: token,
        currency: token,
        units: '1',
        target: '0x1',
        status: 'foreign' as const,
      }
    })
    await chain.db.insert(payments).values(rows)
    const asked: number[] = []
    const counting: ChainPort = {
      ...chain.chain,
      getStatement: (input) => {
        asked.push(...input.map(({ foreignTokens = [] }) => foreignTokens.length))
        return chain.chain.getStatement(input)
      },
    }
    const deps = { ...world.deps, chains: withChain(world.deps.chains, counting) }
    await getLedger(deps, { orderId })
    expect(asked).toEqual([20])
  })

  // Last, because the books are wrong from here on.
  test('behavior: proceeds of which the chain has less stay, and show up', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', price.usdc)
    await world.look()
    const stolen = 2n
    await chain.chain.refund('by mistake', {
      orderId,
      currency: 'usdc',
      units: stolen,
      recipient: buyer.address,
    })
    await expect(world.drain()).rejects.toMatchObject({ code: 'chain-unavailable' })
    expect((await world.get(orderId)).phase).toBe('completed')
    expect((await getLedger(world.deps, { orderId })).differing).toMatchObject([
      { orderId, delivered: price.usdc, swept: 0n, held: price.usdc - stolen, difference: stolen },
    ])
  })
})
