import { encodeDeployData, getAddress, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import type { ChainPort } from '#base/ports/chain.js'
import { listSuspended, resumeCurrency } from '#goods/collections/suspendedCurrencies.js'
import { listOnSale } from '#sale/orders/listOnSale.js'
import { createMoneyWorld, price } from '../../helpers/createMoneyWorld.js'
import { compileFeeToken } from '../../helpers/feeTokens.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { runIn } from '../../helpers/runCommand.js'

type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>
type World = Awaited<ReturnType<MoneyWorld['open']>>

const chain = openBeforeAll(createMoneyWorld)
const full = price.usdc
const net = (units: bigint): bigint => units - units / 100n
const usdc = { chain: 'base-sepolia', currency: 'usdc' }

let world: World
/** A payment is final in its third block. */
let patient: World
let buyer: Awaited<ReturnType<MoneyWorld['createPayer']>>

beforeAll(async () => {
  world = await chain.open()
  patient = await chain.open({ confirmations: 3 })
  buyer = await chain.createPayer()
  await buyer.mintTokens('usdc', 100n * full)
})

/** Puts a token of this code in the place of the deployment's, which keeps its balances. */
const putToken = async (bytecode: Hex): Promise<void> => {
  const data = encodeDeployData({ abi: TestToken.abi, bytecode, args: ['Fee', 'FEE'] })
  const hash = await buyer.mine(await buyer.sign({ data }))
  const { contractAddress } = await chain.client.getTransactionReceipt({ hash })
  const code = await chain.client.getCode({ address: contractAddress as Hex })
  const address = chain.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? ''
  await chain.client.setCode({ address: getAddress(address), bytecode: code as Hex })
}

/** The sums of an order in the ledger, which has no difference. */
const sumsOf = async (from: World, orderId: string) => {
  const { differing, totals } = await from.ledger()
  expect(differing.filter((line) => line.orderId === orderId)).toEqual([])
  return totals
}

const resume = () => resumeCurrency(chain.db, usdc)

describe('a token that says more than arrives', () => {
  beforeAll(() => putToken(compileFeeToken('gross')))

  test('default: what arrived counts, the rest completes the price, and the token is off sale', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', full)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'payment',
      payment: {
        status: 'awaiting-payment',
        failureReason: { code: 'underpaid' },
        received: { amount: '29.7', currency: 'usdc' },
      },
    })
    expect(await listSuspended(chain.db)).toEqual([
      { ...usdc, reason: expect.stringContaining(`${net(full)} of ${full}`), suspendedAt: expect.any(Date) },
    ])
    expect(world.logged.filter((line) => line.startsWith('a currency is suspended'))).toHaveLength(1)

    await buyer.send(orderId, 'usdc', 310_000n)
    const order = await world.settle(orderId)
    expect(order).toMatchObject({ phase: 'completed', payment: { status: 'completed' } })
    const received = net(full) + net(310_000n)
    expect(await chain.payOuts(orderId)).toEqual(
      expect.arrayContaining([
        { to: buyer.address, units: received - full },
        { to: chain.operator, units: full },
      ]),
    )
    expect(await chain.tokensOf(chain.depositOf(orderId), 'usdc')).toBe(0n)
    await sumsOf(world, orderId)
    // It was found off sale before.
    expect(world.logged.filter((line) => line.startsWith('a currency is suspended'))).toHaveLength(1)
    await resume()
  })

  test('behavior: what arrived goes back at the end of the quote', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', full)
    await world.settle(orderId)
    await world.endQuote(orderId)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'quote',
      payment: { refunded: { amount: '29.7' } },
    })
    expect(await chain.payOuts(orderId)).toEqual([{ to: buyer.address, units: net(full) }])
    await buyer.send(orderId, 'usdc', full)
    // What was paid out before arrived as well.
    expect(await world.settle(orderId)).toMatchObject({ payment: { received: { amount: '59.4' } } })
    await resume()
  })

  test('behavior: payments of one block share what arrived, once they are final', async () => {
    const orderId = await patient.create(buyer, 'usdc')
    const stranger = await chain.createPayer()
    await stranger.mintTokens('usdc', full)
    await chain.mineTogether([
      await buyer.signPayment(orderId, 'usdc', full / 2n),
      await stranger.signPayment(orderId, 'usdc', full / 4n),
    ])
    await patient.look()
    expect((await patient.get(orderId)).payment.status).toBe('in-progress')
    await chain.client.mine({ blocks: 3 })
    expect(await patient.settle(orderId)).toMatchObject({ payment: { received: { amount: '22.275' } } })
    await patient.endQuote(orderId)
    await patient.settle(orderId)
    expect(await chain.payOuts(orderId)).toEqual(
      expect.arrayContaining([
        { to: buyer.address, units: net(full / 2n) },
        { to: stranger.address, units: net(full / 4n) },
      ]),
    )
    await resume()
  })

  test('behavior: the operator sees it, no new order takes it, and the operator puts it on sale again', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', full)
    await world.settle(orderId)
    await expect(world.create(buyer, 'usdc')).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining(
        'payment.currency: usdc is not accepted for this order on base-sepolia; accepted: eth',
      ),
    })
    const [sale] = await listOnSale(world.deps)
    expect(sale?.suspended).toEqual(['usdc'])
    expect(Object.keys(sale?.onSale ?? {})).not.toContain('usdc')

    const run = (...args: string[]) => runIn({ env: {}, service: world.deps }, args)
    expect((await run('currencies', 'list')).out).toContain(`${net(full)} of ${full}`)
    expect(JSON.parse((await run('currencies', 'list', '--json')).out)).toMatchObject([usdc])
    expect((await run('currencies', 'resume', 'usdc')).status).toBe(2)
    expect((await run('currencies', 'resume', 'base-sepolia', 'usdc')).status).toBe(0)
    expect(await run('currencies', 'resume', 'base-sepolia', 'usdc')).toMatchObject({
      status: 1,
      err: 'kassa-service: usdc is not suspended on base-sepolia\n',
    })
    expect((await run('currencies', 'list')).out).toBe('No currency is suspended.\n')
    await world.create(buyer, 'usdc')
  })

  test('behavior: a node that lacks the block of a payment does not say what arrived', async () => {
    const orderId = await world.create(buyer, 'usdc')
    const { number } = await chain.chain.getHead()
    const { readArrived } = chain.chain as Required<Pick<ChainPort, 'readArrived'>>
    const orders = [{ orderId, currency: 'usdc', payOutKeys: [] }]
    await expect(readArrived({ since: number + 1n, orders })).rejects.toMatchObject({
      code: 'chain-unavailable',
    })
    expect(await readArrived({ since: number, orders })).toEqual([0n])
  })
})

describe('a token that takes a fee and says what arrives', () => {
  beforeAll(() => putToken(compileFeeToken('net')))

  test('default: the order waits for the rest, and the token stays on sale', async () => {
    const orderId = await world.create(buyer, 'usdc')
    await buyer.send(orderId, 'usdc', full)
    expect(await world.settle(orderId)).toMatchObject({
      phase: 'payment',
      payment: { failureReason: { code: 'underpaid' }, received: { amount: '29.7' } },
    })
    expect(await resumeCurrency(chain.db, usdc)).toBe(false)
    await sumsOf(world, orderId)
  })
})
