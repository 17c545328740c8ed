import { eq, like } from 'drizzle-orm'
import { keccak256, parseTransaction } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { chainTransactions, collections, payments, saleCounts, sharedCalls } from '#base/db/tables/index.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { captureOrder, voidOrder } from '#sale/orders/captureOrder.js'
import { sendRefund } from '#sale/orders/refund.js'
import { lookAtHints } from '#sale/payments/lookAtHints.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { createMoneyWorld, price } from '../../helpers/createMoneyWorld.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startRelay } from '../../helpers/startRelay.js'

type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>
type World = Awaited<ReturnType<MoneyWorld['open']>>
const chain = openBeforeAll(createMoneyWorld)
/** A payment is final in its third block, on a chain that is not the service's own. */
let world: World
let buyer: Awaited<ReturnType<MoneyWorld['createPayer']>>

beforeAll(async () => {
  buyer = await chain.createPayer()
  await buyer.mintTokens('usdc', 10n * price.usdc)
  world = await chain.open({ confirmations: 3, port: { isLocal: false } })
  const ofProject = eq(collections.projectId, world.projectId)
  await chain.db
    .update(collections)
    .set({ sale: { maxPerBuyer: { payer: 1000 } } })
    .where(ofProject)
  // The contract is on the chain before any block is reverted.
  const orderId = await world.create(buyer, 'usdc')
  await buyer.send(orderId, 'usdc', price.usdc)
  await chain.client.mine({ blocks: 2 })
  await world.settle(orderId)
})

const statusOf = async (orderId: string) =>
  (await chain.db.select().from(payments).where(eq(payments.orderId, orderId))).map(({ status }) => status)
const mintsOf = async (orderId: string) =>
  (await chain.db.select().from(chainTransactions)).filter(({ key }) => key.includes(`:mint:${orderId}:`))
const allocatedOf = async () =>
  (await chain.db.select().from(collections).where(eq(collections.projectId, world.projectId))).map(
    ({ allocatedCount }) => allocatedCount,
  )

/** What counts against the limit of the buyer. */
const heldOf = async () => {
  const rows = await chain.db.select().from(saleCounts).where(eq(saleCounts.projectId, world.projectId))
  return rows.map(({ allocatedCount, reservedCount }) => [allocatedCount, reservedCount])
}

/** An order with a final payment, and a function that removes its blocks. */
const payFinally = async (units = price.usdc, terms: { capture?: string } = {}) => {
  const orderId = await world.create(buyer, 'usdc', terms)
  const id = await chain.client.snapshot()
  const raw = await buyer.signPayment(orderId, 'usdc', units)
  await buyer.mine(raw)
  await chain.client.mine({ blocks: 2 })
  await world.look()
  expect(await world.get(orderId)).toMatchObject({ phase: 'delivery', payment: { status: 'completed' } })
  return {
    orderId,
    raw,
    reorganise: async () => {
      await chain.client.revert({ id })
      await chain.client.mine({ blocks: 5 })
    },
  }
}

