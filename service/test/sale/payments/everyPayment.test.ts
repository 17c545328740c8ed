import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { type Order, toBaseUnits } from 'kassa/schema'
import { concatHex, encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import { payments } from '#base/db/tables/index.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { redirectProceeds } from '#sale/orders/redirectProceeds.js'
import { sendRefund } from '#sale/orders/refund.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { lookAtHints } from '#sale/payments/lookAtHints.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { recordLost } from '#sale/payments/recordLost.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { createMoneyWorld, price } from '../../helpers/createMoneyWorld.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

/**
 * Every kind of payment, in coins and in a token, on a real chain. Each test checks the amounts that the
 * order shows as received and refunded, to the last base unit, the payouts in the contracts' own logs, and
 * that the ledger balances.
 */

type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>
type World = Awaited<ReturnType<MoneyWorld['open']>>
type Payer = Awaited<ReturnType<MoneyWorld['createPayer']>>
type Currency = 'eth' | 'usdc'

const chain = openBeforeAll(createMoneyWorld)
/** A payment is final in its first block. */
let world: World
/** A payment is final in its third block. */
let patient: World
/** A quote is valid for a moment. */
let hasty: World
let buyer: Payer
let stranger: Payer

beforeAll(async () => {
  world = await chain.open()
  patient = await chain.open({ confirmations: 3 })
  hasty = await chain.open({ quoteTtlMs: 300 })
  buyer = await chain.createPayer()
  stranger = await chain.createPayer()
  for (const payer of [buyer, stranger]) {
    for (const currency of ['usdc', 'usdxm']) await payer.mintTokens(currency, 100n * price.usdc)
  }
})

const mine = (blocks: number) => chain.client.mine({ blocks })

const hint = (orderId: string, txId: string) =>
  reportPayment(world.deps, world.secretCall(orderId), { orderId, body: { type: 'crypto-tx-id', txId } })

const unitsOf = (transfer: Order['payment']['received']): bigint =>
  transfer ? (toBaseUnits(transfer.amount, transfer.currency === 'eth' ? 18 : 6) ?? -1n) : 0n

type End = {
  phase: Order['phase']
  status: string
  failure?: string | undefined
  received: bigint
  /** All possible refunds, in the order in which they are sent. */
  refunds?: readonly { to: Payer; units: bigint }[]
  swept?: bigint
}

const expectEnd = async (from: World, orderId: string, end: End): Promise<void> => {
  const order = await from.settle(orderId)
  const { refunds = [], swept = 0n } = end
  const refunded = refunds.reduce((sum, { units }) => sum + units, 0n)
  const { status, failureReason, received } = order.payment
  expect({
    phase: order.phase,
    status,
    failure: failureReason?.code,
    received: unitsOf(received),
    refunded: unitsOf(order.payment.refunded),
  }).toEqual({
    phase: end.phase,
    status: end.status,
    failure: end.failure,
    received: end.received,
    refunded,
  })
  const payOuts = await chain.payOuts(orderId)
  expect(payOuts.filter(({ to }) => to !== chain.operator)).toEqual(
    refunds.map(({ to, units }) => ({ to: to.address, units })),
  )
  expect(payOuts.filter(({ to }) => to === chain.operator)).toEqual(
    swept ? [{ to: chain.operator, units: swept }] : [],
  )
  const { totals, ...rest } = await getLedger(from.deps, { orderId })
  expect(rest).toEqual({ differing: [], unattributedFunds: [], sentBack: [], refused: [], lost: [] })
  const sums = totals.map(({ chain: _, currency, decimals, ...amounts }) => amounts)
  const none = { open: 0n, claimable: 0n, owed: 0n, held: 0n, difference: 0n }
  expect(sums).toEqual(
    end.received ? [{ ...none, received: end.received, delivered: swept, refunded, swept }] : [],
  )
}

describe.each(['eth', 'usdc'] as const)('%s', (currency: Currency) => {
  const full = price[currency]
  const paid = { phase: 'completed', status: 'completed', received: full, swept: full } as const
  const waiting = { phase: 'payment', status: 'awaiting-payment' } as const
  const ended = { phase: 'quote', status: 'requires-quote' } as const
  const send = (payer: Payer, orderId: string, units: bigint) => payer.send(orderId, currency, units)

  test('default: exactly the quoted amount', async () => {
    const orderId = await world.create(buyer, currency)
    await send(buyer, orderId, full)
    await expectEnd(world, orderId, paid)
  })

  test.each([1n, full - 1n])('behavior: underpaid, %d, until the quote ends', async (units) => {
    const orderId = await world.create(buyer, currency)
    await send(buyer, orderId, units)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'payment',
      payment: { status: 'awaiting-payment', failureReason: { code: 'underpaid' } },
    })
    expect(await chain.payOuts(orderId)).toEqual([])
    await world.endQuote(orderId)
    const end = { ...ended, failure: 'underpaid', received: units, refunds: [{ to: buyer, units }] }
    await expectEnd(world, orderId, end)
  })

  test('behavior: two halves in one block', async () => {
    const orderId = await world.create(buyer, currency)
    await chain.mineTogether([
      await buyer.signPayment(orderId, currency, full / 2n),
      await stranger.signPayment(orderId, currency, full / 2n),
    ])
    await expectEnd(world, orderId, paid)
  })

  test('behavior: six tenths, four tenths, and one too much', async () => {
    const orderId = await world.create(buyer, currency)
    await send(buyer, orderId, (full * 6n) / 10n)
    expect((await world.settle(orderId)).payment.status).toBe('awaiting-payment')
    await send(stranger, orderId, (full * 4n) / 10n + 3n)
    await send(buyer, orderId, 1n)
    const refunds = [
      { to: stranger, units: 3n },
      { to: buyer, units: 1n },
    ]
    await expectEnd(world, orderId, { ...paid, received: full + 4n, refunds })
  })

  test('behavior: parts of several payers that are too little together', async () => {
    const orderId = await world.create(buyer, currency)
    await send(buyer, orderId, (full * 6n) / 10n)
    await send(stranger, orderId, (full * 3n) / 10n)
    await world.settle(orderId)
    await world.endQuote(orderId)
    await world.endQuote(orderId)
    const refunds = [
      { to: buyer, units: (full * 6n) / 10n },
      { to: stranger, units: (full * 3n) / 10n },
    ]
    await expectEnd(world, orderId, { ...ended, failure: 'underpaid', received: (full * 9n) / 10n, refunds })
  })

  test('behavior: underpaid, and then paid in full', async () => {
    const orderId = await world.create(buyer, currency)
    await send(buyer, orderId, full - 1n)
    await world.settle(orderId)
    await send(buyer, orderId, full)
    const refunds = [{ to: buyer, units: full - 1n }]
    await expectEnd(world, orderId, { ...paid, received: 2n * full - 1n, refunds })
  })

  test.each([1n, full])('behavior: overpaid by %d', async (excess) => {
    const orderId = await world.create(buyer, currency)
    await send(buyer, orderId, full + excess)
    const refunds = [{ to: buyer, units: excess }]
    await expectEnd(world, orderId, { ...paid, received: full + excess, refunds })
  })

  test('behavior: late', async () => {
    const orderId = await hasty.create(buyer, currency)
    await sleep(400)
    await chain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.ceil(Date.now() / 1000) + 1) })
    await send(buyer, orderId, full)
    await expectEnd(hasty, orderId, {
      phase: 'quote',
      status: 'requires-quote',
      failure: 'expired',
      received: full,
      refunds: [{ to: buyer, units: full }],
    })
  })

  test('behavior: by another account', async () => {
    const orderId = await world.create(buyer, currency)
    await send(stranger, orderId, full + 2n)
    const refunds = [{ to: stranger, units: 2n }]
    await expectEnd(world, orderId, { ...paid, received: full + 2n, refunds })
  })

  test('behavior: twice in one block', async () => {
    const orderId = await world.create(buyer, currency)
    const raws = [
      await buyer.signPayment(orderId, currency, full),
      await stranger.signPayment(orderId, currency, full),
    ]
    await chain.mineTogether(raws)
    const [kept] = (
      await chain.chain.findPayments({
        fromBlock: 0n,
        toBlock: (await chain.chain.getHead()).number,
        targets: [chain.chain.paymentTarget({ orderId, currency })],
      })
    ).map(({ payer }) => payer)
    const refunds = [{ to: kept === buyer.address ? stranger : buyer, units: full }]
    await expectEnd(world, orderId, { ...paid, received: 2n * full, refunds })
  })

  test('behavior: twice, and once more after the end', async () => {
    const orderId = await world.create(buyer, currency)
    await send(buyer, orderId, full)
    await send(buyer, orderId, full)
    const first = [{ to: buyer, units: full }]
    await expectEnd(world, orderId, { ...paid, received: 2n * full, refunds: first })
    await send(stranger, orderId, full)
    const refunds = [...first, { to: stranger, units: full }]
    await expectEnd(world, orderId, { ...paid, received: 3n * full, refunds })
  })

  test('behavior: two orders in one block', async () => {
    const orderIds = [await world.create(buyer, currency), await world.create(stranger, currency)]
    await chain.mineTogether([
      await buyer.signPayment(orderIds[0] ?? '', currency, full),
      await stranger.signPayment(orderIds[1] ?? '', currency, full + 1n),
    ])
    await expectEnd(world, orderIds[0] ?? '', paid)
    const refunds = [{ to: stranger, units: 1n }]
    await expectEnd(world, orderIds[1] ?? '', { ...paid, received: full + 1n, refunds })
  })

  describe('reorganised away', () => {
    /** Pays, sees the payment, and removes it from its block. Returns the payment as it was signed. */
    const paidAndLost = async (orderId: string, units: bigint): Promise<Hex> => {
      const id = await chain.client.snapshot()
      const raw = await buyer.signPayment(orderId, currency, units)
      await buyer.mine(raw)
      expect((await patient.settle(orderId)).payment.status).toBe('in-progress')
      await chain.client.revert({ id })
      await mine(2)
      return raw
    }

    test.each([
      ['seen to be gone before', true],
      ['never seen to be gone', false],
    ])('behavior: mined again in another block, %s', async (_, isLooking) => {
      const orderId = await patient.create(buyer, currency)
      const raw = await paidAndLost(orderId, full + 1n)
      if (isLooking) await expectEnd(patient, orderId, { ...waiting, received: 0n })
      await buyer.mine(raw)
      expect((await patient.settle(orderId)).payment.status).toBe('in-progress')
      await mine(2)
      const refunds = [{ to: buyer, units: 1n }]
      await expectEnd(patient, orderId, { ...paid, received: full + 1n, refunds })
    })

    test('behavior: never mined again', async () => {
      const orderId = await patient.create(buyer, currency)
      await paidAndLost(orderId, full)
      await mine(4)
      await expectEnd(patient, orderId, { ...waiting, received: 0n })
    })

    test('behavior: replaced by a smaller one', async () => {
      const orderId = await patient.create(buyer, currency)
      await paidAndLost(orderId, full)
      await send(buyer, orderId, 3n)
      await mine(2)
      await patient.settle(orderId)
      await patient.endQuote(orderId)
      const refunds = [{ to: buyer, units: 3n }]
      await expectEnd(patient, orderId, { ...ended, failure: 'underpaid', received: 3n, refunds })
    })

    test('behavior: its refund is reorganised too, and is sent again on its own', async () => {
      const orderId = await world.create(buyer, currency)
      await send(buyer, orderId, 5n)
      await world.settle(orderId)
      await world.endQuote(orderId)
      const id = await chain.client.snapshot()
      const end = { ...ended, failure: 'underpaid', received: 5n, refunds: [{ to: buyer, units: 5n }] }
      await expectEnd(world, orderId, end)
      await chain.client.revert({ id })
      await mine(1)
      expect(await chain.payOuts(orderId)).toEqual([])
      await chain.chain.recover()
      await chain.chain.recover()
      await expectEnd(world, orderId, end)
    })
  })

  describe('reported', () => {
    test('behavior: before it is in a block', async () => {
      const orderId = await world.create(buyer, currency)
      const raw = await buyer.signPayment(orderId, currency, full)
      await chain.client.setAutomine(false)
      await hint(orderId, await chain.client.sendRawTransaction({ serializedTransaction: raw }))
      await expectEnd(world, orderId, { ...waiting, received: 0n })
      await mine(1)
      await chain.client.setAutomine(true)
      await expectEnd(world, orderId, paid)
    })

    test('behavior: after it was seen, and again', async () => {
      const orderId = await world.create(buyer, currency)
      const txId = await send(buyer, orderId, full)
      await world.look()
      await hint(orderId, txId)
      await expectEnd(world, orderId, paid)
      await hint(orderId, txId)
      await expectEnd(world, orderId, paid)
    })
  })

  describe('a new price after everything went back', () => {
    const refresh = (from: World, orderId: string, { deps } = from) =>
      refreshOrder(deps, from.secretCall(orderId), { orderId })
    const conflict = { code: 'conflict', message: expect.stringContaining('may be under way') }

    test('default: a part goes back, and the payment of the new price is delivered', async () => {
      const orderId = await world.create(buyer, currency)
      await send(buyer, orderId, full / 2n)
      await world.settle(orderId)
      await expect(refresh(world, orderId)).rejects.toMatchObject(conflict)
      await world.endQuote(orderId)
      const returned = await world.get(orderId)
      expect(returned.payment).toMatchObject({ failureReason: { code: 'underpaid' } })
      const { payment } = await refresh(world, orderId)
      expect(payment).toMatchObject({
        status: 'awaiting-payment',
        preparation: { serializedTransaction: expect.any(String) },
        received: returned.payment.received,
        transactions: [{ use: 'returned' }],
      })
      expect(payment).not.toHaveProperty('failureReason')
      expect(payment).not.toHaveProperty('remaining')
      // The refund of the part goes on meanwhile.
      await expectEnd(world, orderId, {
        ...waiting,
        received: full / 2n,
        refunds: [{ to: buyer, units: full / 2n }],
      })
      await buyer.pay(payment.preparation?.serializedTransaction ?? '', {})
      const refunds = [{ to: buyer, units: full / 2n }]
      await expectEnd(world, orderId, { ...paid, received: full / 2n + full, refunds })
    })

    test('behavior: a late payment goes back, and the payment of the new price is delivered', async () => {
      const orderId = await hasty.create(buyer, currency)
      await sleep(400)
      await chain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.ceil(Date.now() / 1000) + 1) })
      await send(buyer, orderId, full)
      await hasty.settle(orderId)
      // A quote of the other service on this database lasts.
      expect((await refresh(hasty, orderId, world)).payment.status).toBe('awaiting-payment')
      await send(buyer, orderId, full)
      await expectEnd(hasty, orderId, { ...paid, received: 2n * full, refunds: [{ to: buyer, units: full }] })
    })

    test('behavior: while a payment in a block may pay, there is no new price', async () => {
      const orderId = await patient.create(buyer, currency)
      await send(buyer, orderId, full / 2n)
      await patient.look()
      await expect(refresh(patient, orderId)).rejects.toMatchObject(conflict)
      await mine(2)
      await patient.settle(orderId)
      await expect(refresh(patient, orderId)).rejects.toMatchObject(conflict)
      await patient.endQuote(orderId)
      expect((await refresh(patient, orderId)).phase).toBe('payment')
    })

    test('behavior: a payment that went back and was lost pays neither again nor for its refund', async () => {
      const orderId = await world.create(buyer, currency)
      const id = await chain.client.snapshot()
      const raw = await buyer.signPayment(orderId, currency, full / 2n)
      await buyer.mine(raw)
      await world.look()
      await world.endQuote(orderId)
      await refresh(world, orderId)
      await chain.client.revert({ id })
      await mine(1)
      const rows = await chain.db.select().from(payments).where(eq(payments.orderId, orderId))
      await recordLost(world.deps, rows)
      // Its refund waits, and takes nothing of the payment of the new price. The proceeds wait for it.
      await send(stranger, orderId, full)
      expect((await world.settle(orderId)).phase).toBe('completed')
      expect(await chain.payOuts(orderId)).toEqual([])
      await buyer.mine(raw)
      await lookAtHints(world.deps, chain.chain, 20)
      await world.settle(orderId)
      const refundId = `refund:${orderId}:0`
      // The chain has another amount now than the one that goes back.
      const isFirst = eq(payments.id, rows[0]?.id ?? '')
      await chain.db.update(payments).set({ units: '1' }).where(isFirst)
      await sendRefund(world.deps)({ orderId, refundId })
      expect(await chain.payOuts(orderId)).toEqual([])
      await chain.db
        .update(payments)
        .set({ units: `${full / 2n}` })
        .where(isFirst)
      await sendRefund(world.deps)({ orderId, refundId })
      const refunds = [{ to: buyer, units: full / 2n }]
      await expectEnd(world, orderId, { ...paid, received: full / 2n + full, refunds })
    })
  })

  test("behavior: at the order's price before an edit", async () => {
    const orderId = await world.create(buyer, 'usdxm')
    const payment = { method: 'base-sepolia', currency, payerAddress: buyer.address } as const
    await editOrder(world.deps, world.secretCall(orderId), { orderId, body: { payment } })
    await buyer.send(orderId, 'usdxm', price.usdc)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'payment',
      payment: { status: 'awaiting-payment', received: { amount: '30', currency: 'usdxm' } },
    })
    expect(await chain.payOuts(orderId)).toEqual([{ to: buyer.address, units: price.usdc }])
    await send(buyer, orderId, full)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'completed',
      payment: { received: { currency }, status: 'completed' },
    })
    expect(await chain.payOuts(orderId)).toContainEqual({ to: chain.operator, units: full })
  })
})

