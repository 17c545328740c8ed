import { getAddress } from 'viem'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Call } from '#base/call.js'
import type { Config } from '#base/config/config.js'
import { paymentTargets, refunds } from '#base/db/tables/index.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { listHeldRefunds } from '#sale/orders/listHeldRefunds.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { resendRefund } from '#sale/orders/resendRefund.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { testConfig } from '../../helpers/testConfig.js'

const price = 10n ** 16n
const hourMs = 60 * 60_000
const contract = '0x00000000000000000000000000000000000000c0'
const buyers = '0x00000000000000000000000000000000000000b1'
const thiefs = '0x00000000000000000000000000000000000000ee'
let nowMs: number
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain
let other: FakeChain

const open = async (config: Partial<Config> = {}) => {
  const chains = [chain.port, other.port]
  world = await createOrderWorld({ db: database.db, chains, now: () => nowMs, config })
  await world.createCollection({ id: 'tea' })
}

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs })
  other = createFakeChain({ now: () => nowMs, chain: 'polygon-amoy' })
  for (const { state } of [chain, other]) state.contracts.add(contract)
  await open()
})

const create = async (payment: object = {}) => {
  const { order } = await world.create({
    lineItems: { collectionLocator: 'kassa:tea' },
    payment: { method: 'base-sepolia', currency: 'eth', payerAddress, ...payment },
  })
  return order.orderId
}
const settle = async (orderId: string) => {
  await world.look()
  await world.drain()
  expect((await getLedger(world.deps)).differing).toEqual([])
  return (await world.get(orderId)).payment
}
/** Pays less than the price, and ends the quote. */
const underpay = async (orderId: string, { payer = contract, units = price / 2n, on = chain } = {}) => {
  on.pay({ orderId, currency: 'eth', units, payer })
  await settle(orderId)
  await world.endQuote(orderId)
  return settle(orderId)
}
const name = (orderId: string, refundAddress: string, call: Call = world.secretCall(orderId)) =>
  editOrder(world.deps, call, { orderId, body: { payment: { refundAddress } } })
const recipients = (on = chain) =>
  on.sentOf('refund').map(({ input }) => (input as { recipient: string }).recipient)
const rows = () => database.db.select().from(refunds).orderBy(refunds.createdAt, refunds.id)
const conflict = { code: 'conflict', message: expect.stringContaining('can no longer be changed') }

