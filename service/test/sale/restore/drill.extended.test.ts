import { eq } from 'drizzle-orm'
import { type Order, toBaseUnits } from 'kassa/schema'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refunds } from '#base/db/tables/index.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { createShipment } from '#sale/orders/createShipment.js'
import { adoptMissing, findMissing, isMissing } from '#sale/restore/restore.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestSolana } from '../../helpers/createTestSolana.js'
import { takeBackup } from '../../helpers/takeBackup.js'

const chains = ['base-sepolia', 'solana'] as const

let evm: Awaited<ReturnType<typeof createTestChain>>
let solana: Awaited<ReturnType<typeof createTestSolana>>
let world: OrderWorld
let templateId: string
beforeAll(async () => {
  evm = await createTestChain()
  solana = await createTestSolana({ database: evm.database })
  world = await createOrderWorld({ db: evm.db, chains: [evm.chain, solana.chain], now: Date.now })
  await world.createCollection({ id: 'prints' })
  await world.createCollection({ id: 'editions', fungibility: 'semi-fungible' })
  await world.createCollection({ id: 'club', isSubscription: true, isTransferable: false })
  await world.createCollection({ id: 'tea', chain: 'solana', price: '0.5', currency: 'sol' })
  templateId = await world.createTemplate({ collectionId: 'editions', tokenId: 7n })
})
afterAll(async () => {
  await solana.close()
  await evm.close()
})

/** What is sold: of each kind of goods on each chain, in each kind of money. */
const goods = [
  { name: 'prints', currency: 'eth' },
  { name: 'prints', currency: 'usdc' },
  { name: 'editions', currency: 'eth' },
  { name: 'club', currency: 'usdc' },
  { name: 'tea', currency: 'sol' },
  { name: 'tea', currency: 'usdc' },
] as const
type Goods = (typeof goods)[number]

const isSolana = ({ name }: Goods): boolean => name === 'tea'
const decimals = { eth: 18, sol: 9, usdc: 6 } as const

/** A buyer with a wallet of their own, who can be asked for their balance. */
const createBuyer = async (item: Goods) => {
  const { currency } = item
  if (isSolana(item)) {
    const payer = await solana.createPayer()
    const balance = async () =>
      (await solana.chain.wallets.getBalances(payer.address, [currency]))[currency] ?? 0n
    return { address: payer.address as string, pay: payer.pay, balance }
  }
  const payer = await evm.createPayer()
  if (currency === 'usdc') await payer.mintTokens('usdc', 10n ** 9n)
  const balance = () =>
    currency === 'usdc'
      ? evm.tokensOf(payer.address, 'usdc')
      : evm.client.getBalance({ address: payer.address as Hex })
  return { address: payer.address as string, pay: payer.pay, balance }
}