describe('after the watch ended', () => {
  const dayMs = 24 * 60 * 60_000

  test('behavior: a second payment a month later is found and refunded once it is reported', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', price.usdc)
    await world.settle(orderId)
    const later = await chain.open({ now: () => Date.now() + 31 * dayMs })
    const txId = await buyer.send(orderId, 'usdc', 8n)
    const look = () => lookForPayments(later.deps, chain.chain, defaultWatchOptions)
    expect(await look()).toBe(false)
    expect((await getLedger(later.deps, { orderId })).differing).toMatchObject([{ held: 8n, difference: 8n }])
    await reportPayment(later.deps, world.secretCall(orderId), {
      orderId,
      body: { type: 'crypto-tx-id', txId },
    })
    expect(await look()).toBe(true)
    await lookAtHints(later.deps, chain.chain, 100)
    await look()
    await later.drain()
    const refunds = [{ to: buyer, units: 8n }]
    const end = { phase: 'completed', status: 'completed', swept: price.usdc } as const
    await expectEnd(world, orderId, { ...end, received: price.usdc + 8n, refunds })
  })
})

describe('proceeds', () => {
  test('behavior: what a recipientAddress contract refuses is claimable until the operator sends it elsewhere', async () => {
    const { address: refusing } = await chain.createPayer()
    await chain.client.setCode({ address: refusing, bytecode: '0x60006000fd' })
    const to = '0x00000000000000000000000000000000000000f8'
    await world.createCollection({ id: 'refusing', recipientAddress: refusing })
    const { order } = await world.createAny({
      lineItems: { collectionLocator: 'kassa:refusing' },
      payment: { method: 'base-sepolia', currency: 'eth', payerAddress: buyer.address },
    })
    const { orderId } = order
    await buyer.send(orderId, 'eth', price.eth)
    expect((await world.settle(orderId)).phase).toBe('completed')
    const key = `sweep:${orderId}:${refusing}`
    const books = () => getLedger(world.deps, { orderId })
    expect(await books()).toMatchObject({
      differing: [],
      refused: [{ id: key, units: price.eth }],
      totals: [{ delivered: price.eth, claimable: price.eth, swept: 0n, held: 0n }],
    })
    await redirectProceeds(world.deps, { key, to })
    await world.settle(orderId)
    expect(await chain.client.getBalance({ address: to })).toBe(price.eth)
    expect(await books()).toMatchObject({
      differing: [],
      refused: [],
      totals: [{ delivered: price.eth, claimable: 0n, swept: price.eth, held: 0n }],
    })
  })
})