describe('an address that the buyer names', () => {
  test('default: releases what a contract paid; naming it again changes nothing, and another is refused', async () => {
    const orderId = await create()
    const { refundHeld } = await underpay(orderId)
    expect(refundHeld).toEqual({
      amount: '0.005',
      currency: 'eth',
      chain: 'base-sepolia',
      reason: 'contract-payer',
    })
    await name(orderId, buyers)
    await name(orderId, buyers)
    await expect(name(orderId, thiefs)).rejects.toMatchObject(conflict)
    expect(await settle(orderId)).toMatchObject({ refunded: { amount: '0.005' }, refundAddress: buyers })
    await expect(name(orderId, thiefs)).rejects.toMatchObject(conflict)
    expect(recipients()).toEqual([buyers])
  })

  test('behavior: before a payment was seen it counts for the order, and changes no quote', async () => {
    const orderId = await create()
    const { quote } = await world.get(orderId)
    nowMs += 1000
    expect(await name(orderId, thiefs)).toMatchObject({ payment: { refundAddress: thiefs } })
    const renamed = await name(orderId, buyers)
    expect(renamed).toMatchObject({ quote, payment: { refundAddress: buyers } })
    await underpay(orderId)
    await underpay(orderId, { payer: payerAddress })
    expect(recipients()).toEqual([buyers, buyers])
  })

  test('behavior: a stolen client secret redirects no refund that goes to its payer', async () => {
    await open({ refunds: { ...testConfig.refunds, perPayerPerHour: 1 } })
    const orderId = await create()
    for (const _ of [1, 2]) chain.pay({ orderId, currency: 'eth', units: price / 4n })
    await settle(orderId)
    await expect(name(orderId, thiefs)).rejects.toMatchObject(conflict)
    await world.endQuote(orderId)
    expect(await settle(orderId)).toMatchObject({ refundHeld: { reason: 'cap' } })
    await expect(name(orderId, thiefs)).rejects.toMatchObject(conflict)
    nowMs += hourMs
    await settle(orderId)
    expect(recipients()).toEqual([payerAddress, payerAddress])
  })

  test('behavior: nor with a payment from a contract of the thief', async () => {
    const orderId = await create()
    chain.pay({ orderId, currency: 'eth', units: price })
    await settle(orderId)
    chain.pay({ orderId, currency: 'eth', units: 1n, payer: contract })
    expect(await settle(orderId)).toMatchObject({ refundHeld: { reason: 'contract-payer' } })
    await name(orderId, thiefs)
    await settle(orderId)
    await createRefund(world.deps, world.serverCall, { orderId, body: {} })
    await settle(orderId)
    expect(recipients()).toEqual([thiefs, payerAddress])
  })

  test('behavior: the refund passes the same checks as any other', async () => {
    await open({ refunds: { ...testConfig.refunds, perPayerPerHour: 1 } })
    const orderId = await create()
    for (const _ of [1, 2]) chain.pay({ orderId, currency: 'eth', units: price / 4n, payer: contract })
    await settle(orderId)
    await world.endQuote(orderId)
    await settle(orderId)
    await name(orderId, buyers)
    expect(await settle(orderId)).toMatchObject({ refundHeld: { amount: '0.0025', reason: 'cap' } })
    // It is on its way: the secret that named the address cannot name another.
    await expect(name(orderId, thiefs)).rejects.toMatchObject(conflict)
    nowMs += hourMs
    await settle(orderId)
    expect(recipients()).toEqual([buyers, buyers])
  })

  test('behavior: a contract whose payment is not worth the fee waits for lower fees first', async () => {
    chain.state.refundFeeWei = price
    const orderId = await create()
    expect(await underpay(orderId)).toMatchObject({ refundHeld: { reason: 'below-fee' } })
    chain.state.refundFeeWei = 1n
    nowMs += hourMs
    expect(await settle(orderId)).toMatchObject({ refundHeld: { reason: 'contract-payer' } })
    await name(orderId, buyers)
    chain.state.refundFeeWei = price
    expect(await settle(orderId)).toMatchObject({ refundHeld: { reason: 'below-fee' } })
    chain.state.refundFeeWei = 1n
    nowMs += hourMs
    await settle(orderId)
    expect(recipients()).toEqual([buyers])
  })

  test('behavior: if it rejects the coins, they wait for it to claim them', async () => {
    chain.state.refusing.add(buyers)
    const orderId = await create()
    await underpay(orderId)
    await name(orderId, buyers)
    expect(await settle(orderId)).toMatchObject({ refundClaimable: { amount: '0.005' } })
    nowMs += hourMs
    await settle(orderId)
    expect(chain.sentOf('payOutCredit')).toEqual([])
  })
})

describe('the fee of a refund is that of where it goes', () => {
  test('default: an address that costs more than the refund is worth waits, however little its payer costs', async () => {
    chain.state.refundFeesWei.set(thiefs, price)
    const orderId = await create({ refundAddress: thiefs })
    expect(await underpay(orderId, { payer: payerAddress })).toMatchObject({
      refundHeld: { reason: 'below-fee' },
    })
    expect(recipients()).toEqual([])
    chain.state.refundFeesWei.clear()
    nowMs += hourMs
    await settle(orderId)
    expect(recipients()).toEqual([thiefs])
  })

  test('behavior: an account that the order names does not wait because its payer is a costly contract', async () => {
    chain.state.refundFeesWei.set(contract, price)
    await underpay(await create({ refundAddress: buyers }))
    expect(recipients()).toEqual([buyers])
  })

  test('behavior: an address that is named while the fee is read has its own fee', async () => {
    chain.state.refundFeesWei.set(thiefs, price)
    const orderId = await create()
    const estimate = vi.spyOn(chain.port, 'estimateRefundFee').mockImplementationOnce(async () => {
      await name(orderId, thiefs, world.serverCall)
      return 0n
    })
    const { refundHeld } = await underpay(orderId, { payer: payerAddress })
    estimate.mockRestore()
    expect(refundHeld).toMatchObject({ reason: 'below-fee' })
    expect(recipients()).toEqual([])
  })
})

