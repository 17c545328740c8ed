import { beforeEach, describe, expect, test } from 'vitest'
import type { ChainPort } from '#base/ports/chain.js'
import { refreshOrder } from '#sale/orders/requoteOrder.js'
import { updateOrder } from '#sale/orders/updateOrder.js'
import { giveUpHints, lookAtHints } from '#sale/payments/lookAtHints.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

/** An attacker reports transactions that do not exist. The service must still follow those of others. */

const limit = 20
const attackerCount = 40
const database = openBeforeAll(createTestDatabase)
let nowMs: number
let world: OrderWorld
let chain: FakeChain
let asked: string[]
let port: ChainPort

const create = async () =>
  (await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })).order.orderId
const report = async (orderId: string, ...txIds: string[]) => {
  nowMs += 10
  const events = txIds.map((txId) => ({ type: 'payment-reported', txId }) as const)
  await database.db.transaction((tx) => updateOrder(world.deps, tx, orderId, ...events))
}
/** Looks once, and returns the transactions that the node was asked for. */
const look = async (): Promise<string[]> => {
  asked = []
  await lookAtHints(world.deps, port, limit)
  return asked
}

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
  port = {
    ...chain.port,
    findTransactionBlock: async (txId) => {
      asked.push(txId)
      return undefined
    },
  }
})

/** Has an attacker report ten transactions for each of many orders. */
const attack = async (): Promise<string[]> => {
  const orderIds: string[] = []
  for (let order = 0; order < attackerCount; order++) orderIds.push(await create())
  for (const orderId of orderIds) {
    await report(orderId, ...Array.from({ length: 10 }, (_, index) => `0xfalse:${orderId}:${index}`))
  }
  return orderIds
}

describe('many false reports', () => {
  test('behavior: a report before them is looked at in the first check', async () => {
    await report(await create(), '0xhonest')
    await attack()
    expect(await look()).toContain('0xhonest')
  })

  test('behavior: a report after them is looked at once their orders had one turn each', async () => {
    await attack()
    await report(await create(), '0xhonest')
    let checks = 1
    while (!(await look()).includes('0xhonest')) checks++
    expect(checks).toBeLessThanOrEqual(Math.ceil((attackerCount + 1) / (limit / 2)))
  })

  test('behavior: a report after them is looked at in the first check, once they had one turn', async () => {
    await attack()
    for (let checks = 0; checks <= attackerCount / (limit / 2); checks++) await look()
    await report(await create(), '0xhonest')
    expect(await look()).toContain('0xhonest')
  })

  test('behavior: reported again and again, they do not delay a report in the meantime', async () => {
    const orderIds = await attack()
    for (let checks = 0; checks < attackerCount / 10; checks++) await look()
    await report(await create(), '0xhonest')
    for (const orderId of orderIds) await report(orderId, `0xfalse:${orderId}:0`)
    expect(await look()).toContain('0xhonest')
  })

  test('behavior: each check asks for few, and every order has its turn in every pass', async () => {
    await report(await create(), '0xhonest')
    const orderIds = await attack()
    const checksPerPass = Math.ceil((attackerCount + 1) / (limit / 2))
    for (let pass = 0; pass < 3; pass++) {
      const seen: string[] = []
      for (let check = 0; check < checksPerPass; check++) {
        const found = await look()
        expect(found.length).toBeLessThanOrEqual(limit)
        seen.push(...found)
      }
      expect(seen).toContain('0xhonest')
      const isSeen = (orderId: string) => seen.some((txId) => txId.startsWith(`0xfalse:${orderId}`))
      expect(orderIds.filter((orderId) => !isSeen(orderId))).toEqual([])
    }
  })

  test('behavior: every report of an order has its turn', async () => {
    const orderId = await create()
    const own = Array.from({ length: 10 }, (_, index) => `0x${index}`)
    await report(orderId, ...own)
    await attack()
    const seen = new Set<string>()
    // Each turn is for one of ten by chance: 150 turns leave one out in fewer than two runs of a million.
    const maxChecks = (150 * (attackerCount + 1)) / (limit / 2)
    for (let check = 0; check < maxChecks && own.some((txId) => !seen.has(txId)); check++) {
      for (const txId of await look()) seen.add(txId)
    }
    expect(own.filter((txId) => !seen.has(txId))).toEqual([])
  })
})

test('behavior: an order whose node never answers does not prevent that others are given up', async () => {
  const [silent, other] = [await create(), await create()]
  await report(silent, '0xsilent')
  await report(other, '0xunknown')
  const away: ChainPort = {
    ...chain.port,
    traceReported: async (input) => {
      if (input.txId === '0xsilent') throw new Error('no answer')
      return chain.port.traceReported(input)
    },
  }
  const deps = { ...world.deps, chains: { enabled: [away.chain], get: () => away } }
  nowMs += world.deps.config.reportedTtlMs
  for (let round = 0; round < 2; round++) await giveUpHints(deps, away.chain, 1)
  expect((await world.get(other)).payment.failureReason?.code).toBe('tx-id-not-found')
  expect((await world.get(silent)).payment.failureReason).toBeUndefined()
})

test('behavior: under a new price after a return, an unknown report is given up, and the returned payment is not', async () => {
  const orderId = await create()
  chain.pay({ orderId, currency: 'eth', units: 5n, txId: '0xpart' })
  await report(orderId, '0xpart')
  await world.look()
  await world.endQuote(orderId)
  await refreshOrder(world.deps, world.secretCall(orderId), { orderId })
  const failureOf = async () => {
    nowMs += world.deps.config.reportedTtlMs
    await giveUpHints(world.deps, chain.port.chain, limit)
    return (await world.get(orderId)).payment.failureReason?.code
  }
  expect(await failureOf()).toBeUndefined()
  await refreshOrder(world.deps, world.secretCall(orderId), { orderId })
  await report(orderId, '0xunknown')
  expect(await failureOf()).toBe('tx-id-not-found')
})
