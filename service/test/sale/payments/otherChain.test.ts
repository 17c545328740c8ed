import { afterAll, beforeAll, expect, test } from 'vitest'
import { getLedger } from '#sale/ledger/getLedger.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { giveUpHints, lookAtHints } from '#sale/payments/lookAtHints.js'
import { createMoneyWorld, price } from '../../helpers/createMoneyWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>
const chain = openBeforeAll(createMoneyWorld)
/** A second chain, with the same operator and therefore the same contracts. */
let other: Awaited<ReturnType<typeof createTestChain>>
let world: Awaited<ReturnType<MoneyWorld['open']>>
let buyer: Awaited<ReturnType<MoneyWorld['createPayer']>>
/** An account on the second chain. */
let away: Awaited<ReturnType<typeof other.createPayer>>

beforeAll(async () => {
  other = await createTestChain('polygon-amoy', chain)
  world = await chain.open({ others: [other.chain] })
  buyer = await chain.createPayer()
  away = await other.createPayer(10n ** 21n)
  await away.mintTokens('usdc', 100n * price.usdc)
  // Both are in use.
  await world.create(away, 'pol', { method: 'polygon-amoy' })
  await world.create(buyer, 'usdc')
})
afterAll(async () => {
  await other.close()
})

const sendAway = async (orderId: string, currency: string, units: bigint) => {
  const serializedTransaction = await away.sign(chain.paymentCall(orderId, currency, units, other.chain))
  const hash = await other.client.sendRawTransaction({ serializedTransaction })
  await other.client.waitForTransactionReceipt({ hash })
  return hash
}

const linesOf = async (orderId: string) => {
  const { totals, ...rest } = await getLedger(world.deps, { orderId })
  expect(rest).toEqual({ differing: [], unattributedFunds: [], sentBack: [], refused: [], lost: [] })
  return totals.map(({ chain, currency, received, refunded, swept, difference }) => {
    return [chain, currency, received, refunded, swept, difference]
  })
}

test.each([
  ['usdc', 'usdc', 9n],
  ['eth', 'pol', 10n],
] as const)(
  'behavior: paid on another chain than requested: %s, it is refunded there',
  async (asked, sent, units) => {
    const orderId = await world.create(buyer, asked)
    // The second chain has another native currency, at the same router.
    const txId = await sendAway(orderId, sent === 'pol' ? 'eth' : sent, units)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'payment',
      payment: {
        status: 'awaiting-payment',
        failureReason: { code: 'unknown' },
        received: { chain: 'polygon-amoy', currency: sent, txId },
        refunded: { chain: 'polygon-amoy', currency: sent },
      },
    })
    expect(await chain.payOuts(orderId, other.client)).toEqual([{ to: away.address, units }])
    await buyer.send(orderId, asked, price[asked])
    expect((await world.settle(orderId)).phase).toBe('completed')
    expect(await linesOf(orderId)).toEqual([
      ['base-sepolia', asked, price[asked], 0n, price[asked], 0n],
      ['polygon-amoy', sent, units, units, 0n, 0n],
    ])
    expect(await chain.payOuts(orderId, other.client)).toHaveLength(1)
  },
)

test('behavior: edited to another chain: a payment on the old one is refunded, the new one pays', async () => {
  const orderId = await world.create(buyer, 'usdc')
  const payment = { method: 'polygon-amoy', currency: 'usdc', payerAddress: away.address } as const
  await editOrder(world.deps, world.secretCall(orderId), { orderId, body: { payment } })
  await buyer.send(orderId, 'usdc', price.usdc)
  expect(await world.settle(orderId)).toMatchObject({
    phase: 'payment',
    payment: { received: { chain: 'base-sepolia' }, refunded: { chain: 'base-sepolia', amount: '30' } },
  })
  await sendAway(orderId, 'usdc', price.usdc + 1n)
  expect(await world.settle(orderId)).toMatchObject({
    phase: 'completed',
    payment: { received: { chain: 'polygon-amoy' }, refunded: { chain: 'polygon-amoy', amount: '0.000001' } },
  })
  expect(await chain.payOuts(orderId)).toEqual([{ to: buyer.address, units: price.usdc }])
  expect(await linesOf(orderId)).toEqual([
    ['base-sepolia', 'usdc', price.usdc, price.usdc, 0n, 0n],
    ['polygon-amoy', 'usdc', price.usdc + 1n, 1n, price.usdc, 0n],
  ])
})

test('behavior: a report of a transaction on another chain is followed there', async () => {
  const orderId = await world.create(buyer, 'usdc')
  const txId = await sendAway(orderId, 'usdc', 11n)
  await reportPayment(world.deps, world.secretCall(orderId), {
    orderId,
    body: { type: 'crypto-tx-id', txId },
  })
  for (const each of [chain.chain, other.chain]) await lookAtHints(world.deps, each, 100)
  expect((await world.get(orderId)).payment.status).toBe('awaiting-payment')
  expect(await getLedger(world.deps, { orderId })).toMatchObject({ totals: [{ received: 11n, open: 11n }] })
  expect(await world.settle(orderId)).toMatchObject({ payment: { refunded: { amount: '0.000011' } } })
  expect(await chain.payOuts(orderId, other.client)).toEqual([{ to: away.address, units: 11n }])
})

test('behavior: a report that the nodes of neither chain know is given up, also in a currency that one of them lacks', async () => {
  const orderId = await world.create(buyer, 'eth')
  const txId = `0x${'12'.repeat(32)}`
  await reportPayment(world.deps, world.secretCall(orderId), {
    orderId,
    body: { type: 'crypto-tx-id', txId },
  })
  const config = { ...world.deps.config, reportedTtlMs: 0 }
  await giveUpHints({ ...world.deps, config }, 'base-sepolia', 100)
  expect((await world.get(orderId)).payment.failureReason?.code).toBe('tx-id-not-found')
})

test('behavior: paid on a chain that no order was ever on, it is refunded there', async () => {
  const third = await createTestChain('arbitrum-sepolia', chain)
  const shop = await chain.open({ others: [other.chain, third.chain] })
  const lost = await third.createPayer()
  await lost.mintTokens('usdc', price.usdc)
  const orderId = await shop.create(buyer, 'usdc')
  const serializedTransaction = await lost.sign(chain.paymentCall(orderId, 'usdc', price.usdc, third.chain))
  const hash = await third.client.sendRawTransaction({ serializedTransaction })
  await third.client.waitForTransactionReceipt({ hash })
  expect(await shop.settle(orderId)).toMatchObject({
    phase: 'payment',
    payment: {
      received: { chain: 'arbitrum-sepolia', currency: 'usdc', txId: hash },
      refunded: { chain: 'arbitrum-sepolia', currency: 'usdc' },
    },
  })
  expect(await third.tokensOf(lost.address, 'usdc')).toBe(price.usdc)
  await third.close()
})