describe('a change of the order after everything went back', () => {
  const again = (orderId: string, payment: object) =>
    editOrder(world.deps, world.secretCall(orderId), {
      orderId,
      body: { payment: { method: 'base-sepolia', currency: 'eth', payerAddress, ...payment } },
    })

  test('behavior: it redirects no refund that is held for another reason', async () => {
    await open({ refunds: { ...testConfig.refunds, perPayerPerHour: 1 } })
    const orderId = await create({ refundAddress: buyers })
    for (const _ of [1, 2]) chain.pay({ orderId, currency: 'eth', units: price / 4n })
    await settle(orderId)
    await world.endQuote(orderId)
    expect(await settle(orderId)).toMatchObject({ refundHeld: { reason: 'cap' } })
    expect(await again(orderId, { refundAddress: thiefs })).toMatchObject({ phase: 'payment' })
    nowMs += hourMs
    await settle(orderId)
    expect(recipients()).toEqual([buyers, buyers])
  })

  test('behavior: it sends no refund that waits for an address, and the buyer can name one still', async () => {
    const orderId = await create()
    await underpay(orderId)
    await again(orderId, { refundAddress: thiefs })
    expect(await settle(orderId)).toMatchObject({ refundHeld: { reason: 'contract-payer' } })
    await name(orderId, buyers)
    await settle(orderId)
    expect(recipients()).toEqual([buyers])
  })

  test('behavior: another payer does not make the refund of the first one wait', async () => {
    const orderId = await create({ payerAddress: contract })
    chain.pay({ orderId, currency: 'eth', units: price / 2n, payer: contract })
    await world.look()
    await world.endQuote(orderId)
    await again(orderId, {})
    await settle(orderId)
    expect(recipients()).toEqual([contract])
  })

  test('behavior: what is paid under the new quote goes to the address that it names', async () => {
    const orderId = await create()
    await underpay(orderId, { payer: payerAddress })
    await again(orderId, { refundAddress: buyers })
    await underpay(orderId, { payer: payerAddress })
    expect(recipients()).toEqual([payerAddress, buyers])
  })

  test('behavior: the merchant redirects what is held of both', async () => {
    await open({ refunds: { ...testConfig.refunds, perPayerPerHour: 1 } })
    const orderId = await create()
    for (const _ of [1, 2]) chain.pay({ orderId, currency: 'eth', units: price / 4n })
    await settle(orderId)
    await world.endQuote(orderId)
    await settle(orderId)
    await again(orderId, {})
    await name(orderId, buyers, world.serverCall)
    nowMs += hourMs
    await settle(orderId)
    expect(recipients()).toEqual([payerAddress, buyers])
  })
})

describe('another chain than the order’s', () => {
  test('behavior: what an account paid there goes back to it, whatever the order names', async () => {
    const orderId = await create({ refundAddress: buyers })
    await underpay(orderId, { payer: payerAddress, on: other })
    expect(recipients(other)).toEqual([payerAddress])
  })

  test('behavior: what a contract paid there goes to the address that is named for it', async () => {
    const orderId = await create({ refundAddress: thiefs })
    expect(await underpay(orderId, { on: other })).toMatchObject({ refundHeld: { reason: 'contract-payer' } })
    await name(orderId, buyers)
    await settle(orderId)
    expect(recipients(other)).toEqual([buyers])
  })
})

describe('the merchant', () => {
  test('behavior: names an address after the payment, and only what is not on its way goes there', async () => {
    const orderId = await create()
    await underpay(orderId, { payer: payerAddress })
    nowMs += hourMs
    chain.pay({ orderId, currency: 'eth', units: price / 4n })
    await world.look()
    const pending = (await rows()).map(({ status }) => status)
    expect(pending).toEqual(['sent', 'pending'])
    await name(orderId, buyers, world.serverCall)
    await settle(orderId)
    expect(recipients()).toEqual([payerAddress, buyers])
  })

  test('behavior: replaces the address of a refund that waits under a cap', async () => {
    await open({ refunds: { ...testConfig.refunds, perPayerPerHour: 0 } })
    const orderId = await create()
    await underpay(orderId)
    await name(orderId, thiefs)
    expect(await settle(orderId)).toMatchObject({ refundHeld: { reason: 'cap' }, refundAddress: thiefs })
    await name(orderId, buyers, world.serverCall)
    await settle(orderId)
    await resendRefund(world.deps, { refundId: `refund:${orderId}:0` })
    await settle(orderId)
    expect(recipients()).toEqual([buyers])
  })
})

