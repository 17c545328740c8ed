import { eq } from 'drizzle-orm'
import type { OrderState } from 'kassa/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { orders, payments, refunds } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { captureOrder, voidOrder } from '#sale/orders/captureOrder.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { cancelShipment, createShipment } from '#sale/orders/createShipment.js'
import { deliverLineItem } from '#sale/orders/deliver.js'
import { listRefunds } from '#sale/orders/readRefunds.js'
import { redirectProceeds } from '#sale/orders/redirectProceeds.js'
import { sendRefund } from '#sale/orders/refund.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { lockOrder, readOrder, saveOrder } from '#sale/orders/store.js'
import { expireOrder } from '#sale/orders/updateOrder.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { meet } from '../../helpers/meet.js'

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
    await database.executeSql(
      'truncate orders, collections, payments, refunds, chain_cursors, sale_counts cascade',
    )
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
  /** Pays half of a price, and ends its quote, so that the half goes back. Returns its refund. */
  const underpay = async (orderId: string): Promise<{ refundId: string; paymentId: string }> => {
    pay(orderId, priceUnits / 2n)
    await look()
    fake.mine(3)
    await look()
    await world.endQuote(orderId)
    const [row] = await database.db.select().from(refunds).where(eq(refunds.orderId, orderId))
    return { refundId: row?.id ?? '', paymentId: row?.paymentId ?? '' }
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
    const { refundId } = await underpay(orderId)
    const ended = await race(orderId, () => sendRefund(world.deps)({ orderId, refundId }), report(orderId))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await orderOf(orderId)).toMatchObject({ refunds: [{ status: 'sent' }], hints: [txId] })
  })

  test('behavior: a refund whose payment is being recorded as lost waits for that, and is not signed', async () => {
    const orderId = await create()
    const { refundId, paymentId } = await underpay(orderId)
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

  test('behavior: a final payment that is lost is found by a process that last looked before its block', async () => {
    fake = createFakeChain({ now: () => nowMs, confirmations: 2, isLocal: false })
    world = await createOrderWorld({ db: database.db, chains: [fake.port], now: () => nowMs })
    await world.createCollection({ id: 'tea' })
    const other: ChainPort = { ...fake.port }
    const lookThere = () => lookForPayments(beside, other, defaultWatchOptions)
    const lostId = await create()
    fake.mine(5)
    await lookThere()
    fake.mine(5)
    pay(lostId)
    fake.mine(3)
    await look()
    await look()
    expect(await orderOf(lostId)).toMatchObject({ phase: 'delivery' })
    fake.reorganise(4)
    const keptId = await create()
    fake.mine(3)
    pay(keptId)
    fake.mine(3)
    await lookThere()
    await lookThere()
    await look()
    expect(await orderOf(keptId)).toMatchObject({ phase: 'delivery' })
    expect(await orderOf(lostId)).toMatchObject({ phase: 'payment', payments: [] })
  })

  test('behavior: a refund that another run of its job has released, and not sent, is sent', async () => {
    const orderId = await create()
    const { refundId } = await underpay(orderId)
    // The other run releases it after this one has read it, and then its process ends.
    const port: ChainPort = {
      ...fake.port,
      ready: async () => {
        const released = { releasedBy: 'service' as const, releasedAt: new Date(nowMs) }
        await another.db.update(refunds).set(released).where(eq(refunds.id, refundId))
      },
    }
    const deps = { ...world.deps, chains: { enabled: [port.chain], get: () => port } }
    await sendRefund(deps)({ orderId, refundId })
    expect(await orderOf(orderId)).toMatchObject({ refunds: [{ status: 'sent' }] })
  })

  test('behavior: of two refunds released at once, the second counts the first against the cap', async () => {
    const orderIds = [await create(), await create()]
    for (const orderId of orderIds) pay(orderId, priceUnits / 2n)
    await look()
    fake.mine(3)
    await look()
    for (const orderId of orderIds) await world.endQuote(orderId)
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

  test.each(['before', 'after'])(
    'behavior: an address that is named %s a refund is released counts or comes too late, and the refund is sent once',
    async (when) => {
      const named = '0x00000000000000000000000000000000000000b1'
      const orderId = await create()
      const { refundId } = await underpay(orderId)
      const body = { payment: { refundAddress: named } }
      const release = () => sendRefund(world.deps)({ orderId, refundId })
      const name = () => editOrder(beside, world.serverCall, { orderId, body })
      const ended = await race(orderId, ...(when === 'before' ? [name, release] : [release, name]))
      expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      const recipient = when === 'before' ? named : payerAddress
      expect(fake.sentOf('refund')).toMatchObject([{ input: { recipient } }])
      const { data } = await listRefunds(beside, world.serverCall, { orderId, page: { page: 1, perPage: 9 } })
      expect(data).toMatchObject([{ status: 'succeeded', recipient }])
    },
  )

  test('behavior: of two addresses that are named at once for what a contract paid, one counts', async () => {
    fake.state.contracts.add(payerAddress)
    const payment = { method: 'base-sepolia', currency: 'eth' }
    const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' }, payment })
    const { orderId } = order
    await underpay(orderId)
    await world.drain()
    const addresses = [
      '0x00000000000000000000000000000000000000b1',
      '0x00000000000000000000000000000000000000b2',
    ]
    const names = addresses.map((refundAddress) => () => {
      const body = { payment: { refundAddress } }
      return editOrder(beside, world.secretCall(orderId), { orderId, body })
    })
    const ended = await race(orderId, ...names)
    expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'conflict' } }])
    await world.drain()
    expect(fake.sentOf('refund')).toMatchObject([{ input: { recipient: addresses[0] } }])
  })

  test.each([
    ['everything', {}, '0 eth can be refunded now'],
    ['an amount', { amount: '0.006' }, '0.004 eth can be refunded now'],
    ['a line item', { lineItems: [{ index: 0 }] }, '0 eth can be refunded now'],
  ])(
    'behavior: of two operators who refund %s at once, the second is told what is left',
    async (_, body, left) => {
      const orderId = await createPaid()
      await look()
      await world.drain()
      const refund = (deps: Deps) => () => createRefund(deps, world.serverCall, { orderId, body })
      const ended = await race(orderId, refund(world.deps), refund(beside))
      // Without the lock of the order, the second would be told only that the order was changed.
      const message = expect.stringContaining(left)
      expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'conflict', message } }])
      await world.drain()
      expect(fake.sentOf('refund')).toHaveLength(1)
      expect((await orderOf(orderId)).refunds).toHaveLength(1)
    },
  )

  describe('shipments', () => {
    const recipient = {
      email: 'ada@example.com',
      physicalAddress: { name: 'Ada', line1: 'Sand 1', city: 'Dunes', postalCode: '12345', country: 'DE' },
    }
    const sell = async () => {
      const { order } = await world.create({ recipient, lineItems: { collectionLocator: 'kassa:tea' } })
      pay(order.orderId)
      fake.mine(3)
      await look()
      await world.drain()
      return order.orderId
    }
    const ship = (deps: Deps, orderId: string) => () =>
      createShipment(deps, world.serverCall, { orderId, body: { carrier: 'DHL' } })

    test('behavior: of two people who ship an order at once, the second is told what the first did', async () => {
      const orderId = await sell()
      const ended = await race(orderId, ship(world.deps, orderId), ship(beside, orderId))
      // Without the lock of the order, the second would be told only that the order was changed.
      const message = expect.stringContaining('is shipped or refunded already')
      expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'conflict', message } }])
      expect((await orderOf(orderId)).shipments).toHaveLength(1)
    })

    test('behavior: of two corrections at once, the first is kept', async () => {
      const orderId = await sell()
      const { shipmentId } = await ship(world.deps, orderId)()
      const cancel = (deps: Deps, reason: string) => () =>
        cancelShipment(deps, world.serverCall, { orderId, shipmentId, body: { reason } })
      const ended = await race(orderId, cancel(world.deps, 'one'), cancel(beside, 'two'))
      expect(ended).toMatchObject([{ value: { reason: 'one' } }, { value: { reason: 'one' } }])
    })
  })

  describe('capture', () => {
    const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, capture: 'manual' }
    const hold = async () => {
      const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' }, payment })
      pay(order.orderId)
      fake.mine(3)
      await look()
      await world.drain()
      return order.orderId
    }
    const decisions = { capture: captureOrder, void: voidOrder }
    const decide = (deps: Deps, decision: 'capture' | 'void', orderId: string) => () =>
      decisions[decision](deps, world.serverCall, { orderId })
    const endOf = {
      capture: ['mint', 'The order was captured on'],
      void: ['refund', 'The order was voided on'],
    }

    test.each([
      ['capture', 'void'],
      ['void', 'capture'],
    ] as const)(
      'behavior: of a %s and a %s at once, the first wins and the other is told',
      async (one, two) => {
        const orderId = await hold()
        const ended = await race(orderId, decide(world.deps, one, orderId), decide(beside, two, orderId))
        const [kind = '', told] = endOf[one]
        const message = expect.stringContaining(told ?? '')
        // Without the lock of the order, the second would be told only that the order was changed.
        expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'conflict', message } }])
        await world.drain()
        expect([...fake.sentOf('mint'), ...fake.sentOf('refund')].map((sent) => sent.kind)).toEqual([kind])
        expect((await getLedger(world.deps)).differing).toEqual([])
      },
    )

    test('behavior: of two captures at once, both are told that it is captured, and it is delivered once', async () => {
      const orderId = await hold()
      const ended = await race(
        orderId,
        decide(world.deps, 'capture', orderId),
        decide(beside, 'capture', orderId),
      )
      expect(ended).toMatchObject(
        Array(2).fill({ status: 'fulfilled', value: { payment: { captureStatus: 'captured' } } }),
      )
      await world.drain()
      expect(fake.sentOf('mint')).toHaveLength(1)
    })

    test('behavior: a void and the deadline at once pay back once', async () => {
      const orderId = await hold()
      const expire = () => expireOrder(beside)({ orderId })
      // The void came in time, and waits for the lock until the deadline has passed.
      const ended = await race(orderId, decide(world.deps, 'void', orderId), async () => {
        nowMs += 8 * 24 * 60 * 60_000
        await expire()
      })
      expect(ended.map(({ status }) => status)).toContain('fulfilled')
      await world.drain()
      expect(fake.sentOf('refund')).toMatchObject([{ input: { units: priceUnits } }])
      expect((await getLedger(world.deps)).differing).toEqual([])
    })
  })

  test('behavior: of claims by one buyer at one moment in two processes, as many as the limits allow are served', async () => {
    const promotionCodes = [{ code: 'FREE', percent: '100', limit: 2 }]
    await world.createCollection({
      id: 'gift',
      sale: { maxPerBuyer: { wallet: 2, email: 2 }, promotionCodes },
    })
    const payment = { method: 'base-sepolia', currency: 'eth', receiptEmail: 'ada@example.com' }
    const orderIds: string[] = []
    for (let count = 0; count < 6; count++) {
      const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:gift' }, payment })
      const { orderId } = order
      const body = { promotionCode: 'FREE' }
      await editOrder(world.deps, world.secretCall(orderId), { orderId, body })
      orderIds.push(orderId)
    }
    // All of them are quoted before the first is claimed, so each sees room.
    const claims = orderIds.map((orderId, at) => () => {
      const deps = at % 2 ? beside : world.deps
      return editOrder(deps, world.secretCall(orderId), { orderId, body: {} })
    })
    await meet(url, { text: 'select 1 from orders for update' }, claims)
    const jobs = world.queue.splice(0).filter(({ name }) => name === 'orders.deliver')
    expect(jobs.length).toBeGreaterThan(2)
    const deliver = [deliverLineItem(world.deps), deliverLineItem(beside)]
    await Promise.all(
      jobs.map(({ data }, at) => deliver[at % 2]?.(data as { orderId: string; lineItemIndex: number })),
    )
    const ends = await Promise.all(orderIds.map(orderOf))
    const statuses = ends.map(({ lineItems }) => lineItems[0]?.delivery.status)
    expect(statuses.filter((status) => status === 'completed')).toHaveLength(2)
    expect(fake.sentOf('mint')).toHaveLength(2)
    expect((await getLedger(world.deps)).differing).toEqual([])
  })

  test('behavior: a refund by the merchant and the sweep of the same proceeds take them once', async () => {
    fake.state.refusals.set('mint', 'paused')
    await world.createCollection({ id: 'cake' })
    const items = ['tea', 'cake'].map((id) => ({ collectionLocator: `kassa:${id}` }))
    const { orderId } = (await world.create({ lineItems: items })).order
    pay(orderId, 2n * priceUnits)
    fake.mine(3)
    await look()
    await world.drain()
    fake.state.refusals.clear()
    const deliver = (deps: Deps, lineItemIndex: number) => () =>
      deliverLineItem(deps)({ orderId, lineItemIndex })
    await deliver(world.deps, 0)()
    // The last delivery requests the sweep of what the refund has left.
    const body = { lineItems: [{ index: 0 }] }
    const refund = () => createRefund(beside, world.serverCall, { orderId, body })
    const ended = await race(orderId, refund, deliver(world.deps, 1))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    await world.drain()
    const total = fake
      .sentOf('sweep')
      .reduce((sum, { input }) => sum + (input as { units: bigint }).units, 0n)
    expect(total).toBe(priceUnits)
    expect((await getLedger(world.deps)).differing).toEqual([])
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
    await expect(database.db.transaction((tx) => saveOrder(world.deps, tx, stale))).rejects.toMatchObject({
      code: 'conflict',
      message: 'The order was changed at the same moment: try again',
    })
    expect((await orderOf(orderId)).hints).toEqual([txId])
    const { revision } = await database.db.transaction(async (tx) => {
      const locked = await lockOrder(tx, orderId)
      if (!locked) throw new Error('the order is gone')
      await saveOrder(world.deps, tx, locked)
      return locked
    })
    const [row] = await database.db.select().from(orders).where(eq(orders.id, orderId))
    expect(row?.revision).toBe(revision + 1)
  })
})
