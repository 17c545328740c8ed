import { payOutKeyOf } from 'kassa/engine'
import { getAddress } from 'viem'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createJobs } from '#adapters/jobs/createJobs.js'
import type { Config } from '#base/config/config.js'
import { payments, refunds } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { voidOrder } from '#sale/orders/captureOrder.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { listHeldRefunds } from '#sale/orders/listHeldRefunds.js'
import { explainLostPayment, sendRefund } from '#sale/orders/refund.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { resendRefund } from '#sale/orders/resendRefund.js'
import { readOrder } from '#sale/orders/store.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { testConfig } from '../../helpers/testConfig.js'

const price = 10n ** 16n
const feeWei = 10n ** 14n
const hourMs = 60 * 60_000
const other = getAddress('0x00000000000000000000000000000000000000cc')
const strangers = Array.from({ length: 10 }, (_, at) => `0x00000000000000000000000000000000000001${at}0`)
let nowMs: number
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain
/** The orders of the present project. */
const created: string[] = []

const open = async (config: Partial<Config> = {}) => {
  created.length = 0
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs, config })
  await world.createCollection({ id: 'tea' })
}

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs })
  chain.state.refundFeeWei = feeWei
  await open()
})

type Paid = { payer: string; isSigned: boolean; cosigner?: string }

const create = async (id = 'tea') => {
  const { orderId } = (await world.create({ lineItems: { collectionLocator: `kassa:${id}` } })).order
  created.push(orderId)
  return orderId
}
/** Looks for payments and ends every quote, so that what is less than a price goes back. */
const lookAndEnd = async () => {
  await world.look()
  for (const orderId of created) await world.endQuote(orderId)
}
const settle = async () => {
  await lookAndEnd()
  await world.drain()
}
const rows = () => database.db.select().from(refunds).orderBy(refunds.createdAt, refunds.id)
/** Asserts that every base unit is accounted for, whatever waits. */
const expectBalance = async () => expect((await getLedger(world.deps)).differing).toEqual([])

test.each([
  ['the order’s payer, if it signed for a program that paid', { payer: other, isSigned: true }, 'payer'],
  ['the account that paid, if it signed too', { payer: other, isSigned: true, cosigner: other }, 'other'],
  ['the account that paid, if the order’s payer did not sign', { payer: other, isSigned: false }, 'other'],
  ['the order’s payer, if it paid without signing', { payer: payerAddress, isSigned: false }, 'payer'],
])('a refund goes to %s', async (_, { payer, isSigned, cosigner }: Paid, recipient) => {
  const orderId = await create()
  const signers = [...(isSigned ? [payerAddress] : []), cosigner ?? strangers[0] ?? '']
  Object.assign(chain.pay({ orderId, currency: 'usdc', units: 5_000_000n, payer }), { signers })
  await settle()
  expect(await rows()).toMatchObject([{ recipient: recipient === 'payer' ? payerAddress : other }])
})