describe('the operator', () => {
  test('behavior: sends what a contract paid to an address only', async () => {
    const orderId = await create()
    await underpay(orderId)
    const refundId = `refund:${orderId}:0`
    expect(await listHeldRefunds(database.db)).toMatchObject([
      { id: refundId, status: 'held', reason: 'contract-payer', why: expect.stringContaining(contract) },
    ])
    await expect(resendRefund(world.deps, { refundId })).rejects.toThrow(
      'because a contract paid: name an address',
    )
    await resendRefund(world.deps, { refundId, to: getAddress(buyers) })
    expect(await settle(orderId)).toMatchObject({ refunded: { amount: '0.005' } })
    expect(recipients()).toEqual([getAddress(buyers)])
  })

  test('behavior: does not send to a contract what was held for its fee', async () => {
    chain.state.refundFeeWei = price
    const orderId = await create()
    await underpay(orderId)
    await resendRefund(world.deps, { refundId: `refund:${orderId}:0` })
    expect(await settle(orderId)).toMatchObject({ refundHeld: { reason: 'contract-payer' } })
    expect(recipients()).toEqual([])
  })

  test('behavior: a refund that the chain refuses is shown so', async () => {
    const orderId = await create()
    chain.state.refusals.set('refund', 'Blocked()')
    await underpay(orderId, { payer: payerAddress })
    for (let minute = 0; minute < 30; minute++) {
      nowMs += 60_000
      await settle(orderId)
    }
    expect((await world.get(orderId)).payment).toMatchObject({ refundHeld: { reason: 'refused' } })
    expect(await listHeldRefunds(database.db)).toMatchObject([{ status: 'failed', reason: 'refused' }])
  })
})

describe('error: input-invalid', () => {
  const refused = (message: string) => ({ code: 'input-invalid', message })
  const change = (orderId: string, payment: object) =>
    editOrder(world.deps, world.secretCall(orderId), { orderId, body: { payment } })

  test('an address of another family, when the order is created, edited, and while a refund is held', async () => {
    const address = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
    const fault = refused(`payment.refundAddress: ${address} is not an address on base-sepolia`)
    await expect(create({ refundAddress: address })).rejects.toMatchObject(fault)
    const orderId = await create()
    await expect(name(orderId, address)).rejects.toMatchObject(fault)
    const payment = { method: 'base-sepolia', currency: 'eth', refundAddress: address }
    await expect(change(orderId, payment)).rejects.toMatchObject(fault)
    await underpay(orderId)
    await expect(name(orderId, address)).rejects.toMatchObject(fault)
  })

  test('the zero address', async () => {
    const fault = { code: 'input-invalid', message: expect.stringContaining('payment.refundAddress: ') }
    await expect(create({ refundAddress: `0x${'0'.repeat(40)}` })).rejects.toMatchObject(fault)
  })

  test('behavior: another way to pay keeps the address', async () => {
    const orderId = await create({ refundAddress: buyers })
    const edited = await change(orderId, { method: 'polygon-amoy', currency: 'eth' })
    expect(edited.payment).toMatchObject({ method: 'polygon-amoy', refundAddress: buyers })
  })

  test('a sanctioned address', async () => {
    await open({ sanctionedAddresses: new Set([thiefs]) })
    await expect(create({ refundAddress: thiefs })).rejects.toMatchObject({ code: 'unprocessable' })
    const orderId = await create()
    await underpay(orderId)
    await expect(name(orderId, thiefs)).rejects.toMatchObject({ code: 'unprocessable' })
  })

  test.each([
    ['as the service writes it', (address: string) => address],
    ['with its checksum', getAddress],
  ])("behavior: another order's deposit address, %s, wherever an address is named", async (_, write) => {
    const deposit = '0x00000000000000000000000000000000000000d0'
    const strangersId = await create()
    const watch = { orderId: strangersId, watchedUntil: new Date(nowMs) }
    // The chains of these tests write addresses in lower case, and the operator's command with a checksum.
    for (const target of new Set([deposit, getAddress(deposit)]))
      await database.db.insert(paymentTargets).values({ ...watch, chain: 'base-sepolia', target })
    const address = write(deposit)
    const fault = { code: 'input-invalid', message: expect.stringContaining('at which orders are paid') }
    // When the order is created, on its chain or another.
    await expect(create({ refundAddress: address })).rejects.toMatchObject(fault)
    const elsewhere = { method: 'polygon-amoy', currency: 'eth', refundAddress: address }
    await expect(create(elsewhere)).rejects.toMatchObject(fault)
    const orderId = await create()
    // With another way to pay, alone, and by the merchant.
    await expect(change(orderId, elsewhere)).rejects.toMatchObject(fault)
    await expect(name(orderId, address)).rejects.toMatchObject(fault)
    await expect(name(orderId, address, world.serverCall)).rejects.toMatchObject(fault)
    expect((await world.get(orderId)).payment.refundAddress).toBeUndefined()
    // While a refund waits for an address.
    await underpay(orderId)
    await expect(name(orderId, address)).rejects.toMatchObject(fault)
    const resent = resendRefund(world.deps, { refundId: `refund:${orderId}:0`, to: address })
    await expect(resent).rejects.toMatchObject(fault)
    await settle(orderId)
    expect(recipients()).toEqual([])
  })
})
