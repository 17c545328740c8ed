import { eq } from 'drizzle-orm'
import type { OrderState } from 'kassa/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/db/openedDatabase.js'
import { orders, payments, refunds } from '../../src/db/tables/index.js'
import type { Deps } from '../../src/deps.js'
import { deliverLineItem } from '../../src/orders/deliver.js'
import { redirectProceeds } from '../../src/orders/redirectProceeds.js'
import { sendRefund } from '../../src/orders/refund.js'
import { reportPayment } from '../../src/orders/reportPayment.js'
import { editOrder, refreshOrder } from '../../src/orders/requoteOrder.js'
import { lockOrder, readOrder, saveOrder } from '../../src/orders/store.js'
import { expireOrder } from '../../src/orders/updateOrder.js'
import { lookForPayments } from '../../src/payments/lookForPayments.js'
import { defaultWatchOptions } from '../../src/payments/watchPayments.js'
import type { ChainPort } from '../../src/ports/chain.js'
import { createFakeChain, type FakeChain } from '../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../helpers/createOrderWorld.js'
import { databaseKinds } from '../helpers/databaseKinds.js'
import { meet } from '../helpers/meet.js'

const priceUnits = 10n ** 16n
const txId = `0x${'ab'.repeat(32)}`

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', (kind) => {
  let nowMs = 1_800_000_000_000
  let url: string
  let database: OpenDatabase
  let another: OpenDatabase
  let fake: FakeChain
  let world: OrderWorld
  /** The same service as in another process, with its own connections. */
  let beside: Deps

  beforeAll(async () => {
    const opened = await kind.open()
    database = opened
    url = opened.url ?? ''
    another = await kind.open(url)
  })
  afterAll(async () => {
    await database.close()
    await another.close()
  })
  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    await database.executeSql('truncate orders, collections, payments, refunds, chain_cursors cascade')
    fake = createFakeChain({ now: () => nowMs, confirmations: 2 })
    world = await createOrderWorld({ db: database.db, chains: [fake.port], now: () => nowMs })
    beside = { ...world.deps, db: another.db }
    await world.createCollection({ id: 'tea' })
  })

  const create = async (): Promise<string> => {
    const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
    expect(order.payment.status).toBe('awaiting-payment')
    return order.orderId
  }
  const orderOf = async (orderId: string): Promise<OrderState> => {
    const stored = await readOrder(database.db, orderId)
    if (!stored) throw new Error('the order is gone')
    return stored.order
  }
  const pay = (orderId: string, units = priceUnits) => fake.pay({ orderId, currency: 'eth', units })
  const look = (deps: Deps = world.deps) => lookForPayments(deps, fake.port, defaultWatchOptions)
  const report = (orderId: string) => () =>
    reportPayment(beside, world.secretCall(orderId), { orderId, body: { type: 'crypto-tx-id', txId } })
  const patch = (orderId: string) => () =>
    editOrder(beside, world.secretCall(orderId), { orderId, body: { locale: 'de-DE' } })
  const refresh = (orderId: string) => () => refreshOrder(beside, world.secretCall(orderId), { orderId })
  const race = (orderId: string, ...operations: (() => Promise<unknown>)[]) =>
    meet(url, { text: 'select 1 from orders where id = $1 for update', values: [orderId] }, operations)
  /** An order whose payment was seen, and will be confirmed at the next search. */
  const createPaid = async (): Promise<string> => {
    const orderId = await create()
    pay(orderId)
    await look()
    fake.mine(3)
    return orderId
  }
  const deliveriesOf = (orderId: string) =>
    world.queue.filter(({ name, data }) => name === 'orders.deliver' && data.orderId === orderId)

  test.each(['before', 'after'])(
    'behavior: a payment counts if reported %s it is confirmed',
    async (when) => {
      const orderId = await createPaid()
      const operations = [look, report(orderId)]
      const ended = await race(orderId, ...(when === 'before' ? operations.reverse() : operations))
      expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      const order = await orderOf(orderId)
      expect(order).toMatchObject({ phase: 'delivery', payments: [{ use: 'accepted' }], hints: [txId] })
      expect(deliveriesOf(orderId)).toHaveLength(1)
    },
  )

  test.each([
    ['PATCH', patch],
    ['refresh', refresh],
    ['a report', report],
  ] as const)('behavior: a payment seen concurrently with %s is kept, in either order', async (_, verb) => {
    for (const isFirst of [true, false]) {
      const orderId = await create()
      pay(orderId)
      const operations = [look, verb(orderId)]
      const [seen, other] = isFirst
        ? await race(orderId, ...operations)
        : (await race(orderId, ...operations.reverse())).reverse()
      expect(seen?.status).toBe('fulfilled')
      // A change that comes second is refused, and never overwrites the payment.
      if (other?.status === 'rejected') expect(other.reason).toMatchObject({ code: 'conflict' })
      expect((await orderOf(orderId)).payments).toHaveLength(1)
      fake.mine(3)
      await look()
      expect(await orderOf(orderId)).toMatchObject({ phase: 'delivery', payments: [{ use: 'accepted' }] })
    }
  })

  test('behavior: a payment in time is kept when its quote expires concurrently', async () => {
    for (const isFirst of [true, false]) {
      const orderId = await create()
      pay(orderId)
      nowMs += world.deps.config.quoteTtlMs + 1
      const operations = [look, () => expireOrder(beside)({ orderId })]
      const ended = await race(orderId, ...(isFirst ? operations : operations.reverse()))
      expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      expect(await orderOf(orderId)).toMatchObject({
        payment: { status: 'in-progress' },
        payments: [{ use: 'undecided' }],
      })
    }
  })

  test('behavior: a second payment during the confirmation of the first is refunded', async () => {
    const orderId = await createPaid()
    pay(orderId)
    fake.mine(3)
    const ended = await race(orderId, look, () => look(beside))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    await look()
    expect((await orderOf(orderId)).payments.map(({ use }) => use)).toEqual(['accepted', 'returned'])
    const rows = await database.db.select().from(refunds).where(eq(refunds.orderId, orderId))
    expect(rows).toMatchObject([{ reason: 'duplicate', units: `${priceUnits}` }])
    expect(deliveriesOf(orderId)).toHaveLength(1)
  })

  test('behavior: of forty payments that two processes confirm during reports, none is lost', async () => {
    const orderId = await create()
    for (let count = 0; count < 40; count++)
      fake.payInSameBlock({ orderId, currency: 'eth', units: priceUnits })
    await Promise.all([look(), look(beside), ...Array.from({ length: 10 }, report(orderId))])
    fake.mine(3)
    await Promise.all([look(), look(beside), ...Array.from({ length: 10 }, report(orderId))])
    const { payments, hints } = await orderOf(orderId)
    const uses = payments.map(({ use }) => use)
    expect(uses.filter((use) => use === 'accepted')).toHaveLength(1)
    expect(uses.filter((use) => use === 'returned')).toHaveLength(39)
    expect(hints).toEqual([txId])
    const rows = await database.db.select().from(refunds).where(eq(refunds.orderId, orderId))
    expect(new Set(rows.map(({ paymentId }) => paymentId)).size).toBe(39)
  })

  test('behavior: a payment and a concurrent delivery are both kept', async () => {
    const orderId = await createPaid()
    await look()
    pay(orderId)
    const deliver = () => deliverLineItem(beside)({ orderId, lineItemIndex: 0 })
    const ended = await race(orderId, deliver, look)
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await orderOf(orderId)).toMatchObject({
      lineItems: [{ delivery: { status: 'completed' } }],
      payments: [{ use: 'accepted' }, { use: 'undecided' }],
    })
    expect(fake.sentOf('mint')).toHaveLength(1)
  })

  test('behavior: two concurrent deliveries of one item mint it once', async () => {
    const orderId = await createPaid()
    await look()
    const deliver = (deps: Deps) => () => deliverLineItem(deps)({ orderId, lineItemIndex: 0 })
    const ended = await race(orderId, deliver(world.deps), deliver(beside))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(fake.sentOf('mint')).toHaveLength(1)
    const [collection] = (await database.executeSql('select allocated_count::int as count from collections'))
      .rows
    expect(collection).toEqual({ count: 1 })
    expect(await orderOf(orderId)).toMatchObject({ lineItems: [{ delivery: { status: 'completed' } }] })
  })

  test('behavior: a refund sent during a report is recorded', async () => {
    const orderId = await create()
    pay(orderId, priceUnits / 2n)
    await look()
    fake.mine(3)
    await look()
    const [row] = await database.db.select().from(refunds).where(eq(refunds.orderId, orderId))
    const refundId = row?.id ?? ''
    const ended = await race(orderId, () => sendRefund(world.deps)({ orderId, refundId }), report(orderId))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await orderOf(orderId)).toMatchObject({ refunds: [{ status: 'sent' }], hints: [txId] })
  })

  test('behavior: a refund whose payment is being recorded as lost waits for that, and is not signed', async () => {
    const orderId = await create()
    pay(orderId, priceUnits / 2n)
    await look()
    fake.mine(3)
    await look()
    const [row] = await database.db.select().from(refunds).where(eq(refunds.orderId, orderId))
    const [refundId, paymentId] = [row?.id ?? '', row?.paymentId ?? '']
    let signed = 0
    // The chain asks in the transaction in which it would sign.
    const port: ChainPort = {
      ...fake.port,
      refund: (key, input, terms) =>
        another.db.transaction(async (tx) => {
          await terms?.assertDue?.(tx)
          signed += 1
          return fake.port.refund(key, input)
        }),
    }
    const deps = { ...beside, chains: { enabled: [port.chain], get: () => port } }
    const send = () => sendRefund(deps)({ orderId, refundId })
    const lose = { text: "update payments set status = 'lost' where id = $1", values: [paymentId] }
    expect(await meet(url, lose, [send])).toMatchObject([{ status: 'fulfilled' }])
    expect(signed).toBe(0)
    await database.db.update(payments).set({ status: 'confirmed' }).where(eq(payments.id, paymentId))
    await send()
    expect(signed).toBe(1)
    expect(await orderOf(orderId)).toMatchObject({ refunds: [{ status: 'sent' }] })
  })

  test('behavior: of two refunds released at once, the second counts the first against the cap', async () => {
    const orderIds = [await create(), await create()]
    for (const orderId of orderIds) pay(orderId, priceUnits / 2n)
    await look()
    fake.mine(3)
    await look()
    const rows = await database.db.select().from(refunds).orderBy(refunds.orderId)
    const { config: given } = world.deps
    const config = { ...given, refunds: { ...given.refunds, perPayerPerHour: 1, perProjectPerHour: 9 } }
    const release = (deps: Deps, at: number) => {
      const { orderId = '', id: refundId = '' } = rows[at] ?? {}
      return () => sendRefund({ ...deps, config })({ orderId, refundId })
    }
    // The first waits after it has counted, before it is written.
    const hold = { text: 'select 1 from refunds where id = $1 for update', values: [rows[0]?.id] }
    const ended = await meet(url, hold, [release(world.deps, 0), release(beside, 1)])
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    const released = await database.db.select().from(refunds).orderBy(refunds.orderId)
    expect(released.map(({ status }) => status)).toEqual(['sent', 'held'])
  })

  test('behavior: of two addresses named at once for credited proceeds, one receives them', async () => {
    const refusing = '0x00000000000000000000000000000000000000ad'
    fake.state.refusing.add(refusing)
    await world.createCollection({ id: 'refusing', recipientAddress: refusing })
    const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:refusing' } })
    pay(order.orderId)
    fake.mine(3)
    await look()
    await world.drain()
    const key = `sweep:${order.orderId}:${refusing}`
    const send = (deps: Deps, digit: string) => () =>
      redirectProceeds(deps, { key, to: `0x${digit.repeat(40)}` })
    const ended = await race(order.orderId, send(world.deps, '1'), send(beside, '2'))
    // Without the lock of the order, the second would be told only that the order was changed.
    const message = expect.stringContaining(`the proceeds ${key} are on their way to 0x1`)
    expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'conflict', message } }])
    await world.drain()
    expect(fake.sentOf('payOutCredit')).toMatchObject([{ input: { recipient: `0x${'1'.repeat(40)}` } }])
  })

  test('error: an order that was written since it was read is not overwritten', async () => {
    const orderId = await create()
    const stale = await readOrder(database.db, orderId)
    if (!stale) throw new Error('the order is gone')
    await report(orderId)()
    await expect(database.db.transaction((tx) => saveOrder(tx, stale, nowMs))).rejects.toMatchObject({
      code: 'conflict',
      message: 'The order was changed at the same moment: try again',
    })
    expect((await orderOf(orderId)).hints).toEqual([txId])
    const { revision } = await database.db.transaction(async (tx) => {
      const locked = await lockOrder(tx, orderId)
      if (!locked) throw new Error('the order is gone')
      await saveOrder(tx, locked, nowMs)
      return locked
    })
    const [row] = await database.db.select().from(orders).where(eq(orders.id, orderId))
    expect(row?.revision).toBe(revision + 1)
  })
})
