import { CreateOrderAnswer, type EditOrderBody } from 'kassa/schema'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import { getOrder, listOrders } from '#sale/orders/readOrders.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { readOrder } from '#sale/orders/store.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import {
  createOrderWorld,
  type OrderWorld,
  payerAddress,
  recipientAddress,
} from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain
let nowMs = 1_800_000_000_000
const now = () => nowMs

beforeEach(async () => {
  chain = createFakeChain({ now })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now })
  await world.createCollection({ id: 'tea' })
})

const tea = { lineItems: { collectionLocator: 'kassa:tea' } }
const withActor = (actor: Call['actor']): Call => ({ actor, client: {}, complete: async () => {} })
const refusal = (code: string, message: string | RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

describe('createOrder', () => {
  test('default: an order that can be paid, and its client secret', async () => {
    const answer = await world.create({ ...tea, metadata: { cart: 7 } })
    expect(z.parse(CreateOrderAnswer, answer)).toEqual(answer)
    expect(answer.clientSecret).toMatch(/^cs_[\w-]{43}$/)
    expect(answer.order).toMatchObject({
      phase: 'payment',
      locale: 'en-US',
      metadata: { cart: 7 },
      lineItems: [
        {
          chain: 'base-sepolia',
          quantity: 1,
          callData: { quantity: 1 },
          metadata: { name: 'tea', description: 'About tea', imageUrl: 'ipfs://picture' },
          quote: {
            status: 'valid',
            charges: {
              unit: { amount: '0.01', currency: 'eth' },
              salesTax: { amount: '0' },
              shipping: { amount: '0' },
            },
            totalPrice: { amount: '0.01', currency: 'eth' },
          },
          delivery: {
            status: 'awaiting-payment',
            recipient: { locator: `base-sepolia:${recipientAddress}`, walletAddress: recipientAddress },
          },
        },
      ],
      quote: {
        status: 'valid',
        quotedAt: new Date(nowMs).toISOString(),
        expiresAt: new Date(nowMs + 600_000).toISOString(),
        totalPrice: { amount: '0.01', currency: 'eth' },
      },
      payment: {
        status: 'awaiting-payment',
        method: 'base-sepolia',
        currency: 'eth',
        preparation: { chain: 'base-sepolia', payerAddress },
      },
    })
    expect(await world.get(answer.order.orderId)).toEqual(answer.order)
  })

  test('behavior: a collection is read once, for any number of its line items', async () => {
    const select = vi.spyOn(database.db, 'select')
    const countQueries = async (lineItems: number): Promise<number> => {
      select.mockClear()
      await world.create({ lineItems: Array(lineItems).fill({ collectionLocator: 'kassa:tea' }) })
      return select.mock.calls.length
    }
    expect(await countQueries(50)).toBe(await countQueries(1))
    select.mockRestore()
  })

  test('parameters: recipient missing, e-mail, payer missing, several items', async () => {
    const missing = await world.create({ ...tea, recipient: undefined })
    expect(missing.order).toMatchObject({
      phase: 'quote',
      quote: { status: 'requires-recipient' },
      payment: { status: 'requires-quote' },
    })
    // What the goods cost is told, and no total, because shipping is not known.
    const [{ quote: goods } = {}] = missing.order.lineItems
    expect(goods).toEqual({
      status: 'requires-recipient',
      charges: { unit: { amount: '0.01', currency: 'eth', fiat: { amount: '30.00', currency: 'usd' } } },
    })
    expect(missing.order.quote.totalPrice).toBeUndefined()
    expect(missing.order.payment.preparation).toEqual({ chain: 'base-sepolia', payerAddress })
    expect(chain.state.readyCount).toBe(0)
    const email = await world.create({ ...tea, recipient: { email: 'ada@example.com' } })
    expect(email.order.lineItems[0]?.delivery.recipient).toEqual({
      locator: 'email:ada@example.com:base-sepolia',
      email: 'ada@example.com',
    })
    const payment = { method: 'base-sepolia' as const, currency: 'usdc' }
    const lineItems = [
      { collectionLocator: 'kassa:tea', callData: { quantity: 2, totalPrice: '0.020', size: 'L' } },
      { collectionLocator: 'kassa:tea' },
    ]
    const open = await world.create({ payment, lineItems })
    expect(open.order).toMatchObject({
      quote: { totalPrice: { amount: '90', currency: 'usdc' } },
      payment: { status: 'requires-crypto-payer-address' },
      lineItems: [
        { quantity: 2, callData: { quantity: 2, totalPrice: '0.020', size: 'L' } },
        { quantity: 1 },
      ],
    })
  })

  test('behavior: the payer lacks funds, or gas', async () => {
    const preparation = { chain: 'base-sepolia', payerAddress }
    chain.state.funds = 'insufficient-funds'
    const poor = await world.create(tea)
    expect(poor.order.payment).toMatchObject({ status: 'crypto-payer-insufficient-funds' })
    expect(poor.order.payment.preparation).toEqual(preparation)
    chain.state.funds = 'insufficient-funds-for-gas'
    const withoutGas = await world.create(tea)
    expect(withoutGas.order.payment).toMatchObject({ status: 'crypto-payer-insufficient-funds-for-gas' })
    expect(withoutGas.order.payment.preparation).toEqual(preparation)
  })

  test('behavior: a collection requires an address and an e-mail address; an edit fills them in', async () => {
    await world.createCollection({ id: 'print', requires: ['physical-address', 'receipt-email'] })
    const lineItems = [{ collectionLocator: 'kassa:print' }, { collectionLocator: 'kassa:tea' }]
    const { order } = await world.create({ lineItems })
    expect(order).toMatchObject({
      phase: 'quote',
      quote: { status: 'requires-physical-address' },
      payment: { status: 'requires-quote' },
      lineItems: [{ quote: { status: 'requires-recipient' } }, { quote: { status: 'requires-recipient' } }],
    })
    expect(order.quote.totalPrice).toBeUndefined()
    const edit = (body: EditOrderBody) =>
      editOrder(world.deps, world.secretCall(order.orderId), { orderId: order.orderId, body })
    const physicalAddress = { name: 'Ada', line1: 'Weg 1', city: 'Wien', postalCode: '1010', country: 'AT' }
    const addressed = await edit({ recipient: { walletAddress: recipientAddress, physicalAddress } })
    expect(addressed).toMatchObject({
      phase: 'payment',
      quote: { status: 'valid', totalPrice: { amount: '0.02' } },
      payment: { status: 'requires-email', preparation: { payerAddress } },
    })
    expect(addressed.payment.preparation).not.toHaveProperty('serializedTransaction')
    const method = { method: 'base-sepolia' as const, currency: 'eth' }
    const complete = await edit({ payment: { ...method, payerAddress, receiptEmail: 'ada@example.com' } })
    expect(complete.payment).toMatchObject({
      status: 'awaiting-payment',
      preparation: { serializedTransaction: expect.any(String) },
    })
    // An unavailable item requires nothing.
    await world.createCollection({ id: 'gone', requires: ['physical-address'], chain: 'solana' })
    const gone = [{ collectionLocator: 'kassa:gone' }, { collectionLocator: 'kassa:tea' }]
    expect((await world.create({ lineItems: gone })).order.payment.status).toBe('awaiting-payment')
  })

  test('behavior: unavailable items', async () => {
    await world.createCollection({ id: 'moon', chain: 'solana' })
    const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:moon' } })
    expect(order).toMatchObject({ phase: 'quote', quote: { status: 'all-line-items-unavailable' } })
    expect(order.lineItems[0]?.quote).toMatchObject({
      status: 'item-unavailable',
      unavailabilityReason: { code: 'chain-not-enabled' },
    })
  })

  test('error: input-invalid', async () => {
    const lineItems = { collectionLocator: 'kassa:tea', callData: { quantity: 2, totalPrice: '0.03' } }
    await expect(world.create({ lineItems })).rejects.toEqual(
      refusal('input-invalid', /^lineItems\[0\]\.callData\.totalPrice: expected 0\.02 eth .*got 0\.03$/),
    )
    const pay = (method: string, currency: string, payer = payerAddress) =>
      world.create({ ...tea, payment: { method, currency, payerAddress: payer } })
    await expect(pay('narnia', 'eth')).rejects.toEqual(refusal('input-invalid', /^payment\.method: .*narnia/))
    await expect(pay('solana', 'sol')).rejects.toEqual(refusal('input-invalid', /^payment\.method: /))
    await expect(pay('base', 'eth')).rejects.toEqual(
      refusal('input-invalid', /^payment\.method: base is not enabled/),
    )
    await expect(pay('base-sepolia', 'doge')).rejects.toEqual(
      refusal('input-invalid', /^payment\.currency: doge is not known .*eth, usdc, usdxm/),
    )
    const solanaAddress = '4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABxE1234S'
    await expect(pay('base-sepolia', 'eth', solanaAddress)).rejects.toEqual(
      refusal('input-invalid', /^payment\.payerAddress: /),
    )
    await expect(world.create({ ...tea, recipient: { walletAddress: solanaAddress } })).rejects.toEqual(
      refusal('input-invalid', /^recipient\.walletAddress: /),
    )
    // One digit was mistyped, which its checksum shows.
    const mistyped = '0x71C7656EC7ab88b098defB751B7401B5f6d8976E'
    await expect(world.create({ ...tea, recipient: { walletAddress: mistyped } })).rejects.toEqual(
      refusal('input-invalid', /^recipient\.walletAddress: 0x\w+6E: its checksum is wrong/),
    )
    await expect(world.create({ lineItems: { collectionLocator: 'other:tea' } })).rejects.toEqual(
      refusal('input-invalid', /^lineItems\[0\]\.collectionLocator: /),
    )
  })

  test('error: not-found', async () => {
    await expect(world.create({ lineItems: { collectionLocator: 'kassa:cake' } })).rejects.toEqual(
      refusal('not-found', /^Collection cake not found$/),
    )
    await expect(world.create({ lineItems: { collectionLocator: 'kassa:tea:one' } })).rejects.toEqual(
      refusal('not-found', /^Template one not found$/),
    )
  })

  test('error: forbidden', async () => {
    const call = withActor({
      kind: 'server-key',
      keyId: 'k',
      projectId: world.projectId,
      scopes: ['orders.read'],
    })
    await expect(world.create(tea, call)).rejects.toEqual(refusal('forbidden', /orders\.create/))
  })

  test('error: chain-unavailable leaves nothing behind', async () => {
    chain.state.isAway = true
    await expect(world.create(tea)).rejects.toEqual(refusal('chain-unavailable', /./))
    expect((await listOrders(world.deps, world.serverCall, { limit: 30 })).data).toEqual([])
  })
})

describe('getOrder', () => {
  test('behavior: a quote that ran out shows as expired at that read, and stays so', async () => {
    const { order } = await world.create(tea)
    nowMs += 600_000
    const read = await world.get(order.orderId)
    expect(read).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: { status: 'requires-quote' },
    })
    nowMs -= 1
    expect((await world.get(order.orderId)).quote.status).toBe('expired')
  })

  test('error: not-found, for another project, another order and an invalid id', async () => {
    const { order } = await world.create(tea)
    const other = await createOrderWorld({ db: database.db, chains: [], now })
    const input = { orderId: order.orderId }
    await expect(getOrder(world.deps, other.serverCall, input)).rejects.toEqual(
      refusal('not-found', /^Not found$/),
    )
    const stranger = world.secretCall('00000000-0000-4000-8000-000000000000')
    await expect(getOrder(world.deps, stranger, input)).rejects.toEqual(refusal('not-found', /^Not found$/))
    await expect(world.get('nonsense')).rejects.toEqual(refusal('not-found', /^Not found$/))
    expect((await getOrder(world.deps, world.secretCall(order.orderId), input)).orderId).toBe(order.orderId)
  })

  test('error: forbidden', async () => {
    const { order } = await world.create(tea)
    const scopes = ['orders.create', 'orders.read'] as const
    const call = withActor({ kind: 'client-key', keyId: 'k', projectId: world.projectId, scopes })
    await expect(getOrder(world.deps, call, { orderId: order.orderId })).rejects.toEqual(
      refusal('forbidden', /./),
    )
  })
})

