import { beforeEach, expect, test } from 'vitest'
import type { Call } from '#base/call.js'
import { mails, wallets } from '#base/db/tables/index.js'
import { getOrder, listOrders } from '#sale/orders/readOrders.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import {
  createOrderWorld,
  type OrderWorld,
  payerAddress,
  recipientAddress,
} from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const price = 10n ** 16n
const email = 'ada@example.com'
let nowMs: number
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain

beforeEach(async () => {
  nowMs = 1_800_000_000_123
  const now = () => nowMs
  await clearDatabase(database.db)
  chain = createFakeChain({ now })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now })
  await world.createCollection({ id: 'tea' })
})

/** Pays for an order, and leaves its delivery to be done. */
const buy = async (body: Record<string, unknown>, quantity: number): Promise<string> => {
  const { order } = await world.create({ recipient: { email }, ...body })
  chain.pay({ orderId: order.orderId, currency: 'eth', units: BigInt(quantity) * price })
  await world.look()
  return order.orderId
}
const itemOf = (locator: string, quantity = 1) => ({
  collectionLocator: `kassa:${locator}`,
  callData: { quantity },
})
const written = () => database.db.select().from(mails)

const bodies = async () => (await written()).map(({ kind, recipient, data }) => ({ kind, recipient, data }))

test('default: a recipient with an e-mail address is notified on delivery, in the language of the order', async () => {
  const orderId = await buy({ lineItems: itemOf('tea'), locale: 'de-DE' }, 1)
  expect(await written()).toEqual([])
  await world.drain()
  const [token] = (await world.get(orderId)).lineItems[0]?.delivery.tokens ?? []
  expect(await written()).toMatchObject([
    {
      projectId: world.projectId,
      recipient: email,
      locale: 'de-DE',
      kind: 'order-delivered',
      sentAt: null,
      data: {
        items: [
          {
            tokenName: 'tea',
            collectionName: 'tea',
            chain: 'base-sepolia',
            tokenId: '1',
            imageUrl: '',
            contractAddress: token?.contractAddress,
          },
        ],
      },
    },
  ])
})

test('behavior: an internationalised domain is one address in both spellings, and the mail server gets Punycode', async () => {
  await world.createCollection({ id: 'one', sale: { maxPerBuyer: { email: 1 } } })
  const typed = 'ada@müller.example'
  const ascii = 'ada@xn--mller-kva.example'
  const orderId = await buy({ recipient: { email: typed }, lineItems: itemOf('one') }, 1)
  await world.drain()
  expect((await written()).map(({ recipient }) => recipient)).toEqual([ascii])
  expect((await world.get(orderId)).lineItems[0]?.delivery.recipient?.email).toBe(ascii)
  for (const search of [typed, ascii, 'ADA@MÜLLER.example']) {
    const { data } = await listOrders(world.deps, world.serverCall, { limit: 10, search })
    expect(data.map((order) => order.orderId)).toEqual([orderId])
  }
  for (const email of [typed, ascii]) {
    const { order } = await world.create({ recipient: { email }, lineItems: itemOf('one') })
    expect(order.lineItems[0]?.quote.status).toBe('item-unavailable')
  }
  const [wallet, ...others] = await database.db.select().from(wallets)
  expect([wallet?.userLocator, others]).toEqual([`email:${ascii}`, []])
})

test('behavior: one e-mail for the whole order, whatever it contains', async () => {
  const templateId = await world.createTemplate({ collectionId: 'tea', name: 'Green' })
  await buy({ lineItems: [itemOf(`tea:${templateId}`, 3), itemOf('tea')] }, 4)
  await world.drain()
  expect(await bodies()).toMatchObject([
    {
      kind: 'order-delivered',
      data: {
        items: [
          { tokenName: 'Green × 3', tokenId: '1, 2, 3' },
          { tokenName: 'tea', tokenId: '4' },
        ],
      },
    },
  ])
})

test('behavior: copies of one token are one number', async () => {
  await world.createCollection({ id: 'prints', fungibility: 'semi-fungible' })
  const templateId = await world.createTemplate({ collectionId: 'prints', name: 'Sun', tokenId: 7n })
  await buy({ lineItems: itemOf(`prints:${templateId}`, 2) }, 2)
  await world.drain()
  expect(await bodies()).toMatchObject([{ data: { items: [{ tokenName: 'Sun × 2', tokenId: '7' }] } }])
})

test('behavior: a picture that the service stores is shown', async () => {
  const cid = await world.deps.storage.put(new TextEncoder().encode('a picture'), 'image/png')
  const templateId = await world.createTemplate({ collectionId: 'tea', name: cid })
  await buy({ lineItems: itemOf(`tea:${templateId}`) }, 1)
  await world.drain()
  const imageUrl = `http://localhost:4000/ipfs/${cid}`
  expect(await bodies()).toMatchObject([{ data: { items: [{ imageUrl }] } }])
})

test('behavior: the payer gets the receipt when the payment is confirmed, and a gift names its giver', async () => {
  const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, receiptEmail: 'grace@example.com' }
  const gift = { giverName: 'Grace <b>', note: 'Happy birthday' }
  const orderId = await buy({ lineItems: itemOf('tea', 2), payment, gift }, 2)
  const receipt = {
    kind: 'order-confirmed',
    recipient: 'grace@example.com',
    data: {
      lines: [{ name: 'tea × 2', amount: '0.02 ETH' }],
      total: '0.02 ETH',
      tax: '',
      orderId,
    },
  }
  expect(await bodies()).toMatchObject([receipt])
  await world.drain()
  expect((await bodies()).sort((one, other) => one.kind.localeCompare(other.kind))).toMatchObject([
    receipt,
    { kind: 'order-delivered', recipient: email, data: { gift } },
  ])
})