/** Lets time pass: what would be tried again later runs now. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 6; round++) {
    await world.look()
    await world.drain()
    for (const job of world.queue) job.startAfterMs = 0
  }
}

const order = async (item: Goods) => {
  const buyer = await createBuyer(item)
  const { name, currency } = item
  const method = isSolana(item) ? 'solana' : 'base-sepolia'
  const locator = name === 'editions' ? `kassa:${name}:${templateId}` : `kassa:${name}`
  const created = await world.create({
    lineItems: { collectionLocator: locator },
    recipient: {
      walletAddress: buyer.address,
      physicalAddress: { name: 'A', line1: 'B 1', city: 'C', postalCode: '1', country: 'DE' },
    },
    payment: { method, currency, payerAddress: buyer.address },
  })
  const { orderId, quote } = created.order
  const units = toBaseUnits(quote.totalPrice?.amount ?? '', decimals[currency]) ?? 0n
  const chain = isSolana(item) ? solana.chain : evm.chain
  const pay = async (): Promise<void> => {
    const terms = { orderId, payer: buyer.address, currency, units, deadlineMs: Date.now() + 600_000 }
    const prepared = await chain.preparePayment(terms)
    if (prepared.status !== 'ready') throw new Error(`${orderId}: ${prepared.status}`)
    await buyer.pay(prepared.serializedTransaction)
  }
  return { orderId, item, buyer, pay }
}
type Purchase = Awaited<ReturnType<typeof order>>

const buy = async (items: readonly Goods[]): Promise<Purchase[]> => {
  const bought: Purchase[] = []
  for (const item of items) {
    const purchase = await order(item)
    await purchase.pay()
    bought.push(purchase)
  }
  await settle()
  return bought
}

const amounts = { eth: '0.002', sol: '0.1', usdc: '3' } as const
const giveBack = ({ orderId, item }: Purchase) =>
  createRefund(world.deps, world.serverCall, { orderId, body: { amount: amounts[item.currency] } })

const tokenOf = ({ lineItems }: Order): string => {
  const [token] = lineItems[0]?.delivery.tokens ?? []
  return token?.mintHash ?? `${token?.contractAddress}:${token?.tokenId}`
}

const expectBooks = async (): Promise<void> => expect((await getLedger(world.deps)).differing).toEqual([])

test('behavior: after a restored backup, 50 buyers get their tokens and 10 refunds arrive', async () => {
  const before = await buy(goods)
  const open = await Promise.all(goods.map(order))
  const restoreRows = await takeBackup(evm.db)
  const queue = world.queue.map((job) => ({ ...job }))

  // What the backup does not know: sales, payments, refunds, mints by hand, a parcel.
  for (const { pay } of open) await pay()
  await settle()
  const seen = await Promise.all(open.map(async ({ orderId }) => tokenOf(await world.get(orderId))))
  const gone = await buy(goods)
  const lost = await Promise.all(gone.map(async ({ orderId }) => tokenOf(await world.get(orderId))))
  for (const purchase of before.filter(({ item }) => item.name !== 'club')) await giveBack(purchase)
  const [first] = before
  await mintNft(world.deps, world.serverCall, {
    collectionId: 'prints',
    body: {
      recipient: `base-sepolia:${first?.buyer.address}`,
      metadata: { name: 'By hand', image: 'ipfs://hand', description: 'By hand' },
    },
  })
  const parcel = { carrier: 'DHL', trackingNumber: '1' }
  await createShipment(world.deps, world.serverCall, { orderId: first?.orderId ?? '', body: parcel })
  await settle()
  await expectBooks()

  await restoreRows()
  world.queue.splice(0, world.queue.length, ...queue)
  const missing = await findMissing(world.deps, chains)
  expect(missing.map(isMissing)).toEqual([true, true])
  await expect(solana.chain.recover()).rejects.toMatchObject({ code: 'chain-unavailable' })
  for (const one of missing) await adoptMissing(world.deps, one)
  expect((await findMissing(world.deps, chains)).map(isMissing)).toEqual([false, false])
  await settle()

  // Those who had ordered have the token that was minted for them, and refunds stay made.
  const after = await Promise.all(open.map(async ({ orderId }) => tokenOf(await world.get(orderId))))
  expect(after).toEqual(seen)
  for (const { orderId, item } of before) {
    const rows = await evm.db.select().from(refunds).where(eq(refunds.orderId, orderId))
    expect(rows.map(({ status }) => status)).toEqual(item.name === 'club' ? [] : ['sent'])
  }
  await expectBooks()

  const wanted = Array.from({ length: 50 }, (_, at) => goods[at % goods.length] as Goods)
  const bought = await buy(wanted)
  const tokens = await Promise.all(bought.map(async ({ orderId }) => tokenOf(await world.get(orderId))))
  expect(tokens.some((token) => token.includes('undefined'))).toBe(false)
  const single = tokens.filter((_, at) => bought[at]?.item.name !== 'editions')
  expect(new Set([...single, ...seen, ...lost]).size).toBe(single.length + new Set([...seen, ...lost]).size)
  for (const purchase of bought.slice(0, 10)) {
    const held = await purchase.buyer.balance()
    await giveBack(purchase)
    await settle()
    const { currency } = purchase.item
    expect((await purchase.buyer.balance()) - held).toBe(toBaseUnits(amounts[currency], decimals[currency]))
  }
  await expectBooks()
})
