import { setTimeout as sleep } from 'node:timers/promises'
import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex, parseTransaction } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { getLedger } from '#sale/ledger/getLedger.js'
import { recheckFunds } from '#sale/payments/recheckFunds.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const recipient = '0x000000000000000000000000000000000000dEaD'
const usdcUnits = 30_000_000n
const chain = openBeforeAll(createTestChain)
let world: OrderWorld

const openWorld = (config: { quoteTtlMs?: number } = {}) =>
  createOrderWorld({ db: chain.db, chains: [chain.chain], now: Date.now, config })

beforeAll(async () => {
  world = await openWorld()
  await world.createCollection({ id: 'tea' })
})

const createPayer = async () => {
  const payer = await chain.createPayer()
  await payer.mintTokens('usdc', 10n * usdcUnits)
  return payer
}
type Payer = Awaited<ReturnType<typeof createPayer>>

const create = async (payer: Payer, currency: string, body: object = {}, at = world) => {
  const { order } = await at.create({
    lineItems: { collectionLocator: 'kassa:tea' },
    recipient: { walletAddress: recipient },
    payment: { method: 'base-sepolia', currency, payerAddress: payer.address },
    ...body,
  })
  const transaction = order.payment.preparation?.serializedTransaction
  if (!transaction) throw new Error(`nothing to sign: ${order.payment.status}`)
  return { orderId: order.orderId, transaction }
}

/** Asserts that every base unit of every order is accounted for, at any point. */
const expectBalanced = async () => expect((await getLedger(world.deps)).differing).toEqual([])

const settle = async (orderId: string, at = world) => {
  await at.look()
  await expectBalanced()
  await at.drain()
  await expectBalanced()
  return at.get(orderId)
}

const tokenOf = (currency: string) =>
  chain.chain.currencies.find((known) => known.currency === currency)?.address as Hex
const usdcOf = (owner: Hex) =>
  chain.client.readContract({
    address: tokenOf('usdc'),
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  })

/** Sends any amount of tokens to an order's target. */
const transfer = async (payer: Payer, transaction: string, units: bigint) => {
  const { data = '0x' } = parseTransaction(transaction as `0x02${string}`)
  const [to] = decodeFunctionData({ abi: erc20Abi, data }).args as readonly [Hex, bigint]
  const changed = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })
  return payer.pay(transaction, { data: changed })
}

