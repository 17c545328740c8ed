import type { CreateRefundBody } from 'kassa/schema'
import { encodeFunctionData, erc20Abi, getAddress, type Hex, pad } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PaymentRouter } from '#adapters/chains/evm/artifacts/PaymentRouter.js'
import { getDeployments } from '#adapters/chains/evm/connection/addresses.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WriteOptions } from '#base/ports/write.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { sendRefund } from '#sale/orders/refund.js'
import { createMoneyWorld, price } from '../../helpers/createMoneyWorld.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>
type Currency = 'eth' | 'usdc'
const chain = openBeforeAll(createMoneyWorld)
let world: Awaited<ReturnType<MoneyWorld['open']>>
let nowMs = Date.now()
/** Called with each step of a refund's transactions. */
let onStep: (step: 'signed' | 'sent') => void = () => {}

beforeAll(async () => {
  const port: Partial<ChainPort> = {
    refund: (key, input, options) => {
      const steps: WriteOptions = {
        onSigned: () => onStep('signed'),
        onSent: () => onStep('sent'),
      }
      return chain.chain.refund(key, input, { ...options, ...steps })
    },
  }
  world = await chain.open({ port, now: () => nowMs })
})
beforeEach(() => {
  nowMs = Date.now()
  onStep = () => {}
})

/** Sells an order whose proceeds are swept to the treasury. */
const sell = async (currency: Currency) => {
  const buyer = await chain.createPayer()
  const orderId = await world.create(buyer, currency)
  await buyer.send(orderId, currency, price[currency])
  expect(await world.settle(orderId)).toMatchObject({ phase: 'completed' })
  return { buyer, orderId }
}
const request = (orderId: string, body: CreateRefundBody = {}) =>
  createRefund(world.deps, world.serverCall, { orderId, body })
const heldBy = (address: Hex, currency: Currency): Promise<bigint> =>
  currency === 'eth' ? chain.client.getBalance({ address }) : chain.tokensOf(address, currency)
const totalsOf = async (currency: Currency) =>
  (await world.ledger()).totals.find((line) => line.currency === currency)
const expectBalanced = async () => expect((await world.ledger()).differing).toEqual([])
/** The loan and the refund are each signed and sent. */
const allSteps = ['signed', 'sent', 'signed', 'sent'] as const
/** Runs the jobs although the process ends once at each of these steps. Returns how often it did. */
const drainThoughKilled = async (): Promise<number> => {
  let count = 0
  onStep = (step) => {
    if (step !== allSteps[count]) return
    count++
    throw new Error('killed')
  }
  for (;;) {
    const before = count
    await world.drain().catch((error: Error) => expect(error.message).toBe('killed'))
    await expectBalanced()
    if (count === before) return count
  }
}

describe.each(['eth', 'usdc'] as const)('in %s, after the proceeds were swept', (currency) => {
  test('default: the treasury pays the buyer back, once', async () => {
    const { buyer, orderId } = await sell(currency)
    const [before, treasury] = [await heldBy(buyer.address, currency), await heldBy(chain.operator, currency)]
    await request(orderId)
    await expectBalanced()
    const order = await world.settle(orderId)
    expect(order.payment.refunded).toMatchObject({ currency, txId: expect.stringMatching(/^0x/) })
    expect((await heldBy(buyer.address, currency)) - before).toBe(price[currency])
    const spent = treasury - (await heldBy(chain.operator, currency))
    if (currency === 'usdc') expect(spent).toBe(price.usdc)
    // What the treasury put into the router has left it, and was no payment of the order.
    expect(order.payment.received).toMatchObject({ currency })
    expect((await world.ledger()).unattributedFunds).toEqual([])
  })

  test('behavior: killed after it is signed or sent, the loan and the refund happen once', async () => {
    const { buyer, orderId } = await sell(currency)
    const [before, treasury, line] = [
      await heldBy(buyer.address, currency),
      await heldBy(chain.operator, currency),
      await totalsOf(currency),
    ]
    await request(orderId)
    expect(await drainThoughKilled()).toBe(allSteps.length)
    expect((await heldBy(buyer.address, currency)) - before).toBe(price[currency])
    const spent = treasury - (await heldBy(chain.operator, currency))
    if (currency === 'usdc') expect(spent).toBe(price.usdc)
    expect(spent).toBeLessThan(2n * price[currency])
    const now = await totalsOf(currency)
    expect(now).toMatchObject({
      refunded: (line?.refunded ?? 0n) + price[currency],
      swept: (line?.swept ?? 0n) - price[currency],
      held: line?.held,
    })
  })

  test('behavior: two processes that send it at once lend and refund it once', async () => {
    const { buyer, orderId } = await sell(currency)
    const [before, treasury] = [await heldBy(buyer.address, currency), await heldBy(chain.operator, currency)]
    const { refundId } = await request(orderId)
    const another = { ...chain.openPort(), estimateRefundFee: async () => 0n }
    const beside = { ...world.deps, chains: { enabled: [another.chain], get: () => another } }
    await Promise.all([
      sendRefund(world.deps)({ orderId, refundId }),
      sendRefund(beside)({ orderId, refundId }),
    ])
    await world.drain()
    expect((await heldBy(buyer.address, currency)) - before).toBe(price[currency])
    const spent = treasury - (await heldBy(chain.operator, currency))
    if (currency === 'usdc') expect(spent).toBe(price.usdc)
    expect(spent).toBeLessThan(2n * price[currency])
    await expectBalanced()
  })

  test('behavior: several parts are refunded one after another, up to the price', async () => {
    const { buyer, orderId } = await sell(currency)
    const before = await heldBy(buyer.address, currency)
    const amount = currency === 'eth' ? '0.004' : '12'
    for (let count = 0; count < 2; count++) await request(orderId, { amount })
    await expect(request(orderId, { amount })).rejects.toMatchObject({ code: 'conflict' })
    await request(orderId)
    await expect(request(orderId)).rejects.toMatchObject({ code: 'conflict' })
    await world.settle(orderId)
    expect((await heldBy(buyer.address, currency)) - before).toBe(price[currency])
  })
})