describe('a deep reorganisation removes a final payment', () => {
  test('default: unsent deliveries are stopped, and the order is unpaid again', async () => {
    const { orderId, raw, reorganise } = await payFinally()
    const [before] = await allocatedOf()
    await reorganise()
    await world.look()
    const order = await world.get(orderId)
    expect(order).toMatchObject({
      phase: 'payment',
      payment: { status: 'awaiting-payment', failureReason: { code: 'unknown' } },
      lineItems: [{ delivery: { status: 'awaiting-payment' } }],
    })
    expect(order.payment.received).toBeUndefined()
    expect(await statusOf(orderId)).toEqual(['lost'])
    expect(
      world.logged.some((line) => line.startsWith('a deep reorganisation took back a final payment')),
    ).toBe(true)
    await world.drain()
    expect(await mintsOf(orderId)).toEqual([])
    expect(await allocatedOf()).toEqual([before])

    // It is included again, and counts once it is final again.
    await buyer.mine(raw)
    expect((await world.settle(orderId)).payment.status).toBe('in-progress')
    await chain.client.mine({ blocks: 2 })
    const delivered = await world.settle(orderId)
    expect(delivered).toMatchObject({ phase: 'completed', payment: { status: 'completed' } })
    expect(delivered.payment.failureReason).toBeUndefined()
    expect(await mintsOf(orderId)).toHaveLength(1)
  })

  test('behavior: what a node still tells of the replaced blocks does not bring the payment back', async () => {
    const { orderId, reorganise } = await payFinally()
    const port = world.deps.chains.get('base-sepolia')
    if (!port) throw new Error('the chain is not enabled')
    const head = await port.getHead()
    const targets = [port.paymentTarget({ orderId, currency: 'usdc' })]
    const before = await port.findPayments({ fromBlock: head.number - 2n, toBlock: head.number, targets })
    expect(before).toHaveLength(1)
    await reorganise()
    let searches = 0
    const findPayments: typeof port.findPayments = (input) =>
      searches++ ? port.findPayments(input) : Promise.resolve(before)
    await lookForPayments(world.deps, { ...port, findPayments }, defaultWatchOptions)
    expect(await statusOf(orderId)).toEqual(['lost'])
    expect((await world.get(orderId)).phase).toBe('payment')
  })

  test('behavior: a payment that is not captured cannot be captured, and waits again once it is back', async () => {
    const { orderId, raw, reorganise } = await payFinally(price.usdc, { capture: 'manual' })
    const decide = (decision: typeof captureOrder) => decision(world.deps, world.serverCall, { orderId })
    await reorganise()
    await world.look()
    expect(await world.get(orderId)).toMatchObject({ phase: 'payment' })
    for (const decision of [captureOrder, voidOrder])
      await expect(decide(decision)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('The blockchain has taken this payment back'),
      })
    await buyer.mine(raw)
    await chain.client.mine({ blocks: 2 })
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'delivery',
      payment: { captureStatus: 'requires-capture' },
    })
    expect(await mintsOf(orderId)).toEqual([])
    await decide(voidOrder)
    expect((await world.settle(orderId)).payment).toMatchObject({
      captureStatus: 'voided',
      refunded: { currency: 'usdc' },
    })
    expect((await getLedger(world.deps)).differing).toEqual([])
  })

  test('behavior: what was captured is delivered once the payment is back', async () => {
    const { orderId, raw, reorganise } = await payFinally(price.usdc, { capture: 'manual' })
    await captureOrder(world.deps, world.serverCall, { orderId })
    await reorganise()
    await world.look()
    expect(await world.get(orderId)).toMatchObject({ phase: 'payment' })
    await buyer.mine(raw)
    await chain.client.mine({ blocks: 2 })
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'completed',
      payment: { captureStatus: 'captured' },
    })
    expect(await mintsOf(orderId)).toHaveLength(1)
  })

  test('behavior: a delivery that is waiting as the payment is lost is not signed', async () => {
    const { orderId, reorganise } = await payFinally()
    const { mint } = chain.chain
    const late = await chain.open({
      confirmations: 3,
      port: {
        isLocal: false,
        mint: async (key, input, options) => {
          await reorganise()
          await world.look()
          return mint(key, input, options)
        },
      },
    })
    late.queue.push(...world.queue.splice(0).filter(({ name }) => name === 'orders.deliver'))
    const [before = 0] = await allocatedOf()
    const [[held = 0] = []] = await heldOf()
    expect(await heldOf()).toEqual([[held, 1]])
    await late.drain()
    expect(await mintsOf(orderId)).toEqual([])
    expect((await world.get(orderId)).phase).toBe('payment')
    // Its reserved tokens are available again, to the same buyer too.
    expect(await allocatedOf()).toEqual([before])
    expect(await heldOf()).toEqual([[held, 0]])
  })

  /** Stores the transactions of an order's mints as if those of other orders shared them. */
  const shareMints = async (orderId: string): Promise<void> => {
    for (const { key, chain: name } of await mintsOf(orderId)) {
      const transactionKey = `${name}:shared:${crypto.randomUUID()}`
      await chain.db
        .update(chainTransactions)
        .set({ key: transactionKey })
        .where(eq(chainTransactions.key, key))
      await chain.db.insert(sharedCalls).values({ key, transactionKey, calldata: '0x' })
    }
  }

  test.each(['alone', 'with others'])(
    'behavior: deliveries sent %s continue, and the ledger shows the loss until the payment is back',
    async (way) => {
      const { orderId, raw, reorganise } = await payFinally()
      const { mint } = chain.chain
      const late = await chain.open({
        confirmations: 3,
        port: {
          isLocal: false,
          mint: async (key, input, options) => {
            const minted = await mint(key, input, options)
            if (way === 'with others') await shareMints(orderId)
            await reorganise()
            await world.look()
            return minted
          },
        },
      })
      late.queue.push(...world.queue.splice(0).filter(({ name }) => name === 'orders.deliver'))
      await late.drain()
      const order = await world.get(orderId)
      expect(order).toMatchObject({
        phase: 'completed',
        payment: { status: 'completed', failureReason: { code: 'unknown' } },
        lineItems: [{ delivery: { status: 'completed' } }],
      })
      expect(order.payment.received).toBeUndefined()
      expect(await statusOf(orderId)).toEqual(['lost'])
      const { lost } = await getLedger(world.deps, { orderId })
      expect(lost).toEqual([
        {
          orderId,
          chain: 'base-sepolia',
          currency: 'usdc',
          decimals: 6,
          units: price.usdc,
          payer: buyer.address,
          txId: keccak256(raw),
        },
      ])

      // Once found in its new place, it is no longer a loss, and its proceeds are swept.
      await buyer.mine(raw)
      await chain.client.mine({ blocks: 400 })
      await lookAtHints(world.deps, { ...chain.chain, confirmations: 3 }, 20)
      await world.settle(orderId)
      expect(await statusOf(orderId)).toEqual(['confirmed'])
      expect(await world.get(orderId)).toMatchObject({ payment: { received: { amount: '30' } } })
      expect((await getLedger(world.deps, { orderId })).lost).toEqual([])
      const [{ to } = {}] = await chain.payOuts(orderId)
      expect(to).toBe(chain.operator)
    },
  )

  test('behavior: the rest of a split delivery waits until the payment is back', async () => {
    const { order } = await world.createAny({
      lineItems: { collectionLocator: 'kassa:tea', callData: { quantity: 2 } },
      payment: { method: 'base-sepolia', currency: 'usdc', payerAddress: buyer.address },
    })
    const { orderId } = order
    const id = await chain.client.snapshot()
    const raw = await buyer.signPayment(orderId, 'usdc', 2n * price.usdc)
    await buyer.mine(raw)
    await chain.client.mine({ blocks: 2 })
    await world.look()
    const { mint } = chain.chain
    let mintCount = 0
    const split = await chain.open({
      confirmations: 3,
      port: {
        isLocal: false,
        countMints: () => 1,
        mint: async (key, input, options) => {
          const minted = await mint(key, input, options)
          mintCount += 1
          if (mintCount > 1) return minted
          await chain.client.revert({ id })
          await chain.client.mine({ blocks: 5 })
          await world.look()
          return minted
        },
      },
    })
    split.queue.push(...world.queue.splice(0).filter(({ name }) => name === 'orders.deliver'))
    await split.drain()
    expect(mintCount).toBe(1)
    expect(await mintsOf(orderId)).toHaveLength(1)
    expect(await statusOf(orderId)).toEqual(['lost'])

    await buyer.mine(raw)
    await chain.client.mine({ blocks: 2 })
    await lookAtHints(world.deps, { ...chain.chain, confirmations: 3 }, 20)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'completed' } }],
    })
    expect(await mintsOf(orderId)).toHaveLength(2)
  })

  test('behavior: the refund of a lost second payment is not sent until that payment is back', async () => {
    const { orderId } = await payFinally()
    const id = await chain.client.snapshot()
    const raw = await buyer.signPayment(orderId, 'usdc', price.usdc)
    await buyer.mine(raw)
    await chain.client.mine({ blocks: 2 })
    await world.look()
    const data = { orderId, refundId: `refund:${orderId}:0` }
    expect(world.queue).toContainEqual(expect.objectContaining({ name: 'orders.refund', data }))
    await chain.client.revert({ id })
    await chain.client.mine({ blocks: 5 })
    await world.look()
    expect((await statusOf(orderId)).sort()).toEqual(['confirmed', 'lost'])
    world.queue.splice(0)
    await sendRefund(world.deps)(data)
    expect(await chain.payOuts(orderId)).toEqual([])
    expect((await getLedger(world.deps, { orderId })).differing).toEqual([])
    expect(world.queue).toMatchObject([{ name: 'orders.refund', data }])

    await buyer.mine(raw)
    await chain.client.mine({ blocks: 2 })
    await lookAtHints(world.deps, { ...chain.chain, confirmations: 3 }, 20)
    await world.settle(orderId)
    expect(await statusOf(orderId)).toEqual(['confirmed', 'confirmed'])
    await sendRefund(world.deps)(data)
    expect(await chain.payOuts(orderId)).toEqual([{ to: buyer.address, units: price.usdc }])
    world.queue.splice(0)
  })

  test.each(['is outpriced', 'has lost its nonce'])(
    'behavior: a refund that %s while its payment is lost is given up, and sent once the payment is back',
    async (fate) => {
      // The first payment is still in the order's account, and would pay for the refund of the second.
      const { orderId } = await payFinally()
      const refundId = `refund:${orderId}:0`
      const data = { orderId, refundId }
      const id = await chain.client.snapshot()
      const raw = await buyer.signPayment(orderId, 'usdc', price.usdc)
      await buyer.mine(raw)
      await chain.client.mine({ blocks: 2 })
      await world.look()
      world.queue.splice(0)
      let isRefusing = true
      let refusedCount = 0
      const relay = await startRelay(
        await chain.node.rpcUrl(),
        async () => {},
        (body) => {
          if (!isRefusing || !body.includes('eth_sendRawTransaction')) return undefined
          refusedCount++
          return { code: -32000, message: 'txpool is full' }
        },
      )
      const port = chain.openPort({ rpcUrl: async () => relay.url })
      const late = await chain.open({ confirmations: 3, port: { isLocal: false, refund: port.refund } })
      const refunding = sendRefund(late.deps)(data)
      const isRefund = like(chainTransactions.key, `base-sepolia:${refundId}:%`)
      const readSigned = async () => (await chain.db.select().from(chainTransactions).where(isRefund))[0]
      // It is signed, and the node has refused it.
      await expect.poll(() => refusedCount).toBeGreaterThan(0)
      const signed = await readSigned()

      await chain.client.revert({ id })
      await chain.client.mine({ blocks: 5 })
      await world.look()
      expect((await statusOf(orderId)).sort()).toEqual(['confirmed', 'lost'])
      if (fate === 'is outpriced') {
        const { maxFeePerGas = 0n } = parseTransaction(signed?.signedTransaction as `0x${string}`)
        await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas * 2n })
        await chain.client.mine({ blocks: 1 })
        // Older than the wait between two offers, however often it was signed until here.
        const createdAt = new Date(Date.now() - 60 * 60_000)
        await chain.db.update(chainTransactions).set({ createdAt }).where(isRefund)
      } else {
        const hash = await chain.operatorWallet.sendTransaction({ to: buyer.address, value: 1n })
        await chain.client.waitForTransactionReceipt({ hash })
      }
      isRefusing = false
      await refunding
      expect(await chain.payOuts(orderId)).toEqual([])
      expect(await readSigned()).toMatchObject({
        status: 'reverted',
        revertReason: expect.stringContaining('was taken back'),
      })
      expect((await getLedger(world.deps, { orderId })).differing).toEqual([])

      await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n })
      await buyer.mine(raw)
      await chain.client.mine({ blocks: 2 })
      await lookAtHints(world.deps, { ...chain.chain, confirmations: 3 }, 20)
      await world.settle(orderId)
      await sendRefund(late.deps)(data)
      expect(await chain.payOuts(orderId)).toEqual([{ to: buyer.address, units: price.usdc }])
      world.queue.splice(0)
      await relay.close()
    },
  )

  test('behavior: a payment that is final in another block stays', async () => {
    const { orderId, raw, reorganise } = await payFinally()
    await reorganise()
    await buyer.mine(raw)
    await chain.client.mine({ blocks: 2 })
    await world.look()
    expect(await world.get(orderId)).toMatchObject({ phase: 'delivery', payment: { status: 'completed' } })
    expect(await statusOf(orderId)).toEqual(['confirmed'])
    await world.look()
    expect((await world.settle(orderId)).phase).toBe('completed')
  })

  test('behavior: a node that lacks their blocks takes no final payments back', async () => {
    const { orderId } = await payFinally()
    const [paid] = await chain.db.select().from(payments).where(eq(payments.orderId, orderId))
    const { getBlock, findPayments } = chain.chain
    const isKnown = (number: bigint): boolean => number < (paid?.blockNumber ?? 0n)
    const behind = await chain.open({
      confirmations: 3,
      port: {
        isLocal: false,
        getBlock: async (number) => (isKnown(number) ? getBlock(number) : undefined),
        findPayments: async (query) =>
          (await findPayments(query)).filter(({ block }) => isKnown(block.number)),
      },
    })
    // A pool answers the head from another node.
    await behind.look()
    expect(await statusOf(orderId)).toEqual(['confirmed'])
    expect(await world.get(orderId)).toMatchObject({ phase: 'delivery', payment: { status: 'completed' } })
    expect((await world.settle(orderId)).phase).toBe('completed')
  })
})