describe('a refund that is worth less than its fee', () => {
  test('default: thirty payments of one wei cost the operator nothing, and are listed', async () => {
    const orderId = await create()
    for (let count = 0; count < 30; count++) chain.pay({ orderId, currency: 'eth', units: 1n })
    await settle()
    expect(chain.sentOf('refund')).toEqual([])
    const held = await listHeldRefunds(database.db)
    expect(held).toHaveLength(30)
    expect(held[0]).toMatchObject({
      orderId,
      status: 'held',
      units: '1',
      payer: payerAddress,
      currency: 'eth',
      why: '0.000000000000000001 eth is worth less than its fee of 0.0001 eth',
    })
    const { payment } = await world.get(orderId)
    expect(payment).toMatchObject({
      received: { amount: '0.00000000000000003', currency: 'eth' },
      refundHeld: { amount: '0.00000000000000003', currency: 'eth', chain: 'base-sepolia' },
    })
    expect(payment.refunded).toBeUndefined()
    await expectBalance()
    expect(await getLedger(world.deps)).toMatchObject({ totals: [{ received: 30n, owed: 30n, held: 30n }] })
  })

  test("behavior: those of one order are held with one write of the order's document", async () => {
    const orderId = await create()
    const readRevision = async () => (await readOrder(database.db, orderId))?.revision ?? 0
    for (let count = 0; count < 30; count++) chain.pay({ orderId, currency: 'eth', units: BigInt(count + 1) })
    chain.pay({ orderId, currency: 'usdc', units: 1n })
    await lookAndEnd()
    const before = await readRevision()
    await world.drain()
    expect(await rows()).toMatchObject(Array(31).fill({ status: 'held' }))
    // One for each currency, since each has a fee of its own.
    expect((await readRevision()) - before).toBe(2)
    expect(await readOrder(database.db, orderId)).toMatchObject({
      order: { refunds: Array(31).fill({ status: 'held' }) },
    })
    // Each is checked again once.
    const refundIds = world.queue
      .filter(({ name }) => name === 'orders.refund')
      .map(({ data }) => data.refundId)
    expect(refundIds.sort()).toEqual((await rows()).map(({ id }) => id).sort())
    await expectBalance()
  })

  test('behavior: one that another held while its own fee was read is still decided', async () => {
    const orderId = await create()
    for (let count = 0; count < 2; count++) chain.pay({ orderId, currency: 'eth', units: 1n })
    await lookAndEnd()
    const handle = sendRefund(world.deps)
    const estimate = vi.spyOn(chain.port, 'estimateRefundFee').mockImplementationOnce(async () => {
      await handle({ orderId, refundId: `refund:${orderId}:0` })
      return 0n
    })
    await handle({ orderId, refundId: `refund:${orderId}:1` })
    estimate.mockRestore()
    expect(await rows()).toMatchObject([{ status: 'held' }, { status: 'sent' }])
    await expectBalance()
  })

  test('behavior: is sent automatically once fees have fallen', async () => {
    const orderId = await create()
    chain.pay({ orderId, currency: 'eth', units: feeWei - 1n })
    await settle()
    expect(chain.sentOf('refund')).toEqual([])
    nowMs += hourMs
    await settle()
    expect(chain.sentOf('refund')).toEqual([])
    chain.state.refundFeeWei = feeWei - 1n
    nowMs += 2 * hourMs
    await settle()
    expect(chain.sentOf('refund')).toMatchObject([{ input: { orderId, units: feeWei - 1n } }])
    const { payment } = await world.get(orderId)
    expect(payment).toMatchObject({ refunded: { currency: 'eth' } })
    expect(payment.refundHeld).toBeUndefined()
    expect(world.queue).toEqual([])
    await expectBalance()
  })

  test('behavior: is sent when the operator asks, once', async () => {
    const orderId = await create()
    chain.pay({ orderId, currency: 'eth', units: 5n })
    await settle()
    const refundId = `refund:${orderId}:0`
    await expect(resendRefund(world.deps, { refundId, to: other })).rejects.toThrow(
      'its payer can receive it',
    )
    await resendRefund(world.deps, { refundId })
    await expect(resendRefund(world.deps, { refundId })).rejects.toThrow('is pending')
    await settle()
    nowMs += 48 * hourMs
    await settle()
    expect(chain.sentOf('refund')).toMatchObject([{ input: { units: 5n, recipient: payerAddress } }])
    await expect(resendRefund(world.deps, { refundId })).rejects.toThrow('is sent')
    await expectBalance()
  })

  test.each([
    ['a rate converts the fee', { eth: '3000', usdc: '1' }, 299_999n, 300_000n],
    ['the minimum of the currency holds without a rate', { eth: '3000' }, 1_499_999n, 1_500_000n],
  ])('parameters: tokens: %s', async (_, rates, less, enough) => {
    const minimums = { usdc: '1.5', usdxm: '1' }
    await open({ refunds: { ...testConfig.refunds, minimums } })
    const orderId = await create()
    world.deps.rates = { read: async () => ({ usd: rates, isAway: () => false }) }
    for (const units of [less, enough]) chain.pay({ orderId, currency: 'usdc', units })
    await settle()
    expect(chain.sentOf('refund')).toMatchObject([{ input: { currency: 'usdc', units: enough } }])
    expect(await rows()).toMatchObject([{ status: 'held' }, { status: 'sent' }])
  })
})