/** Takes all tokens from the treasury. Returns how many there were. */
const emptyTreasury = async (): Promise<bigint> => {
  const units = await chain.tokensOf(chain.operator, 'usdc')
  const to = chain.chain.currencies.find(({ currency }) => currency === 'usdc')?.address as Hex
  const args = ['0x000000000000000000000000000000000000dEaD', units] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const hash = await chain.operatorWallet.sendTransaction({ to, data })
  await chain.client.waitForTransactionReceipt({ hash })
  return units
}

test('error: a treasury that holds too little pays once it holds enough', async () => {
  const { buyer, orderId } = await sell('usdc')
  await emptyTreasury()
  await request(orderId)
  await world.drain()
  await expectBalanced()
  const waiting = (await world.ledger()).refused.find(({ id }) => id === `refund:${orderId}:0`)
  expect(waiting).toMatchObject({
    isRetried: true,
    reason: 'the treasury holds 0 of the 30000000 base units to refund',
  })
  await buyer.mintTokens('usdc', 2n * price.usdc, chain.operator)
  const before = await heldBy(buyer.address, 'usdc')
  nowMs += 60 * 60_000
  await world.drain()
  expect((await heldBy(buyer.address, 'usdc')) - before).toBe(price.usdc)
  expect(await chain.tokensOf(chain.operator, 'usdc')).toBe(price.usdc)
  await expectBalanced()
})

test('behavior: a payout that fails after the loan uses that loan in its next attempt', async () => {
  const { buyer, orderId } = await sell('usdc')
  const treasury = await heldBy(chain.operator, 'usdc')
  await request(orderId)
  let sent = 0
  onStep = (step) => {
    if (step === 'sent') sent++
  }
  // The factory obeys its owner, whom the payout needs and the loan does not.
  const { address } = getDeployments(chain.operator, true).depositFactory
  const setOwner = (owner: Hex) =>
    chain.client.setStorageAt({ address, index: 0, value: pad(owner, { size: 32 }) })
  await setOwner('0x01')
  await world.drain()
  await setOwner(chain.operator)
  expect(sent).toBe(1)
  expect(treasury - (await heldBy(chain.operator, 'usdc'))).toBe(price.usdc)
  await expectBalanced()
  const before = await heldBy(buyer.address, 'usdc')
  nowMs += 60 * 60_000
  await world.drain()
  expect((await heldBy(buyer.address, 'usdc')) - before).toBe(price.usdc)
  expect(treasury - (await heldBy(chain.operator, 'usdc'))).toBe(price.usdc)
  await expectBalanced()
})

test('behavior: a refund whose records are lost is found on the chain, and the treasury lends no more', async () => {
  const { buyer, orderId } = await sell('usdc')
  const { refundId } = await request(orderId)
  await world.settle(orderId)
  const [before, treasury] = [await heldBy(buyer.address, 'usdc'), await heldBy(chain.operator, 'usdc')]
  await chain.database.executeSql(`delete from shared_calls where key like $1`, [`%${refundId}%`])
  await chain.database.executeSql(`delete from chain_transactions where key like $1`, [`%${refundId}%`])
  await chain.database.executeSql(`update refunds set status = 'pending' where id = $1`, [refundId])
  await sendRefund(world.deps)({ orderId, refundId })
  expect(await heldBy(buyer.address, 'usdc')).toBe(before)
  expect(await heldBy(chain.operator, 'usdc')).toBe(treasury)
})

test('behavior: while the payment is taken back, the treasury lends nothing', async () => {
  const { buyer, orderId } = await sell('usdc')
  const { refundId } = await request(orderId)
  const [before, treasury] = [await heldBy(buyer.address, 'usdc'), await heldBy(chain.operator, 'usdc')]
  const mark = (status: string) =>
    chain.database.executeSql('update payments set status = $2 where order_id = $1', [orderId, status])
  await mark('lost')
  await sendRefund(world.deps)({ orderId, refundId })
  expect(await heldBy(chain.operator, 'usdc')).toBe(treasury)
  expect(await heldBy(buyer.address, 'usdc')).toBe(before)
  await mark('confirmed')
  await sendRefund(world.deps)({ orderId, refundId })
  expect((await heldBy(buyer.address, 'usdc')) - before).toBe(price.usdc)
})

test('behavior: a payer that rejects coins claims the refund from the router', async () => {
  const { buyer, orderId } = await sell('eth')
  await chain.client.setCode({ address: buyer.address, bytecode: '0x5f5ffd' })
  await request(orderId)
  const { payment } = await world.settle(orderId)
  const { router } = getDeployments(chain.operator, true)
  expect(payment.refundClaimable).toMatchObject({ amount: '0.01', contract: router.address })
  await chain.client.setCode({ address: buyer.address, bytecode: '0x' })
  const claimable = await chain.client.readContract({
    address: router.address,
    ...PaymentRouter,
    functionName: 'claimable',
    args: [getAddress(buyer.address)],
  })
  expect(claimable).toBe(price.eth)
  await expectBalanced()
})