test('behavior: the receipt writes dollars with two decimals', async () => {
  const payment = {
    method: 'base-sepolia',
    currency: 'usdc',
    payerAddress,
    receiptEmail: 'grace@example.com',
  }
  const { order } = await world.create({ recipient: { email }, lineItems: itemOf('tea'), payment })
  expect(order.quote.totalPrice?.amount).toBe('30')
  chain.pay({ orderId: order.orderId, currency: 'usdc', units: 30_000_000n })
  await world.look()
  const lines = [{ name: 'tea', amount: '30.00 USDC' }]
  expect(await bodies()).toMatchObject([{ kind: 'order-confirmed', data: { lines, total: '30.00 USDC' } }])
})

test('behavior: strangers send one address ten notes a day from a shop, and then gifts without', async () => {
  const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, receiptEmail: 'giver@example.com' }
  const give = async () => {
    await buy({ lineItems: itemOf('tea'), payment, gift: { giverName: 'Grace', note: 'Hello' } }, 1)
    await world.drain()
    const delivered = (await bodies()).filter(({ kind }) => kind === 'order-delivered')
    return delivered.filter(({ data }) => 'gift' in data && data.gift?.note !== undefined).length
  }
  for (let count = 1; count <= 10; count++) expect(await give()).toBe(count)
  expect(await give()).toBe(10)
  expect((await bodies()).filter(({ kind }) => kind === 'order-delivered')).toHaveLength(11)
  nowMs += 24 * 60 * 60_000
  expect(await give()).toBe(11)
})

test("behavior: a gift without a giver's name comes from the paying account", async () => {
  const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, receiptEmail: 'grace@example.com' }
  await buy({ lineItems: itemOf('tea'), payment }, 1)
  await world.drain()
  const told = (await bodies()).find(({ kind }) => kind === 'order-delivered')
  expect(told).toMatchObject({ data: { gift: { giverName: '0x0000…00aa' } } })
})

test("behavior: the buyer's private details are shown to the merchant alone", async () => {
  const physicalAddress = { name: 'Ada', line1: 'Weg 1', city: 'Wien', postalCode: '1010', country: 'AT' }
  const { order, clientSecret: _ } = await world.create({
    lineItems: itemOf('tea'),
    recipient: { email, physicalAddress },
    payment: { method: 'base-sepolia', currency: 'eth', payerAddress, receiptEmail: 'grace@example.com' },
    gift: { note: 'Happy birthday' },
  })
  const { orderId } = order
  const shown = {
    lineItems: [{ delivery: { recipient: { email, physicalAddress } } }],
    payment: { receiptEmail: 'grace@example.com' },
    gift: { note: 'Happy birthday' },
  }
  expect(order).toMatchObject(shown)
  expect(await world.get(orderId)).toMatchObject(shown)
  const { data } = await listOrders(world.deps, world.serverCall, { limit: 10 })
  expect(data).toMatchObject([shown])
  const secret = world.secretCall(orderId)
  const input = { orderId }
  const byClientKey: Call = {
    ...secret,
    actor: { ...world.serverCall.actor, kind: 'client-key' } as Call['actor'],
  }
  const body = { lineItems: itemOf('tea'), recipient: { email, physicalAddress }, payment: shown.payment }
  const created = await world.create(
    { ...body, payment: { method: 'base-sepolia', currency: 'eth', ...shown.payment }, gift: shown.gift },
    byClientKey,
  )
  const txId = `0x${'12'.repeat(32)}`
  const seen = [
    created,
    await getOrder(world.deps, secret, input),
    await editOrder(world.deps, secret, { orderId, body: { locale: 'de-DE' } }),
    await refreshOrder(world.deps, secret, input),
    await reportPayment(world.deps, secret, { orderId, body: { type: 'crypto-tx-id', txId } }),
  ]
  for (const each of seen) expect(JSON.stringify(each)).not.toMatch(/Weg 1|grace@|Happy/)
})

test('behavior: killed after any chain write, or run by two at once, it sends one e-mail', async () => {
  const orderId = await buy({ lineItems: itemOf('tea', 2) }, 2)
  for (const kind of ['collection', 'mint']) {
    chain.state.afterWrite = (key) => {
      if (!key.startsWith(kind)) return
      chain.state.afterWrite = () => {}
      throw new Error('killed')
    }
    await world.drain().catch((error: Error) => expect(error.message).toBe('killed'))
  }
  expect(await written()).toEqual([])
  await Promise.all([world.drain(), world.drain(), world.drain()])
  expect((await world.get(orderId)).phase).toBe('completed')
  expect(await written()).toHaveLength(1)
})

test('behavior: no e-mail to a recipient with an external wallet', async () => {
  const recipient = { walletAddress: recipientAddress }
  const orderId = await buy({ lineItems: itemOf('tea'), recipient }, 1)
  await world.drain()
  expect((await world.get(orderId)).phase).toBe('completed')
  expect(await written()).toEqual([])
})

test('behavior: no e-mail about what the chain refuses', async () => {
  chain.state.refusals.set('mint', 'Paused')
  await buy({ lineItems: itemOf('tea') }, 1)
  for (let minute = 0; minute < 30; minute++) {
    await world.drain()
    nowMs += 60_000
  }
  expect(await written()).toEqual([])
})
