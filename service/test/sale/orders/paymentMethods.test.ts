import { createClient, createOrder, listPaymentMethods } from 'kassa/api'
import { expect, test } from 'vitest'
import { resumeCurrency, suspendCurrency } from '#goods/collections/suspendedCurrencies.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createShop, orderBody } from '../../helpers/createShop.js'
import { testOrigin } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const chainNames = ['base-sepolia', 'polygon-amoy']

const shop = openBeforeAll(() =>
  createShop({
    chains: chainNames.map((chain) => createFakeChain({ chain, now: () => Date.now() }).port),
  }),
)

const eth = { currency: 'eth', decimals: 18 }
const usdc = { currency: 'usdc', decimals: 6, contractAddress: '0xusdc' }
const usdxm = { currency: 'usdxm', decimals: 6, contractAddress: '0xusdxm' }

test('default: each chain with its currencies, the native one first', async () => {
  const currencies = [eth, usdc, usdxm]
  expect(await listPaymentMethods(shop.client)).toEqual(chainNames.map((method) => ({ method, currencies })))
})

test('behavior: a currency that is off sale is missing, on its chain alone', async () => {
  const place = { chain: 'base-sepolia', currency: 'usdc' }
  await suspendCurrency(shop.deps, { ...place, reason: 'a test' })
  await shop.advance(2_000)
  expect(await listPaymentMethods(shop.client)).toEqual([
    { method: 'base-sepolia', currencies: [eth, usdxm] },
    { method: 'polygon-amoy', currencies: [eth, usdc, usdxm] },
  ])
  await resumeCurrency(shop.deps.db, place)
  await shop.advance(2_000)
  expect((await listPaymentMethods(shop.client))[0]?.currencies).toContainEqual(usdc)
})

test('behavior: a client key is enough, and an order can be created with each answer', async () => {
  const browser = createClient({
    baseUrl: 'http://localhost/api',
    apiKey: shop.clientKey,
    fetch: async (input, init) =>
      shop.app.request(String(input), { ...init, headers: { ...init?.headers, origin: testOrigin } }),
  })
  for (const { method, currencies } of await listPaymentMethods(browser)) {
    for (const { currency } of currencies) {
      const payment = { ...orderBody.payment, method, currency }
      const { order } = await createOrder(browser, { body: { ...orderBody, payment } })
      expect(order.payment).toMatchObject({ method, currency })
    }
  }
})
