import type { Order } from 'kassa/schema'
import { describe, expect, test } from 'vitest'
import type { Config } from '#base/config/config.js'
import type { Rates } from '#base/ports/rates.js'
import { listOnSale } from '#sale/orders/listOnSale.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const database = openBeforeAll(createTestDatabase)

type Sale = { usd?: Record<string, string>; away?: string[]; config?: Partial<Config> }

/** A shop whose rates the test controls, with a collection at 10 dollars and one at 0.01 ether. */
const open = async ({ usd = {}, away = [], config = {} }: Sale) => {
  const now = () => 1_800_000_000_000
  const sale: Rates = { usd, isAway: (currency) => away.includes(currency) }
  const world = await createOrderWorld({
    db: database.db,
    chains: [createFakeChain({ now }).port],
    now,
    config,
    rates: { read: async () => sale },
  })
  await world.createCollection({ id: 'dollars', price: '10', currency: 'usd' })
  await world.createCollection({ id: 'ether' })
  const pay = (currency: string) => ({ method: 'base-sepolia', currency, payerAddress }) as const
  return {
    ...world,
    sale,
    buy: async (id: string, currency: string): Promise<Order> => {
      const body = { lineItems: { collectionLocator: `kassa:${id}` }, payment: pay(currency) }
      return (await world.create(body)).order
    },
    patch: (orderId: string, currency: string) =>
      editOrder(world.deps, world.secretCall(orderId), { orderId, body: { payment: pay(currency) } }),
    refresh: (orderId: string) => refreshOrder(world.deps, world.secretCall(orderId), { orderId }),
  }
}

const refusal = (code: string, message: string) => expect.objectContaining({ code, message })

describe('a currency without a rate', () => {
  test('error: input-invalid, naming what is on sale', async () => {
    const { buy } = await open({ usd: { usdc: '1' } })
    await expect(buy('dollars', 'eth')).rejects.toEqual(
      refusal(
        'input-invalid',
        'payment.currency: eth has no exchange rate at the moment on base-sepolia; accepted: usdc',
      ),
    )
    expect((await buy('dollars', 'usdc')).quote.totalPrice?.amount).toBe('10')
  })

  test('behavior: a price in the same currency needs no rate', async () => {
    const { buy } = await open({})
    expect((await buy('ether', 'eth')).quote.totalPrice).toEqual({ amount: '0.01', currency: 'eth' })
  })

  test('behavior: an order cannot be edited or refreshed into one', async () => {
    const world = await open({ usd: { usdc: '1', eth: '3000' } })
    const { orderId } = await world.buy('dollars', 'eth')
    const inUsdc = await world.buy('dollars', 'usdc')
    Object.assign(world.sale, { usd: { usdc: '1' } })
    const gone = refusal(
      'input-invalid',
      'payment.currency: eth has no exchange rate at the moment on base-sepolia; accepted: usdc',
    )
    await expect(world.refresh(orderId)).rejects.toEqual(gone)
    await expect(world.patch(inUsdc.orderId, 'eth')).rejects.toEqual(gone)
  })

  test('error: rates-unavailable while its source is away, whichever side of the price lacks the rate', async () => {
    const { buy } = await open({ usd: { usdc: '1' }, away: ['eth'] })
    const away = refusal(
      'rates-unavailable',
      'There is no exchange rate for eth at the moment. Try again in a few minutes.',
    )
    await expect(buy('dollars', 'eth')).rejects.toEqual(away)
    await expect(buy('ether', 'usdc')).rejects.toEqual(away)
  })
})

describe('the accepted currencies', () => {
  const usd = { usdc: '1', usdxm: '1', eth: '3000' }

  test('error: input-invalid for one that the deployment does not accept', async () => {
    const { buy, patch } = await open({ usd, config: { currencies: ['usdc'] } })
    const taken = refusal(
      'input-invalid',
      'payment.currency: eth is not accepted on base-sepolia; accepted: usdc',
    )
    await expect(buy('dollars', 'eth')).rejects.toEqual(taken)
    await expect(patch((await buy('dollars', 'usdc')).orderId, 'eth')).rejects.toEqual(taken)
  })

  test('error: input-invalid for dollars, which can be a price and no payment', async () => {
    const { buy, patch } = await open({ usd })
    const { orderId } = await buy('dollars', 'usdc')
    const named = /^payment\.currency: usd is no.*usdc/
    for (const asked of [buy('dollars', 'usd'), patch(orderId, 'usd')]) {
      const error = await asked.then(undefined, (cause: unknown) => cause)
      expect(error).toMatchObject({ code: 'input-invalid', message: expect.stringMatching(named) })
    }
  })

  test('error: input-invalid for one that the collection does not accept, also by an edit', async () => {
    const world = await open({ usd })
    await world.createCollection({ id: 'narrow', price: '10', currency: 'usd', currencies: ['usdc'] })
    const refused = refusal(
      'input-invalid',
      'payment.currency: eth is not accepted for this order on base-sepolia; accepted: usdc',
    )
    await expect(world.buy('narrow', 'eth')).rejects.toEqual(refused)
    const { orderId } = await world.buy('narrow', 'usdc')
    await expect(world.patch(orderId, 'eth')).rejects.toEqual(refused)
    expect((await world.get(orderId)).payment.currency).toBe('usdc')
  })

  test('default: at the start, each chain with its currencies and rates', async () => {
    const { deps } = await open({ usd: { usdc: '1' } })
    expect(await listOnSale(deps)).toEqual([
      { chain: 'base-sepolia', onSale: { usdc: '1' }, withoutRate: ['eth', 'usdxm'], suspended: [] },
    ])
  })
})