describe('caps', () => {
  const capped = (perPayerPerHour: number, perProjectPerHour: number) =>
    open({ refunds: { ...testConfig.refunds, perPayerPerHour, perProjectPerHour } })

  test('default: one payer gets a limited number of refunds an hour, and the rest later', async () => {
    await capped(3, 100)
    const orderId = await create()
    for (let count = 0; count < 5; count++) chain.pay({ orderId, currency: 'eth', units: feeWei })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(3)
    expect(await listHeldRefunds(database.db)).toMatchObject(
      Array.from({ length: 2 }, () => ({ why: 'over the cap of 3 refunds an hour to one payer' })),
    )
    chain.pay({ orderId, currency: 'eth', units: feeWei, payer: other })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(4)
    nowMs += hourMs
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(6)
    await expectBalance()
  })

  test("behavior: strangers can use up a project's cap, and not what buyers need", async () => {
    await capped(2, 4)
    const orderId = await create()
    for (const payer of strangers) chain.pay({ orderId, currency: 'eth', units: feeWei, payer })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(4)
    expect((await listHeldRefunds(database.db))[0]?.why).toBe("over the project's cap of 4 refunds an hour")
    // Overpaid first: the excess waits. The second full payment is refunded whole.
    chain.pay({ orderId, currency: 'eth', units: price + feeWei })
    chain.pay({ orderId, currency: 'eth', units: price })
    await settle()
    expect(chain.sentOf('refund').slice(4)).toMatchObject([{ input: { units: price } }])
    // Another project has a separate cap.
    await capped(2, 4)
    const fresh = await create()
    chain.pay({ orderId: fresh, currency: 'eth', units: feeWei })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(6)
    await expectBalance()
  })

  test.each([
    ['half the price', price / 2n],
    ['a thousandth of it', price / 1000n],
  ])('behavior: what many buyers pay too much, by %s, goes back under the same caps', async (_, excess) => {
    await capped(2, 4)
    chain.state.refundFeeWei = 1n
    for (const payer of strangers)
      chain.pay({ orderId: await create(), currency: 'eth', units: price + excess, payer })
    await world.look()
    await world.drain()
    expect(chain.sentOf('refund')).toHaveLength(4)
    expect((await listHeldRefunds(database.db)).map(({ reason }) => reason)).toEqual(Array(6).fill('cap'))
    chain.pay({ orderId: await create(), currency: 'eth', units: price + excess, payer: strangers[0] ?? '' })
    nowMs += hourMs
    await world.look()
    await world.drain()
    nowMs += hourMs
    await world.drain()
    expect(chain.sentOf('refund')).toHaveLength(11)
    expect(chain.sentOf('refund')).toMatchObject(Array(11).fill({ input: { units: excess } }))
    await expectBalance()
  })

  test('behavior: small refunds have a cap of their own, and hold up no buyer', async () => {
    await capped(2, 4)
    chain.state.refundFeeWei = 1n
    const orderId = await create()
    for (const payer of strangers) chain.pay({ orderId, currency: 'eth', units: feeWei - 1n, payer })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(4)
    const own = await create()
    chain.pay({ orderId: own, currency: 'eth', units: price - 1n, payer: other })
    await settle()
    expect(chain.sentOf('refund').slice(4)).toMatchObject([{ input: { units: price - 1n } }])
    await expectBalance()
  })

  test('behavior: payments of the whole price pass the cap of the project once for each order', async () => {
    await capped(5, 4)
    const orderId = await create()
    chain.pay({ orderId, currency: 'eth', units: price })
    await settle()
    for (const payer of strangers) chain.pay({ orderId, currency: 'eth', units: price, payer })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(5)
    const fresh = await create()
    for (const payer of [payerAddress, other])
      chain.pay({ orderId: fresh, currency: 'eth', units: price, payer })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(6)
    await expectBalance()
  })

  test('behavior: late payments of the whole price of many orders have a cap of their own', async () => {
    await capped(5, 4)
    const orderIds = []
    for (const _ of strangers) orderIds.push(await create())
    nowMs += hourMs
    for (const [at, payer] of strangers.entries())
      chain.pay({ orderId: orderIds[at] ?? '', currency: 'eth', units: price, payer })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(4)
    nowMs += hourMs
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(8)
    await expectBalance()
  })

  test('behavior: late payments of cheap goods leave room for dear ones, and the other way round', async () => {
    await capped(5, 12)
    await world.createCollection({ id: 'house', price: '10' })
    const [stickerIds, houseIds]: string[][] = [[], []]
    for (const _ of [...strangers, ...strangers]) stickerIds?.push(await create())
    for (const _ of [...strangers, ...strangers]) houseIds?.push(await create('house'))
    nowMs += hourMs
    const payLate = (orderIds: readonly string[] = [], units = price) => {
      for (const [at, orderId] of orderIds.entries())
        chain.pay({ orderId, currency: 'eth', units, payer: strangers[at % 10] ?? '' })
    }
    const sentOf = (units: bigint) =>
      chain.sentOf('refund').filter(({ input }) => (input as { units: bigint }).units === units).length
    const house = 10n * 10n ** 18n
    // Two thirds of the cap at most.
    payLate(stickerIds)
    await settle()
    expect(sentOf(price)).toBe(8)
    payLate(houseIds?.slice(0, 1), house)
    await settle()
    expect(sentOf(house)).toBe(1)
    nowMs += hourMs
    payLate(houseIds?.slice(1), house)
    await settle()
    expect([sentOf(price), sentOf(house)]).toEqual([16, 1 + 2])
    nowMs += hourMs
    await settle()
    expect([sentOf(price), sentOf(house)]).toEqual([20, 3 + 6])
    nowMs += hourMs
    await settle()
    expect([sentOf(price), sentOf(house)]).toEqual([20, 9 + 8])
    await expectBalance()
  })

  test('behavior: of late payments of the whole price, the dearest goes first', async () => {
    await capped(5, 1)
    await world.createCollection({ id: 'print', price: '0.02' })
    const orderIds = []
    for (const _ of strangers) orderIds.push(await create())
    const honest = await create('print')
    nowMs += hourMs
    for (const [at, payer] of strangers.entries())
      chain.pay({ orderId: orderIds[at] ?? '', currency: 'eth', units: price, payer })
    await settle()
    chain.pay({ orderId: honest, currency: 'eth', units: 2n * price, payer: other })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(1)
    nowMs += hourMs
    await settle()
    expect(chain.sentOf('refund').slice(1)).toMatchObject([{ input: { units: 2n * price } }])
    await expectBalance()
  })

  test('behavior: the largest part of a price goes first, whatever came before it', async () => {
    await capped(5, 1)
    const orderId = await create()
    const share = price / 100n
    for (const payer of strangers) chain.pay({ orderId, currency: 'eth', units: share, payer })
    const honest = await create()
    await settle()
    expect(chain.sentOf('refund')).toMatchObject([{ input: { units: share } }])
    chain.pay({ orderId: honest, currency: 'eth', units: price / 2n, payer: other })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(1)
    nowMs += hourMs
    await settle()
    expect(chain.sentOf('refund').slice(1)).toMatchObject([{ input: { units: price / 2n } }])
    nowMs += hourMs
    await settle()
    expect(chain.sentOf('refund').slice(2)).toMatchObject([{ input: { units: share } }])
    await expectBalance()
  })

  test('behavior: a hundredth of a price whose worth is unknown waits for the operator', async () => {
    await open({ refunds: { ...testConfig.refunds, minimums: {} } })
    world.deps.rates = { read: async () => ({ usd: {}, isAway: () => false }) }
    const orderId = await create()
    for (const payer of strangers) chain.pay({ orderId, currency: 'usdc', units: 1n, payer })
    await settle()
    expect(chain.sentOf('refund')).toEqual([])
    expect((await listHeldRefunds(database.db))[0]?.why).toContain(
      'neither an exchange rate nor a minimum for usdc',
    )
    await resendRefund(world.deps, { refundId: `refund:${orderId}:0` })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(1)
    await expectBalance()
  })

  test('behavior: refunds sent by the operator do not count', async () => {
    await capped(1, 100)
    const orderId = await create()
    for (let count = 0; count < 2; count++) chain.pay({ orderId, currency: 'eth', units: feeWei })
    await settle()
    await resendRefund(world.deps, { refundId: `refund:${orderId}:1` })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(2)
    nowMs += hourMs
    chain.pay({ orderId, currency: 'eth', units: feeWei })
    await settle()
    expect(chain.sentOf('refund')).toHaveLength(3)
  })
})