describe('editOrder and refreshOrder', () => {
  test('default: fills in missing fields', async () => {
    const { order } = await world.create({
      ...tea,
      recipient: undefined,
      payment: { method: 'base-sepolia', currency: 'eth' },
    })
    const secret = world.secretCall(order.orderId)
    const edit = (body: object) => editOrder(world.deps, secret, { orderId: order.orderId, body })
    expect((await edit({ recipient: { walletAddress: recipientAddress } })).payment.status).toBe(
      'requires-crypto-payer-address',
    )
    const paying = await edit({
      payment: { method: 'base-sepolia', currency: 'usdc', payerAddress },
      locale: 'de-DE',
    })
    expect(paying).toMatchObject({
      phase: 'payment',
      locale: 'de-DE',
      quote: { totalPrice: { amount: '30', currency: 'usdc' } },
      payment: { status: 'awaiting-payment', currency: 'usdc' },
      lineItems: [{ delivery: { recipient: { walletAddress: recipientAddress } } }],
    })
  })

  test('behavior: an expired quote is quoted again', async () => {
    const { order } = await world.create(tea)
    nowMs += 700_000
    expect((await world.get(order.orderId)).quote.status).toBe('expired')
    const again = await refreshOrder(world.deps, world.serverCall, { orderId: order.orderId })
    expect(again).toMatchObject({
      phase: 'payment',
      quote: { status: 'valid', quotedAt: new Date(nowMs).toISOString() },
    })
  })

  test('behavior: two concurrent edits both take effect', async () => {
    const { order } = await world.create(tea)
    const edit = (body: object) => editOrder(world.deps, world.serverCall, { orderId: order.orderId, body })
    await Promise.all([edit({ locale: 'fr-FR' }), edit({ recipient: { email: 'ada@example.com' } })])
    expect(await world.get(order.orderId)).toMatchObject({
      locale: 'fr-FR',
      lineItems: [{ delivery: { recipient: { email: 'ada@example.com' } } }],
    })
  })

  test('behavior: fields that an order never shows are kept when a change leaves them out', async () => {
    const physicalAddress = {
      name: 'Ada',
      line1: '1 Quiet Street',
      city: 'Berlin',
      postalCode: '10115',
      country: 'DE',
    }
    const payment = {
      method: 'base-sepolia' as const,
      currency: 'eth',
      receiptEmail: 'ada@example.com',
      payerAddress,
    }
    const { order } = await world.create({
      ...tea,
      recipient: { email: 'ada@example.com', physicalAddress },
      payment,
    })
    const { orderId } = order
    const edit = (body: object) => editOrder(world.deps, world.serverCall, { orderId, body })
    await edit({
      payment: { method: 'base-sepolia', currency: 'usdc' },
      recipient: { walletAddress: recipientAddress },
    })
    const stored = async () =>
      (await readOrder(world.deps.db, orderId, world.serverCall.actor.projectId))?.order
    expect(await stored()).toMatchObject({
      recipient: { walletAddress: recipientAddress, physicalAddress },
      payment: { currency: 'usdc', receiptEmail: 'ada@example.com' },
    })
    await edit({ payment: { ...payment, receiptEmail: 'bob@example.com' } })
    expect((await stored())?.payment.receiptEmail).toBe('bob@example.com')
  })

  test('error: conflict once a payment was seen', async () => {
    const { order } = await world.create(tea)
    chain.pay({ orderId: order.orderId, currency: 'eth', units: 5n })
    await world.look()
    const input = { orderId: order.orderId }
    await expect(refreshOrder(world.deps, world.serverCall, input)).rejects.toEqual(
      refusal('conflict', /payment/),
    )
    const body = { locale: 'fr-FR' as const }
    await expect(editOrder(world.deps, world.serverCall, { ...input, body })).rejects.toEqual(
      refusal('conflict', /payment/),
    )
  })
})