describe('unrequested funds', () => {
  const strayOf = async (orderId: string) => (await getLedger(world.deps, { orderId })).unattributedFunds

  test('behavior: a token that the deployment does not accept is listed, and affects nothing else', async () => {
    const orderId = await world.create(buyer, 'usdc')
    const nonce = await chain.client.getTransactionCount({ address: buyer.address })
    await buyer.mine(await buyer.sign({ data: encodeDeployData({ ...TestToken, args: ['Foreign', 'FOR'] }) }))
    const token = getContractAddress({ from: buyer.address, nonce: BigInt(nonce) })
    for (const units of [6n, 7n]) {
      const args = [chain.depositOf(orderId), units] as const
      const data = encodeFunctionData({ ...TestToken, functionName: 'mint', args })
      await buyer.mine(await buyer.sign({ to: token, data }))
    }
    await buyer.send(orderId, 'usdc', price.usdc)
    expect((await world.settle(orderId)).phase).toBe('completed')
    const stray = { orderId, chain: 'base-sepolia', currency: token, decimals: 0, units: 13n }
    expect(await getLedger(world.deps, { orderId })).toMatchObject({
      differing: [],
      unattributedFunds: [stray],
    })
    // A contract that claims to be a token may fail at any time. Its amounts are then unknown, and everything
    // else stays.
    await chain.client.setCode({ address: token, bytecode: '0xfe' })
    expect(await getLedger(world.deps, { orderId })).toMatchObject({
      differing: [],
      unattributedFunds: [],
      totals: [{ received: price.usdc, swept: price.usdc, difference: 0n }],
    })
  })

  test('behavior: coins at a deposit address are listed', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.mine(await buyer.sign({ to: chain.depositOf(orderId), value: 4n }))
    await world.settle(orderId)
    const place = { orderId, chain: 'base-sepolia', currency: 'eth', decimals: 18 }
    expect(await strayOf(orderId)).toEqual([{ ...place, units: 4n }])
  })

  test('behavior: coins for an unknown order, or forced into the router, are listed', async () => {
    const nobodys = async () => {
      const { unattributedFunds } = await world.ledger()
      return unattributedFunds.filter(({ orderId }) => orderId === undefined).map(({ units }) => units)
    }
    expect(await nobodys()).toEqual([])
    await buyer.send(crypto.randomUUID(), 'eth', 3n)
    expect(await nobodys()).toEqual([3n])
    // push20 router selfdestruct
    const data = concatHex(['0x73', chain.paymentCall('', 'eth', 0n).to, '0xff'])
    await buyer.mine(await buyer.sign({ data, value: 5n }))
    expect(await nobodys()).toEqual([8n])
    await buyer.send(await world.create(buyer, 'eth'), 'eth', 1n)
    await world.look()
    expect(await nobodys()).toEqual([8n])
    await world.drain()
  })
})