test('behavior: an honest refund does not wait behind two hundred payments of dust', async () => {
  const fresh = await createTestDatabase()
  const jobs = createJobs(fresh, world.deps.log)
  const orderId = await create()
  const enqueue: typeof jobs.enqueue = jobs.enqueue
  world.deps.jobs.enqueue = (_tx, name, data, options) =>
    fresh.db.transaction((tx) => enqueue(tx, name, data, options))
  for (let count = 0; count < 200; count++) chain.pay({ orderId, currency: 'eth', units: 1n })
  chain.pay({ orderId, currency: 'eth', units: price / 2n })
  await lookAndEnd()
  expect(await rows()).toHaveLength(201)
  const begun: string[] = []
  await new Promise<void>((done) => {
    void jobs.start({
      'orders.refund': async ({ refundId }) => {
        if (begun.push(refundId) === 201) done()
      },
    })
  })
  await jobs.stop()
  await fresh.close()
  // Among the first jobs that are fetched together.
  expect(begun.indexOf(`refund:${orderId}:200`)).toBeLessThan(32)
})

test('behavior: however many refunds of an order are due, they wait for it with one connection', async () => {
  const orderId = await create()
  for (let count = 0; count < 20; count++) chain.pay({ orderId, currency: 'eth', units: 1n })
  await lookAndEnd()
  const { db } = database
  const begin = db.transaction.bind(db)
  let [open, most] = [0, 0]
  const transaction = vi.spyOn(db, 'transaction').mockImplementation(async (work) => {
    open += 1
    most = Math.max(most, open)
    try {
      return await begin(work)
    } finally {
      open -= 1
    }
  })
  const handle = sendRefund(world.deps)
  await Promise.all((await rows()).map(({ id: refundId }) => handle({ orderId, refundId })))
  transaction.mockRestore()
  expect(most).toBe(1)
  const planned = world.queue.filter(
    ({ name, startAfterMs }) => name === 'orders.refund' && startAfterMs > nowMs,
  )
  expect(new Set(planned.map(({ data }) => data.refundId)).size).toBe(20)
  expect(planned).toHaveLength(20)
  expect(await rows()).toMatchObject(Array(20).fill({ status: 'held' }))
})

