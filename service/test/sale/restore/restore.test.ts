import { eq } from 'drizzle-orm'
import { createWalletClient, getAddress, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { refunds } from '#base/db/tables/index.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { adoptMissing, findMissing, isMissing } from '#sale/restore/restore.js'
import { createMoneyWorld, price } from '../../helpers/createMoneyWorld.js'
import { recipientAddress } from '../../helpers/createOrderWorld.js'
import { runIn } from '../../helpers/runCommand.js'
import { takeBackup } from '../../helpers/takeBackup.js'

type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>
type Shop = Awaited<ReturnType<MoneyWorld['open']>>
type Payer = Awaited<ReturnType<MoneyWorld['createPayer']>>

let money: MoneyWorld
let shop: Shop
let payer: Payer
beforeEach(async () => {
  money = await createMoneyWorld()
  shop = await money.open()
  payer = await money.createPayer()
})
afterEach(() => money.close())

/** Backs up the database and the queue. */
const backUp = async () => {
  const restore = await takeBackup(money.db)
  const queue = shop.queue.map((job) => ({ ...job }))
  return async () => {
    await restore()
    shop.queue.splice(0, shop.queue.length, ...queue)
  }
}

const sell = async (currency: 'eth' | 'usdc', extra = 0n): Promise<string> => {
  const orderId = await shop.create(payer, currency)
  await payer.send(orderId, currency, price[currency] + extra)
  await shop.settle(orderId)
  return orderId
}

const tokenOf = async (orderId: string): Promise<string | undefined> => {
  const { delivery } = (await shop.get(orderId)).lineItems[0] ?? {}
  return delivery?.tokens?.[0]?.tokenId
}

/** Returns the id of the one token of a delivered order, and its holder on chain. */
const deliveredOf = async (orderId: string) => {
  const [token] = (await shop.get(orderId)).lineItems[0]?.delivery.tokens ?? []
  if (!token?.contractAddress || !token.tokenId) throw new Error(`the order ${orderId} is not delivered`)
  const { contractAddress, tokenId } = token
  return { tokenId, owner: await money.chain.ownerOf({ contractAddress, tokenId: BigInt(tokenId) }) }
}

const refund = (orderId: string, amount: string) =>
  createRefund(shop.deps, shop.serverCall, { orderId, body: { amount } })

const refundsOf = (orderId: string) => money.db.select().from(refunds).where(eq(refunds.orderId, orderId))

const adopt = async () => {
  const [missing] = await findMissing(shop.deps, ['base-sepolia'])
  if (!missing) throw new Error('no chain was read')
  await adoptMissing(shop.deps, missing)
  return missing
}

/** Lets time pass: what would be tried again later runs now. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 6; round++) {
    await shop.look()
    await shop.drain()
    for (const job of shop.queue) job.startAfterMs = 0
  }
}

describe.each(['eth', 'usdc'] as const)('a database restored after sales in %s', (currency) => {
  test('behavior: a chain with writes that the database does not know is not served', async () => {
    const restore = await backUp()
    await sell(currency)
    await restore()
    const unknown = { code: 'chain-unavailable', message: expect.stringContaining('restore check') }
    await expect(money.openPort().ready()).rejects.toMatchObject(unknown)
    // A process that was connected before the database failed over signs nothing either.
    const orderId = await shop.create(payer, currency)
    await payer.send(orderId, currency, price[currency])
    await shop.look()
    await expect(shop.drain()).rejects.toMatchObject(unknown)
    await adopt()
    await expect(money.openPort().ready()).resolves.toBeUndefined()
    expect((await findMissing(shop.deps, ['base-sepolia'])).some(isMissing)).toBe(false)
  })

  test('behavior: a buyer who paid after the backup gets the token that was minted, once', async () => {
    const orderId = await shop.create(payer, currency)
    const restore = await backUp()
    await payer.send(orderId, currency, price[currency])
    const before = await shop.settle(orderId)
    const others = [await sell(currency), await sell(currency)]
    const taken = await Promise.all([orderId, ...others].map(tokenOf))
    await restore()
    await adopt()
    await settled()
    const after = await shop.get(orderId)
    expect(after.phase).toBe('completed')
    expect(after.lineItems[0]?.delivery).toEqual(before.lineItems[0]?.delivery)
    expect((await shop.ledger()).differing).toEqual([])
    const next = await sell(currency)
    expect(taken).not.toContain(await tokenOf(next))
    expect((await money.payOuts(orderId)).length).toBe(1)
    expect((await shop.ledger()).differing).toEqual([])
  })

  test('behavior: a refund that the merchant requested after the backup stays made, and the next is really there', async () => {
    const orderId = await sell(currency)
    const restore = await backUp()
    const amount = currency === 'eth' ? '0.004' : '12'
    await refund(orderId, amount)
    await settled()
    const [made] = await refundsOf(orderId)
    expect(made?.status).toBe('sent')
    await restore()
    await adopt()
    await settled()
    const [known] = await refundsOf(orderId)
    const { id, payOutKey, units, txId } = made ?? {}
    expect(known).toMatchObject({ id, payOutKey, units, txId, status: 'sent', source: 'treasury' })
    expect((await shop.ledger()).differing).toEqual([])
    const balance = () =>
      currency === 'eth' ? money.client.getBalance({ address: payer.address }) : payer.tokens('usdc')
    const held = await balance()
    await refund(orderId, currency === 'eth' ? '0.003' : '9')
    await settled()
    expect((await balance()) - held).toBe(currency === 'eth' ? 3n * 10n ** 15n : 9_000_000n)
    expect((await shop.ledger()).differing).toEqual([])
  })

  test('behavior: what the service refunds by itself is not refunded again', async () => {
    const orderId = await shop.create(payer, currency)
    const restore = await backUp()
    await payer.send(orderId, currency, 2n * price[currency])
    await shop.settle(orderId)
    const made = await money.payOuts(orderId)
    await restore()
    await adopt()
    await settled()
    expect(await money.payOuts(orderId)).toEqual(made)
    expect((await shop.get(orderId)).phase).toBe('completed')
    expect((await shop.ledger()).differing).toEqual([])
  })
})

test('behavior: the command lists what the database lacks, and takes it in', async () => {
  const orderId = await shop.create(payer, 'eth')
  const restore = await backUp()
  await payer.send(orderId, 'eth', price.eth)
  await shop.settle(orderId)
  await sell('eth')
  const run = (word: string) => runIn({ env: {}, service: shop.deps }, ['restore', word])
  expect(await run('check')).toMatchObject({ status: 0 })
  await restore()
  const checked = await run('check')
  expect(checked.status).toBe(1)
  expect(checked.out).toContain(
    "base-sepolia: the operator's key has made 5 writes that this database does not know.",
  )
  expect(checked.out).toMatch(new RegExp(`payout +0.01 eth +${money.operator} +${orderId}`))
  expect(checked.out).toMatch(new RegExp(`payment +0.01 eth +${payer.address} +unknown`))
  expect(checked.err).toContain('kassa-service restore adopt')
  expect(await run('adopt')).toMatchObject({ status: 0 })
  expect(await run('check')).toMatchObject({ status: 0 })
  await settled()
  expect((await shop.get(orderId)).phase).toBe('completed')
})

test('behavior: a purchase after a restore gets the token id after those on the chain', async () => {
  expect(await deliveredOf(await sell('eth'))).toMatchObject({ tokenId: '1' })
  const restore = await backUp()
  await sell('eth')
  expect(await deliveredOf(await sell('eth'))).toMatchObject({ tokenId: '3' })
  await restore()
  await adopt()
  await settled()
  const owner = getAddress(recipientAddress)
  expect(await deliveredOf(await sell('eth'))).toEqual({ tokenId: '4', owner })
})

test('behavior: the payments of orders that the database lacks are listed', async () => {
  const restore = await backUp()
  const orderId = await sell('eth')
  await restore()
  const [missing] = await findMissing(shop.deps, ['base-sepolia'])
  expect(missing?.unknownPayments).toMatchObject([
    { payer: payer.address, units: price.eth, currency: 'eth' },
  ])
  expect(missing?.writes.map(({ kind }) => kind).sort()).toEqual(['mint', 'pay-out'])
  expect([...(missing?.orderIds.values() ?? [])]).not.toContain(orderId)
})

test("behavior: the operator's own transfers stop nothing", async () => {
  await sell('eth')
  const wallet = createWalletClient({
    account: privateKeyToAccount(money.operatorKey),
    transport: http(await money.node.rpcUrl()),
  })
  const hash = await wallet.sendTransaction({ chain: null, to: payer.address, value: 1n })
  await money.client.waitForTransactionReceipt({ hash })
  await expect(sell('eth').catch(() => sell('eth'))).resolves.toBeDefined()
  expect((await shop.ledger()).differing).toEqual([])
})
