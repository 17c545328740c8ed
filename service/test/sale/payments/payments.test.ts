import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { payments } from '#base/db/tables/index.js'
import { createOrderHandlers } from '#sale/orders/handlers.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { lookAtHints } from '#sale/payments/lookAtHints.js'
import { createMoneyWorld, price } from '../../helpers/createMoneyWorld.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>
type World = Awaited<ReturnType<MoneyWorld['open']>>
type Payer = Awaited<ReturnType<MoneyWorld['createPayer']>>
const chain = openBeforeAll(createMoneyWorld)
let world: World
/** A payment is final in its third block. */
let patient: World
let buyer: Payer
let stranger: Payer

beforeAll(async () => {
  world = await chain.open()
  patient = await chain.open({ confirmations: 3 })
  buyer = await chain.createPayer()
  stranger = await chain.createPayer()
  for (const payer of [buyer, stranger]) await payer.mintTokens('usdc', 10n * price.usdc)
})

const mine = (blocks: number) => chain.client.mine({ blocks })
const refundsOf = async (orderId: string) =>
  (await chain.payOuts(orderId)).filter(({ to }) => to !== chain.operator)

describe('payments that do not fit', () => {
  test.each([
    ['the other token, to a deposit address', 'usdc', 'usdxm', 7_000_001n, '7.000001'],
    ['coins, for an order in a token', 'usdc', 'eth', 3n, '0.000000000000000003'],
    ['a token, for an order in coins', 'eth', 'usdc', price.usdc, '30'],
  ])('behavior: %s is refunded, and the buyer may still pay', async (_, asked, sent, units, amount) => {
    const orderId = await world.create(buyer, asked)
    const txId = await buyer.send(orderId, sent, units)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'payment',
      payment: {
        status: 'awaiting-payment',
        preparation: { payerAddress: buyer.address },
        failureReason: { code: 'unknown' },
        received: { amount, currency: sent, txId },
        refunded: { amount, currency: sent },
      },
    })
    expect(await chain.payOuts(orderId)).toEqual([{ to: buyer.address, units }])
    await buyer.send(orderId, asked, price[asked as 'eth'])
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'completed',
      payment: { status: 'completed', received: { currency: asked } },
    })
    expect(await refundsOf(orderId)).toHaveLength(1)
  })

  test('behavior: a reported transfer that reverted for lack of funds is distinguished from others', async () => {
    const poor = await chain.createPayer()
    const orderId = await world.create(poor, 'usdc')
    const report = (txId: string) =>
      reportPayment(world.deps, world.serverCall, { orderId, body: { type: 'crypto-tx-id', txId } })
    const look = async () => {
      await lookAtHints(world.deps, chain.chain, 20)
      return (await world.get(orderId)).payment.failureReason?.code
    }
    const trace = (txId: string, currency = 'usdc') => chain.chain.traceReported({ txId, orderId, currency })
    const held = await poor.tokens('usdc')
    const other = await world.create(poor, 'usdc')
    const foreign = await poor.send(other, 'usdc', held + 1n)
    await report(foreign)
    expect(await look()).toBeUndefined()
    const failed = await poor.send(orderId, 'usdc', held + 1n)
    await report(failed)
    expect(await look()).toBe('insufficient-funds')
    expect([await trace(failed), await trace(foreign), await trace(failed, 'eth')]).toEqual([
      'insufficient-funds',
      'known',
      'known',
    ])
    expect([await trace(`0x${'12'.repeat(32)}`), await trace('no hash')]).toEqual(['unknown', 'unknown'])
    await poor.send(orderId, 'usdc', price.usdc)
    const settled = await world.settle(orderId)
    expect(settled.phase).toBe('completed')
    expect(settled.payment.failureReason).toBeUndefined()
  })

  test('behavior: the wrong token with the right payment, in one block', async () => {
    const orderId = await world.create(buyer, 'usdc')
    const [wrong, right] = [
      await stranger.signPayment(orderId, 'usdxm', price.usdc),
      await buyer.signPayment(orderId, 'usdc', price.usdc),
    ]
    await chain.mineTogether([wrong, right])
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'completed',
      payment: { received: { amount: '30', currency: 'usdc' } },
    })
    expect(await refundsOf(orderId)).toEqual([{ to: stranger.address, units: price.usdc }])
  })

  test('behavior: another account may pay, and its excess is refunded to it', async () => {
    const orderId = await world.create(buyer, 'usdc')
    const before = [await buyer.tokens('usdc'), await stranger.tokens('usdc')]
    await stranger.send(orderId, 'usdc', price.usdc + 1n)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'completed',
      payment: { received: { amount: '30.000001' }, refunded: { amount: '0.000001' } },
    })
    const [buyers = 0n, strangers = 0n] = before
    expect(await buyer.tokens('usdc')).toBe(buyers)
    expect(await stranger.tokens('usdc')).toBe(strangers - price.usdc)
  })

  test("behavior: another account's underpayment is refunded to that account", async () => {
    const orderId = await world.create(buyer, 'eth')
    await stranger.send(orderId, 'eth', price.eth - 1n)
    await world.settle(orderId)
    expect(await chain.payOuts(orderId)).toEqual([])
    await world.endQuote(orderId)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'quote',
      payment: { failureReason: { code: 'underpaid' }, refunded: { amount: '0.009999999999999999' } },
    })
    expect(await chain.payOuts(orderId)).toEqual([{ to: stranger.address, units: price.eth - 1n }])
  })

  test('behavior: two halves make a payment', async () => {
    const orderId = await world.create(buyer, 'usdc')
    const before = await buyer.tokens('usdc')
    await buyer.send(orderId, 'usdc', price.usdc / 2n)
    await buyer.send(orderId, 'usdc', price.usdc / 2n)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'completed',
      payment: { status: 'completed', received: { amount: '30' } },
    })
    expect(await buyer.tokens('usdc')).toBe(before - price.usdc)
    expect(await refundsOf(orderId)).toEqual([])
  })

  test('behavior: any payment for a completed order is refunded', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', price.usdc)
    const paid = await world.settle(orderId)
    expect(paid.phase).toBe('completed')
    await buyer.send(orderId, 'usdc', 5n)
    await stranger.send(orderId, 'usdxm', 6n)
    await stranger.send(orderId, 'eth', 7n)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'completed',
      lineItems: paid.lineItems,
      payment: {
        status: 'completed',
        received: { amount: '30.000005', currency: 'usdc' },
        refunded: { amount: '0.000005', currency: 'usdc' },
      },
    })
    expect(await refundsOf(orderId)).toEqual([
      { to: buyer.address, units: 5n },
      { to: stranger.address, units: 6n },
      { to: stranger.address, units: 7n },
    ])
  })

  test('behavior: any payment for an expired order is refunded', async () => {
    const hasty = await chain.open({ quoteTtlMs: 300 })
    const orderId = await hasty.create(buyer, 'usdc')
    await sleep(1300)
    await buyer.send(orderId, 'usdc', price.usdc)
    await buyer.send(orderId, 'usdxm', 6n)
    await buyer.send(orderId, 'eth', 7n)
    expect(await hasty.settle(orderId)).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: { status: 'requires-quote', failureReason: { code: 'expired' } },
    })
    expect(await chain.payOuts(orderId)).toEqual([
      { to: buyer.address, units: price.usdc },
      { to: buyer.address, units: 6n },
      { to: buyer.address, units: 7n },
    ])
  })
})

