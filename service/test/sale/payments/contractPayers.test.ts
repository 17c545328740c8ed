import { concatHex, type Hex, pad } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { listRefunds } from '#sale/orders/readRefunds.js'
import { sendRefund } from '#sale/orders/refund.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { createMoneyWorld, price } from '../../helpers/createMoneyWorld.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>
type Currency = 'eth' | 'usdc'
const chain = openBeforeAll(createMoneyWorld)
let world: Awaited<ReturnType<MoneyWorld['open']>>
let sender: Awaited<ReturnType<MoneyWorld['createPayer']>>

beforeAll(async () => {
  world = await chain.open()
  sender = await chain.createPayer()
})

const newAddress = (): Hex => privateKeyToAddress(generatePrivateKey())

/** Takes coins, and passes on the call after the address in the first word of its data. */
const batcherCode = '0x36600557005b602036038060205f375f5f825f345f355af1601e575f5ffd5b00'

/** Creates a contract that pays for others, as an exchange's hot wallet does. */
const createBatcher = async (): Promise<Hex> => {
  const address = newAddress()
  await chain.client.setCode({ address, bytecode: batcherCode })
  await chain.client.setBalance({ address, value: 10n ** 18n })
  await sender.mintTokens('usdc', 10n * price.usdc, address)
  return address
}

const payBy = async (
  batcher: Hex,
  { orderId, currency, units }: { orderId: string; currency: Currency; units: bigint },
) => {
  const { to, data, value } = chain.paymentCall(orderId, currency, units)
  await sender.mine(
    await sender.sign({ to: batcher, data: concatHex([pad(to), data]), ...(value && { value }) }),
  )
}

/** Ends an order's quote, so that what is less than its price goes back. */
const giveBack = async (orderId: string) => {
  await world.settle(orderId)
  await world.endQuote(orderId)
  return world.settle(orderId)
}
const nameAddress = (orderId: string, refundAddress: string) =>
  editOrder(world.deps, world.secretCall(orderId), { orderId, body: { payment: { refundAddress } } })
const heldBy = (address: Hex, currency: Currency): Promise<bigint> =>
  currency === 'eth' ? chain.client.getBalance({ address }) : chain.tokensOf(address, currency)

describe.each(['eth', 'usdc'] as const)('in %s', (currency) => {
  const units = price[currency] / 2n

  test('default: what a contract paid waits until the buyer names an address, and goes there once', async () => {
    const batcher = await createBatcher()
    const orderId = await world.create(sender, currency)
    await payBy(batcher, { orderId, currency, units })
    const held = await giveBack(orderId)
    expect(held.payment).toMatchObject({ refundHeld: { currency, reason: 'contract-payer' } })
    expect(await chain.payOuts(orderId)).toEqual([])
    const to = newAddress()
    const named = await nameAddress(orderId, to)
    expect(named.payment).toMatchObject({ refundAddress: to })
    expect(named.payment).not.toHaveProperty('refundHeld')
    // Two processes send it at once.
    const refundId = `refund:${orderId}:0`
    await Promise.all([1, 2].map(() => sendRefund(world.deps)({ orderId, refundId })))
    const { payment } = await world.settle(orderId)
    expect(payment).toMatchObject({ refunded: { currency }, refundAddress: to })
    expect(await chain.payOuts(orderId)).toEqual([{ to, units }])
    expect(await heldBy(to, currency)).toBe(units)
    const page = { page: 1, perPage: 10 }
    const { data } = await listRefunds(world.deps, world.serverCall, { orderId, page })
    expect(data).toMatchObject([{ refundId, status: 'succeeded', recipient: to }])
  })

  test('behavior: a contract that the order names as its payer gets its money back', async () => {
    const batcher = await createBatcher()
    const orderId = await world.create({ address: batcher }, currency)
    await payBy(batcher, { orderId, currency, units })
    expect((await giveBack(orderId)).payment).toMatchObject({ refunded: { currency } })
    expect(await chain.payOuts(orderId)).toEqual([{ to: batcher, units }])
  })

  test('behavior: an account that delegates to a contract gets its money back', async () => {
    const payer = await chain.createPayer()
    const bytecode = concatHex(['0xef0100', await createBatcher()])
    await chain.client.setCode({ address: payer.address, bytecode })
    const orderId = await world.create(sender, currency)
    await payer.send(orderId, currency, units)
    expect((await giveBack(orderId)).payment).toMatchObject({ refunded: { currency } })
    expect(await chain.payOuts(orderId)).toEqual([{ to: payer.address, units }])
  })

  test('behavior: a refund goes to the address that the order was created with', async () => {
    const refundAddress = newAddress()
    const { order } = await world.createAny({
      lineItems: { collectionLocator: 'kassa:tea' },
      payment: { method: 'base-sepolia', currency, refundAddress: refundAddress.toLowerCase() },
    })
    expect(order.payment).toMatchObject({ refundAddress })
    await sender.send(order.orderId, currency, units)
    expect((await giveBack(order.orderId)).payment).toMatchObject({ refunded: { currency } })
    expect(await chain.payOuts(order.orderId)).toEqual([{ to: refundAddress, units }])
  })
})

test('error: the contracts, currencies and deposit addresses of the deployment take no refunds', async () => {
  const orderId = await world.create(sender, 'usdc')
  const another = await world.create(sender, 'usdc')
  const { to: router } = chain.paymentCall(orderId, 'eth', 1n)
  const { to: token } = chain.paymentCall(orderId, 'usdc', 1n)
  const own = [
    router,
    token,
    chain.operator,
    chain.depositOf(orderId),
    chain.depositOf(another),
    pad('0x', { size: 20 }),
  ]
  for (const address of own) {
    const refused = { code: 'input-invalid', message: expect.stringContaining('payment.refundAddress: ') }
    await expect(nameAddress(orderId, address)).rejects.toMatchObject(refused)
  }
  expect((await world.get(orderId)).payment).not.toHaveProperty('refundAddress')
})
