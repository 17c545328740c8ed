import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getLedger } from '#sale/ledger/getLedger.js'
import { limits } from '../../../../test/limits.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestSolana } from '../../helpers/createTestSolana.js'

let solana: Awaited<ReturnType<typeof createTestSolana>>
let world: OrderWorld
beforeAll(async () => {
  solana = await createTestSolana({ commitment: 'finalized' })
  world = await createOrderWorld({ db: solana.db, chains: [solana.chain], now: Date.now })
  await world.createCollection({ id: 'tea', chain: 'solana', price: '0.5', currency: 'sol' })
})
afterAll(() => solana.close())

const create = async () => {
  const payer = await solana.createPayer()
  const { order } = await world.create({
    lineItems: { collectionLocator: 'kassa:tea' },
    recipient: { walletAddress: payer.address },
    payment: { method: 'solana', currency: 'sol', payerAddress: payer.address },
  })
  const { serializedTransaction = '' } = order.payment.preparation ?? {}
  return { orderId: order.orderId, payer, serializedTransaction }
}

/** Pays, and stops the time once the payment is confirmed and not final. */
const payAndStop = async () => {
  const created = await create()
  const { orderId, payer, serializedTransaction } = created
  const signed = await payer.sign(serializedTransaction)
  solana.stopTime()
  await payer.send(signed)
  for (let blocks = 0; blocks < 3; blocks++) solana.node.tick()
  await world.look()
  expect(await statusOf(orderId)).toBe('in-progress')
  return created
}

const statusOf = async (orderId: string) => (await world.get(orderId)).payment.status
const expectBalanced = async () => expect((await getLedger(world.deps)).differing).toEqual([])

/** Looks until a payment has a status. */
const lookUntil = (orderId: string, status: string) =>
  expect
    .poll(
      async () => {
        await world.look()
        return statusOf(orderId)
      },
      { timeout: limits.conditionMs, interval: 10 },
    )
    .toBe(status)

afterEach(() => solana.startTime())

test('behavior: a payment in a block that is replaced counts only once it is in another one, and final', async () => {
  const { orderId } = await payAndStop()
  // Its transaction waits for another block.
  solana.node.cluster.fork(3, true)
  solana.node.cluster.skipSlot()
  await world.look()
  expect(await statusOf(orderId)).toBe('awaiting-payment')
  solana.startTime()
  await lookUntil(orderId, 'completed')
  await world.drain()
  await expectBalanced()
  expect((await world.get(orderId)).phase).toBe('completed')
})

test('behavior: a payment that its replaced block lost is no payment, and nothing is delivered for it', async () => {
  const { orderId, payer, serializedTransaction } = await payAndStop()
  solana.node.cluster.fork(3)
  for (let blocks = 0; blocks < 3; blocks++) solana.node.tick()
  await world.look()
  expect(await statusOf(orderId)).toBe('awaiting-payment')
  await world.drain()
  await expectBalanced()
  const { phase, lineItems } = await world.get(orderId)
  expect([phase, lineItems[0]?.delivery.status]).toEqual(['payment', 'awaiting-payment'])
  // The same transaction is sent once more.
  solana.startTime()
  await payer.pay(serializedTransaction)
  await lookUntil(orderId, 'completed')
  await world.drain()
  await expectBalanced()
  expect((await world.get(orderId)).phase).toBe('completed')
})