describe('a reorganisation', () => {
  const rowsOf = (orderId: string) =>
    chain.db.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(payments.status)

  test('behavior: mined again in another block, behind other logs: it pays once, from there', async () => {
    const orderId = await patient.create(buyer, 'usdc')
    const id = await chain.client.snapshot()
    const raw = await buyer.signPayment(orderId, 'usdc', price.usdc + 2n)
    const txId = await buyer.mine(raw)
    await mine(1)
    expect((await patient.settle(orderId)).payment).toMatchObject({ status: 'in-progress' })

    await chain.client.revert({ id })
    expect((await patient.ledger()).differing).toMatchObject([{ orderId, difference: price.usdc + 2n }])
    await mine(2)
    expect(await patient.settle(orderId)).toMatchObject({
      phase: 'payment',
      payment: { status: 'awaiting-payment', preparation: { chain: 'base-sepolia' } },
    })
    const other = await stranger.sign({
      ...chain.paymentCall(crypto.randomUUID(), 'usdxm', 1n),
      maxPriorityFeePerGas: 10n ** 10n,
      maxFeePerGas: 10n ** 11n,
    })
    await chain.mineTogether([other, raw])
    expect((await patient.settle(orderId)).payment.status).toBe('in-progress')
    expect((await patient.settle(orderId)).phase).toBe('payment')
    await mine(2)
    expect(await patient.settle(orderId)).toMatchObject({
      phase: 'completed',
      payment: { received: { amount: '30.000002', txId }, refunded: { amount: '0.000002' } },
    })
    const rows = await rowsOf(orderId)
    expect(rows).toMatchObject([{ txId, status: 'confirmed', logIndex: 1 }])
    expect(await refundsOf(orderId)).toEqual([{ to: buyer.address, units: 2n }])
  })

  test('behavior: replaced between two searches, it counts from its new block', async () => {
    const orderId = await patient.create(buyer, 'eth')
    const id = await chain.client.snapshot()
    const raw = await buyer.signPayment(orderId, 'eth', price.eth)
    await buyer.mine(raw)
    await mine(1)
    await patient.settle(orderId)
    await chain.client.revert({ id })
    await mine(2)
    await buyer.mine(raw)
    expect((await patient.settle(orderId)).payment.status).toBe('in-progress')
    await mine(1)
    expect((await patient.settle(orderId)).phase).toBe('payment')
    await mine(1)
    expect((await patient.settle(orderId)).phase).toBe('completed')
    expect(await rowsOf(orderId)).toHaveLength(1)
    expect(await refundsOf(orderId)).toEqual([])
  })

  test('behavior: permanently gone, it leaves no trace', async () => {
    const orderId = await patient.create(buyer, 'usdc')
    const untouched = await patient.get(orderId)
    const id = await chain.client.snapshot()
    await chain.mineTogether([
      await buyer.signPayment(orderId, 'usdc', price.usdc),
      await stranger.signPayment(orderId, 'eth', 6n),
    ])
    await stranger.send(orderId, 'usdxm', 5n)
    expect((await patient.settle(orderId)).payment.status).toBe('in-progress')
    await chain.client.revert({ id })
    await mine(5)
    expect(await patient.settle(orderId)).toEqual(untouched)
    expect(await chain.payOuts(orderId)).toEqual([])
    expect((await rowsOf(orderId)).map(({ status }) => status)).toEqual(Array(3).fill('reorganised'))
    await buyer.send(orderId, 'usdc', price.usdc)
    await mine(2)
    expect((await patient.settle(orderId)).phase).toBe('completed')
  })

  test('behavior: mined again after the quote expired, it is late', async () => {
    const hasty = await chain.open({ confirmations: 3, quoteTtlMs: 1500 })
    const orderId = await hasty.create(buyer, 'usdc')
    const before = await buyer.tokens('usdc')
    const id = await chain.client.snapshot()
    const raw = await buyer.signPayment(orderId, 'usdc', price.usdc)
    await buyer.mine(raw)
    expect((await hasty.settle(orderId)).payment.status).toBe('in-progress')
    await chain.client.revert({ id })
    await sleep(1600)
    await chain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.ceil(Date.now() / 1000) + 1) })
    await buyer.mine(raw)
    await mine(2)
    expect(await hasty.settle(orderId)).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: { failureReason: { code: 'expired' }, received: { amount: '30' }, refunded: { amount: '30' } },
    })
    expect(await buyer.tokens('usdc')).toBe(before)
    expect(await chain.payOuts(orderId)).toHaveLength(1)
  })

  test('behavior: a refund that the chain lost is owed again, and sent again with the next write', async () => {
    const orderId = await world.create(buyer, 'usdc')
    const before = await buyer.tokens('usdc')
    await buyer.send(orderId, 'usdc', 9n)
    await world.settle(orderId)
    await world.endQuote(orderId)
    const id = await chain.client.snapshot()
    await world.settle(orderId)
    expect(await buyer.tokens('usdc')).toBe(before)
    await chain.client.revert({ id })
    const lost = await world.ledger()
    expect(lost.differing).toEqual([])
    expect(lost.totals.find(({ currency }) => currency === 'usdc')).toMatchObject({ owed: 9n })
    const next = await world.create(stranger, 'usdc')
    await stranger.send(next, 'usdc', price.usdc + 4n)
    await world.settle(next)
    expect(await buyer.tokens('usdc')).toBe(before)
    expect(await chain.payOuts(orderId)).toEqual([{ to: buyer.address, units: 9n }])
  })
})