describe('a payer that cannot receive coins', () => {
  const refundId = (orderId: string) => `refund:${orderId}:0`
  const payTooLittle = async () => {
    const orderId = await create()
    chain.state.refusing.add(payerAddress)
    chain.pay({ orderId, currency: 'eth', units: price / 2n })
    await settle()
    return orderId
  }

  test('default: the order shows that it may claim, and that it was refunded once it has claimed', async () => {
    const orderId = await payTooLittle()
    const { payment } = await world.get(orderId)
    expect(payment.refunded).toBeUndefined()
    expect(payment.refundClaimable).toEqual({
      amount: '0.005',
      currency: 'eth',
      chain: 'base-sepolia',
      contract: '0xrouter',
      txId: expect.any(String),
    })
    expect(await listHeldRefunds(database.db)).toMatchObject([{ id: refundId(orderId), status: 'credited' }])
    expect(await getLedger(world.deps)).toMatchObject({
      differing: [],
      refused: [{ id: refundId(orderId), isRetried: true }],
      totals: [{ received: price / 2n, claimable: price / 2n, refunded: 0n, held: 0n }],
    })
    chain.claim(refundId(orderId))
    nowMs += 6 * hourMs
    await settle()
    const after = (await world.get(orderId)).payment
    expect(after).toMatchObject({ refunded: { amount: '0.005' } })
    expect(after.refundClaimable).toBeUndefined()
    expect(await getLedger(world.deps)).toMatchObject({
      differing: [],
      refused: [],
      totals: [{ refunded: price / 2n, claimable: 0n }],
    })
    expect(world.queue).toEqual([])
  })

  test('behavior: the operator sends it to another address, once', async () => {
    const orderId = await payTooLittle()
    const id = refundId(orderId)
    await expect(resendRefund(world.deps, { refundId: id })).rejects.toThrow('waits for its payer')
    await expect(resendRefund(world.deps, { refundId: id, to: '0x12' })).rejects.toThrow('is not an address')
    await resendRefund(world.deps, { refundId: id, to: other })
    await resendRefund(world.deps, { refundId: id, to: other })
    const third = '0x00000000000000000000000000000000000000dd'
    await expect(resendRefund(world.deps, { refundId: id, to: third })).rejects.toThrow('on its way to')
    await settle()
    const payOutKey = expect.stringContaining(`${id}:`)
    expect(chain.sentOf('payOutCredit')).toMatchObject([{ input: { payOutKey, recipient: other } }])
    expect((await world.get(orderId)).payment).toMatchObject({ refunded: { amount: '0.005' } })
    await expect(resendRefund(world.deps, { refundId: id, to: other })).rejects.toThrow('is sent')
    await expectBalance()
  })

  test('behavior: an address that rejects the coins too leaves it claimable', async () => {
    const orderId = await payTooLittle()
    const id = refundId(orderId)
    chain.state.refusals.set('payOutCredit', 'FailedCall()')
    await resendRefund(world.deps, { refundId: id, to: other })
    await settle()
    expect(await rows()).toMatchObject([{ status: 'credited', sentTo: null, failure: 'FailedCall()' }])
    chain.state.refusals.clear()
    await resendRefund(world.deps, { refundId: id, to: other })
    await settle()
    expect(await rows()).toMatchObject([{ status: 'sent' }])
  })

  test('error: an address that the deployment may not pay', async () => {
    const orderId = await payTooLittle()
    await open({ sanctionedAddresses: new Set([other.toLowerCase()]) })
    const asked = resendRefund(world.deps, { refundId: refundId(orderId), to: other })
    await expect(asked).rejects.toThrow('sanctioned')
  })
})

