import { eq } from 'drizzle-orm'
import { toBaseUnits } from 'kassa/schema'
import { beforeAll, describe, expect, test } from 'vitest'
import { refunds } from '#base/db/tables/index.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { adoptMissing, findMissing, isMissing } from '#sale/restore/restore.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestSolana } from '../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { takeBackup } from '../../helpers/takeBackup.js'

const solana = openBeforeAll(createTestSolana)
const recipient = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'

let world: OrderWorld
beforeAll(async () => {
  world = await createOrderWorld({ db: solana.db, chains: [solana.chain], now: Date.now })
  await world.createCollection({ id: 'tea', chain: 'solana', price: '0.5', currency: 'sol' })
})

/** Lets time pass: what would be tried again later runs now. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 6; round++) {
    await world.look()
    await world.drain()
    for (const job of world.queue) job.startAfterMs = 0
  }
}

const create = async (currency: string) => {
  const payer = await solana.createPayer()
  const { order } = await world.create({
    lineItems: { collectionLocator: 'kassa:tea' },
    recipient: { walletAddress: recipient },
    payment: { method: 'solana', currency, payerAddress: payer.address },
  })
  const { orderId } = order
  const decimals = currency === 'sol' ? 9 : 6
  const units = toBaseUnits(order.quote.totalPrice?.amount ?? '', decimals) ?? 0n
  /** Pays at any time later, with a new blockhash. */
  const pay = async () => {
    const deadlineMs = Date.now() + 600_000
    const input = { orderId, payer: payer.address, currency, units, deadlineMs }
    const prepared = await solana.chain.preparePayment(input)
    if (prepared.status !== 'ready') throw new Error(prepared.status)
    await payer.pay(prepared.serializedTransaction)
  }
  return { orderId, payer, pay }
}

const sell = async (currency: string) => {
  const { orderId, payer, pay } = await create(currency)
  await pay()
  await settled()
  return { orderId, payer, order: await world.get(orderId) }
}

const backUp = async () => {
  const restore = await takeBackup(solana.db)
  const queue = world.queue.map((job) => ({ ...job }))
  return async () => {
    await restore()
    world.queue.splice(0, world.queue.length, ...queue)
  }
}

const adopt = async (): Promise<void> => {
  const [missing] = await findMissing(world.deps, ['solana'])
  if (!missing) throw new Error('the chain was not read')
  await adoptMissing(world.deps, missing)
}

describe.each(['sol', 'usdc'])('a database restored after sales on Solana in %s', (currency) => {
  test('behavior: each buyer has one token, each refund is made once, and the books agree', async () => {
    const paidLater = await create(currency)
    const refunded = await sell(currency)
    const restore = await backUp()
    await paidLater.pay()
    await settled()
    const before = await world.get(paidLater.orderId)
    const body = { amount: currency === 'sol' ? '0.1' : '20' }
    await createRefund(world.deps, world.serverCall, { orderId: refunded.orderId, body })
    await settled()
    const lost = await sell(currency)
    await restore()
    await expect(solana.chain.recover()).rejects.toMatchObject({
      message: expect.stringContaining('restore check'),
    })
    await adopt()
    expect((await findMissing(world.deps, ['solana'])).some(isMissing)).toBe(false)
    await solana.chain.recover()
    await settled()
    expect((await world.get(paidLater.orderId)).lineItems[0]?.delivery).toEqual(before.lineItems[0]?.delivery)
    const rows = await solana.db.select().from(refunds).where(eq(refunds.orderId, refunded.orderId))
    expect(rows).toMatchObject([{ status: 'sent', source: 'treasury' }])
    expect((await getLedger(world.deps)).differing).toEqual([])
    const next = await sell(currency)
    const tokenOf = ({ order }: { order: typeof next.order }) => order.lineItems[0]?.delivery.tokens?.[0]
    expect(tokenOf(next)?.mintHash).toBeDefined()
    expect([tokenOf(lost)?.mintHash, tokenOf(refunded)?.mintHash]).not.toContain(tokenOf(next)?.mintHash)
    expect((await getLedger(world.deps)).differing).toEqual([])
  })
})