describe('a hint', () => {
  const hint = (orderId: string, txId: string) =>
    reportPayment(world.deps, world.secretCall(orderId), { orderId, body: { type: 'crypto-tx-id', txId } })

  test('behavior: before the payment is in a block', async () => {
    const orderId = await world.create(buyer, 'usdc')
    const raw = await buyer.signPayment(orderId, 'usdc', price.usdc)
    await chain.client.setAutomine(false)
    const txId = await chain.client.sendRawTransaction({ serializedTransaction: raw })
    await hint(orderId, txId)
    expect((await world.settle(orderId)).payment.status).toBe('awaiting-payment')
    await mine(1)
    await chain.client.setAutomine(true)
    expect(await world.settle(orderId)).toMatchObject({ phase: 'completed', payment: { received: { txId } } })
  })

  test('behavior: after it is, twice, and of an unknown transaction', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await hint(orderId, `0x${'ab'.repeat(32)}`)
    const txId = await buyer.send(orderId, 'usdc', price.usdc)
    await hint(orderId, txId)
    await world.settle(orderId)
    await hint(orderId, txId)
    expect(await world.settle(orderId)).toMatchObject({ phase: 'completed', payment: { received: { txId } } })
    expect(await refundsOf(orderId)).toEqual([])
  })

  test("behavior: of another order's payment, it changes nothing", async () => {
    const [mineId, theirs] = [await world.create(buyer, 'usdc'), await world.create(stranger, 'usdc')]
    const txId = await stranger.send(theirs, 'usdc', price.usdc)
    await hint(mineId, txId)
    const order = await world.settle(mineId)
    expect(order.payment).toMatchObject({ status: 'awaiting-payment' })
    expect(order.payment.received).toBeUndefined()
    expect((await world.get(theirs)).phase).toBe('completed')
  })
})