describe('a purchase on a real chain', () => {
  test('behavior: the transaction pays the quoted amount of a coin, with its value in dollars', async () => {
    await world.createCollection({ id: 'third', price: '10', currency: 'usd' })
    const payer = await createPayer()
    const body = { lineItems: { collectionLocator: 'kassa:third' } }
    const { orderId, transaction } = await create(payer, 'eth', body)
    const { quote, lineItems } = await world.get(orderId)
    const total = { amount: '0.00333334', currency: 'eth', fiat: { amount: '10.00', currency: 'usd' } }
    expect(quote.totalPrice).toEqual(total)
    expect(lineItems[0]?.quote).toMatchObject({ charges: { unit: total }, totalPrice: total })
    expect(parseTransaction(transaction as `0x02${string}`).value).toBe(3333340000000000n)
    await payer.pay(transaction)
    const { phase, payment } = await settle(orderId)
    expect({ phase, received: payment.received?.amount }).toEqual({
      phase: 'completed',
      received: '0.00333334',
    })
  })

  test.each(['eth', 'usdc'])('default: paid in %s, delivered, swept', async (currency) => {
    const payer = await createPayer()
    const before = await usdcOf(chain.operator)
    const { orderId, transaction } = await create(payer, currency)
    const txId = await payer.pay(transaction)
    const order = await settle(orderId)
    expect(order).toMatchObject({
      phase: 'completed',
      payment: { status: 'completed', received: { currency, chain: 'base-sepolia', txId } },
    })
    const { contractAddress = '', tokenId = '' } = order.lineItems[0]?.delivery.tokens?.[0] ?? {}
    expect(await chain.chain.ownerOf({ contractAddress, tokenId: BigInt(tokenId) })).toBe(recipient)
    if (currency === 'usdc') expect(await usdcOf(chain.operator)).toBe(before + usdcUnits)
  })

  test('parameters: a hundred semi-fungible tokens, each with its own id', async () => {
    await world.createCollection({ id: 'coins', fungibility: 'semi-fungible', price: '0.0001' })
    const lineItems = { collectionLocator: 'kassa:coins', callData: { quantity: 100 } }
    const payer = await createPayer()
    const { orderId, transaction } = await create(payer, 'eth', { lineItems })
    await payer.pay(transaction)
    const { phase, lineItems: [item] = [] } = await settle(orderId)
    expect([phase, item?.delivery.status]).toEqual(['completed', 'completed'])
    expect(new Set(item?.delivery.tokens?.map(({ tokenId }) => tokenId))).toHaveProperty('size', 100)
    const hash = item?.delivery.txId as Hex
    const { gasUsed } = await chain.client.getTransactionReceipt({ hash })
    // Half of what one transaction may use on chains with a limit.
    expect(gasUsed).toBeLessThan(10_000_000n)
  })

  test('behavior: an underpayment waits, and is refunded once the buyer pays the whole price', async () => {
    const payer = await createPayer()
    const before = await usdcOf(payer.address)
    const { orderId, transaction } = await create(payer, 'usdc')
    await transfer(payer, transaction, usdcUnits - 1n)
    expect(await settle(orderId)).toMatchObject({
      phase: 'payment',
      payment: {
        status: 'awaiting-payment',
        failureReason: { code: 'underpaid' },
        received: { amount: '29.999999' },
      },
    })
    expect(await usdcOf(payer.address)).toBe(before - usdcUnits + 1n)
    await payer.pay(transaction)
    expect((await settle(orderId)).phase).toBe('completed')
    expect(await usdcOf(payer.address)).toBe(before - usdcUnits)
  })

  test('behavior: an overpaid order is delivered, and the excess is refunded', async () => {
    const payer = await createPayer()
    const before = await usdcOf(payer.address)
    const { orderId, transaction } = await create(payer, 'usdc')
    await transfer(payer, transaction, usdcUnits + 5n)
    expect(await settle(orderId)).toMatchObject({
      phase: 'completed',
      payment: { refunded: { amount: '0.000005' } },
    })
    expect(await usdcOf(payer.address)).toBe(before - usdcUnits)
  })

  test('behavior: a second payment is refunded', async () => {
    const payer = await createPayer()
    const before = await usdcOf(payer.address)
    const { orderId, transaction } = await create(payer, 'usdc')
    await payer.pay(transaction)
    await settle(orderId)
    await payer.pay(transaction)
    expect((await settle(orderId)).phase).toBe('completed')
    expect(await usdcOf(payer.address)).toBe(before - usdcUnits)
  })

  test('behavior: a late token payment is refunded; a late native one never leaves the wallet', async () => {
    const hasty = await openWorld({ quoteTtlMs: 1500 })
    await hasty.createCollection({ id: 'tea' })
    const payer = await createPayer()
    const before = await usdcOf(payer.address)
    const tokens = await create(payer, 'usdc', {}, hasty)
    const native = await create(payer, 'eth', {}, hasty)
    await sleep(3000)
    await payer.pay(tokens.transaction)
    expect(await settle(tokens.orderId, hasty)).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
      payment: { failureReason: { code: 'expired' }, refunded: { amount: '30' } },
    })
    expect(await usdcOf(payer.address)).toBe(before)
    await payer.pay(native.transaction).catch(() => {})
    const unpaid = await settle(native.orderId, hasty)
    expect(unpaid).toMatchObject({ phase: 'quote', quote: { status: 'expired' } })
    expect(unpaid.payment.received).toBeUndefined()
  })

  test('behavior: two orders paid in one block are distinguished', async () => {
    const [one, two] = [await createPayer(), await createPayer()]
    const [first, second] = [await create(one, 'eth'), await create(two, 'usdc')]
    await chain.client.setAutomine(false)
    const paid = Promise.all([one.pay(first.transaction), two.pay(second.transaction)])
    while ((await chain.client.getTxpoolStatus()).pending < 2) await sleep(20)
    await chain.client.mine({ blocks: 1 })
    const [firstTx, secondTx] = await paid
    await chain.client.setAutomine(true)
    const blocks = await Promise.all(
      [firstTx, secondTx].map((hash) => chain.client.getTransactionReceipt({ hash })),
    )
    expect(blocks[0]?.blockHash).toBe(blocks[1]?.blockHash)
    await settle(first.orderId)
    expect((await world.get(first.orderId)).payment.received).toMatchObject({
      currency: 'eth',
      txId: firstTx,
    })
    expect((await world.get(second.orderId)).payment.received).toMatchObject({
      currency: 'usdc',
      txId: secondTx,
    })
    expect((await world.get(second.orderId)).phase).toBe('completed')
  })

  test('behavior: an e-mail recipient gets a custodial wallet that owns the token', async () => {
    const payer = await createPayer()
    const { orderId, transaction } = await create(payer, 'eth', { recipient: { email: 'ada@example.com' } })
    await payer.pay(transaction)
    const { delivery } = (await settle(orderId)).lineItems[0] ?? {}
    const { contractAddress = '', tokenId = '' } = delivery?.tokens?.[0] ?? {}
    expect(delivery?.recipient?.email).toBe('ada@example.com')
    expect(await chain.chain.ownerOf({ contractAddress, tokenId: BigInt(tokenId) })).toBe(
      delivery?.recipient?.walletAddress,
    )
  })

  test('behavior: sold out in the meantime: the item fails and its price is refunded', async () => {
    await world.createCollection({ id: 'rare', supplyLimit: 1, price: '30', currency: 'usdc' })
    const [quick, slow] = [await createPayer(), await createPayer()]
    const before = await usdcOf(slow.address)
    const rare = { lineItems: { collectionLocator: 'kassa:rare' } }
    const [first, second] = [await create(quick, 'usdc', rare), await create(slow, 'usdc', rare)]
    await quick.pay(first.transaction)
    expect((await settle(first.orderId)).lineItems[0]?.delivery.status).toBe('completed')
    await slow.pay(second.transaction)
    expect(await settle(second.orderId)).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'failed' } }],
      payment: { refunded: { amount: '30' } },
    })
    expect(await usdcOf(slow.address)).toBe(before)
  })

  test('behavior: too few funds, too little gas, and enough again', async () => {
    const payment = (payerAddress: string) => ({
      payment: { method: 'base-sepolia', currency: 'usdc', payerAddress },
    })
    const tea = { lineItems: { collectionLocator: 'kassa:tea' } }
    const poor = await chain.createPayer()
    const { order } = await world.create({ ...tea, ...payment(poor.address) })
    expect(order.payment.status).toBe('crypto-payer-insufficient-funds')
    await poor.mintTokens('usdc', usdcUnits)
    await chain.client.setBalance({ address: poor.address, value: 1n })

    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect((await world.get(order.orderId)).payment.status).toBe('crypto-payer-insufficient-funds-for-gas')
    await chain.client.setBalance({ address: poor.address, value: 10n ** 18n })
    await recheckFunds(world.deps, 'base-sepolia', { limit: 50 })
    expect((await world.get(order.orderId)).payment).toMatchObject({
      status: 'awaiting-payment',
      preparation: { chain: 'base-sepolia' },
    })
  })
})