describe('reportPayment', () => {
  test('default: stored as a hint, without changing the state', async () => {
    const { order } = await world.create(tea)
    const body = { type: 'crypto-tx-id' as const, txId: '0xdead' }
    const answer = await reportPayment(world.deps, world.secretCall(order.orderId), {
      orderId: order.orderId,
      body,
    })
    expect(answer).toEqual(order)
    expect(world.queue.map(({ name }) => name)).toContain('payments.look')
  })
})

describe('listOrders', () => {
  test('default: newest first, a page at a time, both ways', async () => {
    const ids: string[] = []
    for (let at = 0; at < 5; at++) {
      nowMs += at % 2
      ids.unshift((await world.create(tea)).order.orderId)
    }
    const list = (input: { limit: number; cursor?: string | undefined }) =>
      listOrders(world.deps, world.serverCall, input)
    const idsOf = (page: { data: { orderId: string }[] }) => page.data.map(({ orderId }) => orderId)
    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.nextCursor })
    const third = await list({ limit: 2, cursor: second.nextCursor })
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)].sort()).toEqual([...ids].sort())
    expect([first.previousCursor, third.nextCursor]).toEqual([undefined, undefined])
    expect(idsOf(await list({ limit: 2, cursor: third.previousCursor }))).toEqual(idsOf(second))
    const back = await list({ limit: 2, cursor: second.previousCursor })
    expect(idsOf(back)).toEqual(idsOf(first))
    expect(back.previousCursor).toBeUndefined()
    expect(back.nextCursor).toBeDefined()
  })

  test('error: input-invalid', async () => {
    await expect(listOrders(world.deps, world.serverCall, { limit: 1, cursor: 'x' })).rejects.toEqual(
      refusal('input-invalid', /^cursor: /),
    )
  })
})