describe('a refund', () => {
  test('behavior: is sent once even if its job runs twice at once, and again', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', 11n)
    await world.look()
    await world.endQuote(orderId)
    const job = world.queue.find(({ name, data }) => name === 'orders.refund' && data.orderId === orderId)
    const data = { orderId, refundId: `${job?.data.refundId}` }
    const refund = createOrderHandlers(world.deps)['orders.refund']
    await Promise.all([refund(data), refund(data), refund(data)])
    await refund(data)
    await world.settle(orderId)
    expect(await chain.payOuts(orderId)).toEqual([{ to: buyer.address, units: 11n }])
  })

  test('behavior: is sent once even if the process dies right after sending it', async () => {
    let deaths = 1
    const dying = await chain.open({
      port: {
        refund: async (key, input) => {
          const result = await chain.chain.refund(key, input)
          if (deaths-- > 0) throw new Error('killed')
          return result
        },
      },
    })
    const orderId = await dying.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', price.usdc + 12n)
    await dying.look()
    for (let tries = 0; tries < 2; tries++) await dying.drain().catch(() => {})
    expect(deaths).toBeLessThan(0)
    expect(await dying.settle(orderId)).toMatchObject({
      phase: 'completed',
      payment: { refunded: { amount: '0.000012' } },
    })
    expect(await refundsOf(orderId)).toEqual([{ to: buyer.address, units: 12n }])
  })

  test('behavior: one in coins that the payee rejects waits for the payee, and the ledger balances', async () => {
    const proud = await chain.createPayer()
    const orderId = await world.create(proud, 'usdc')
    await proud.send(orderId, 'eth', 14n)
    // push0 push0 revert: from now on the payee rejects coins.
    await chain.client.setCode({ address: proud.address, bytecode: '0x5f5ffd' })
    const { payment } = await world.settle(orderId)
    expect(payment.refunded).toBeUndefined()
    expect(payment.refundClaimable).toMatchObject({ amount: '0.000000000000000014', currency: 'eth' })
    expect(await chain.payOuts(orderId)).toEqual([{ to: proud.address, units: 14n }])
  })

  test('behavior: one that cannot be received stays owed, and the ledger balances', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.mintTokens('usdc', 13n, chain.depositOf(orderId))
    await world.settle(orderId)
    await world.endQuote(orderId)
    expect(await world.settle(orderId)).toMatchObject({ payment: { failureReason: { code: 'underpaid' } } })
    expect((await world.get(orderId)).payment.refunded).toBeUndefined()
    expect((await world.ledger()).totals.find(({ currency }) => currency === 'usdc')?.owed).toBe(13n)
  })
})