test('behavior: tokens that their payer is blocked from receiving are held, and sent to another address', async () => {
  const orderId = await create()
  const payment = { method: 'base-sepolia' as const, currency: 'usdc', payerAddress }
  await editOrder(world.deps, world.serverCall, { orderId, body: { payment } })
  chain.state.refusals.set('refund', 'Blocked()')
  chain.pay({ orderId, currency: 'usdc', units: 9_000_000n })
  for (let minute = 0; minute < 30; minute++) {
    await settle()
    nowMs += 60_000
  }
  expect(await rows()).toMatchObject([{ status: 'failed', failure: 'Blocked()' }])
  const held = (await world.get(orderId)).payment
  expect(held).toMatchObject({ refundHeld: { amount: '9', currency: 'usdc' } })
  expect(held.refunded).toBeUndefined()
  chain.state.refusals.clear()
  await resendRefund(world.deps, { refundId: `refund:${orderId}:0`, to: other })
  await settle()
  expect(chain.sentOf('refund')).toMatchObject([{ input: { recipient: other, units: 9_000_000n } }])
  expect((await world.get(orderId)).payment).toMatchObject({ refunded: { amount: '9' } })
  await expectBalance()
})

describe('a payment that a reorganisation made smaller', () => {
  /** Sends a refund on a chain that asks, in the transaction in which it would sign, whether it is due. */
  const send = async (refundId: string) => {
    const port: ChainPort = {
      ...chain.port,
      refund: async (key, input, terms) => {
        await database.db.transaction(async (tx) => terms?.assertDue?.(tx))
        return chain.port.refund(key, input, terms)
      },
    }
    const orderId = refundId.split(':')[1] ?? ''
    await sendRefund({ ...world.deps, chains: { enabled: [port.chain], get: () => port } })({
      orderId,
      refundId,
    })
  }
  const setPaid = (units: bigint) => database.db.update(payments).set({ units: `${units}` })
  const sentUnits = () => chain.sentOf('refund').map(({ input }) => (input as { units: bigint }).units)

  test('default: a refund of more than arrived is not signed, and is once as much is there', async () => {
    const orderId = await create()
    chain.pay({ orderId, currency: 'eth', units: price / 2n })
    await lookAndEnd()
    await setPaid(price / 2n - 1n)
    await send(`refund:${orderId}:0`)
    expect(sentUnits()).toEqual([])
    const [row = { id: '' }] = await rows()
    expect(await explainLostPayment(database.db, payOutKeyOf(row))).toContain(`is of ${price / 2n - 1n} only`)
    expect(world.queue.some(({ name }) => name === 'orders.refund')).toBe(true)
    await setPaid(price / 2n)
    await send(`refund:${orderId}:0`)
    expect(sentUnits()).toEqual([price / 2n])
  })

  test('behavior: of several refunds of one payment, no more goes back than arrived', async () => {
    await world.createCollection({ id: 'cake', supplyLimit: 1 })
    const lineItems = ['tea', 'cake'].map((id) => ({ collectionLocator: `kassa:${id}` }))
    const { orderId } = (await world.create({ lineItems })).order
    chain.pay({ orderId, currency: 'eth', units: 3n * price })
    await world.look()
    // The excess is on its way back, and the merchant refunds the rest.
    const [excess] = await rows()
    expect(excess).toMatchObject({ units: `${price}`, reason: 'overpaid' })
    await send(excess?.id ?? '')
    await world.drain()
    await setPaid(3n * price - 1n)
    await createRefund(world.deps, world.serverCall, { orderId, body: {} })
    const [, requested] = await rows()
    await send(requested?.id ?? '')
    expect(sentUnits()).toEqual([price])
    await setPaid(3n * price)
    await send(requested?.id ?? '')
    expect(sentUnits()).toEqual([price, 2n * price])
  })
})

test('behavior: an attempt that ends late changes nothing about a later one', async () => {
  const orderId = await create()
  chain.state.refusals.set('refund', 'Blocked()')
  chain.pay({ orderId, currency: 'usdc', units: 9_000_000n })
  await world.look()
  const refundId = `refund:${orderId}:0`
  const { refund } = chain.port
  let finish = () => {}
  const isHeldUp = new Promise<void>((resolve) => {
    finish = resolve
  })
  const hold = vi.spyOn(chain.port, 'refund').mockImplementationOnce(async (...input) => {
    const end = await refund(...input)
    await isHeldUp
    return end
  })
  const late = sendRefund(world.deps)({ orderId, refundId })
  await vi.waitFor(() => expect(hold).toHaveBeenCalled())
  for (const attempt of [2, 3]) {
    await sendRefund(world.deps)({ orderId, refundId })
    expect(await rows()).toMatchObject([{ status: 'pending', attempt }])
  }
  const planned = world.queue.length
  finish()
  await late
  expect(await rows()).toMatchObject([{ status: 'pending', attempt: 3, failure: 'Blocked()' }])
  expect(world.queue).toHaveLength(planned)
  hold.mockRestore()
  chain.state.refusals.clear()
  await sendRefund(world.deps)({ orderId, refundId })
  expect(chain.sentOf('refund')).toHaveLength(1)
  await expectBalance()
})

test('behavior: a price paid in very many parts and voided costs as many refunds as the cap allows', async () => {
  chain.state.refundFeeWei = 1n
  await open({ refunds: { ...testConfig.refunds, perProjectPerHour: 3 } })
  const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, capture: 'manual' }
  const { orderId } = (await world.create({ lineItems: { collectionLocator: 'kassa:tea' }, payment })).order
  const [large, small] = [(price * 56n) / 100n, (price * 9n) / 1000n]
  for (const units of [large, ...Array<bigint>(49).fill(small)])
    chain.pay({ orderId, currency: 'eth', units })
  await world.look()
  await world.drain()
  expect(await world.get(orderId)).toMatchObject({ payment: { captureStatus: 'requires-capture' } })
  await voidOrder(world.deps, world.serverCall, { orderId })
  await world.drain()
  const sent = chain.sentOf('refund').map(({ input }) => (input as { units: bigint }).units)
  expect(sent.filter((units) => units === large)).toHaveLength(1)
  expect(sent.filter((units) => units < large)).toHaveLength(3)
  // What the last part was too much went back before, under the same cap.
  expect(await rows()).toHaveLength(51)
  expect((await rows()).filter(({ status }) => status === 'held')).toHaveLength(51 - 4)
  await expectBalance()
  for (let hours = 0; hours < 17; hours++) {
    nowMs += hourMs + 1
    await world.drain()
  }
  expect((await rows()).every(({ status }) => status === 'sent')).toBe(true)
  await expectBalance()
})
