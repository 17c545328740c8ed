import { wrap } from '@faremeter/fetch'
import { createPaymentHandler } from '@faremeter/payment-evm/exact'
import { x402Client as AxiosClient, wrapAxiosWithPayment } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import axios from 'axios'
import type { Order } from 'kassa/schema'
import { Mppx } from 'mppx/client'
import { evm } from 'mppx/evm/client'
import type { LocalAccount } from 'viem'
import { baseSepolia } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { createX402World, printUnits } from '../../helpers/createX402World.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const world = openBeforeAll(createX402World)

type Answer = { status: number; response: string | null; order: Order }
type Buy = (account: LocalAccount, url: string, method: 'GET' | 'POST') => Promise<Answer>

const read = async (response: Response): Promise<Answer> => ({
  status: response.status,
  response: response.headers.get('PAYMENT-RESPONSE'),
  order: (await response.json()) as Order,
})

/** Each client as its own documentation sets it up. */
const clients: Record<string, Buy> = {
  '@x402/fetch': async (account, url, method) => {
    const client = new x402Client().register('eip155:84532', new ExactEvmScheme(account))
    return read(await wrapFetchWithPayment(fetch, client)(url, { method }))
  },
  '@x402/axios': async (account, url, method) => {
    const client = new AxiosClient().register('eip155:84532', new ExactEvmScheme(account))
    const { status, headers, data } = await wrapAxiosWithPayment(axios.create(), client).request({
      url,
      method,
    })
    return { status, response: String(headers['payment-response']), order: data as Order }
  },
  '@faremeter/fetch': async (account, url, method) => {
    const wallet = { chain: { id: baseSepolia.id, name: 'Base Sepolia' }, address: account.address, account }
    const pay = wrap(fetch, { handlers: [createPaymentHandler(wallet as never)] })
    return read(await pay(url, { method }))
  },
  mppx: async (account, url, method) => {
    const mppx = Mppx.create({
      methods: [evm.charge({ account, networks: [84532] } as never)],
      polyfill: false,
    })
    return read(await mppx.fetch(url, { method }))
  },
}

const decode = (header: string | null): unknown =>
  JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'))

/** Asserts that a buyer paid once, got the token, and spent no gas. */
const expectBought = async (account: LocalAccount, { status, response, order }: Answer, tokens = 1n) => {
  expect(status, JSON.stringify(order)).toBe(200)
  expect(decode(response)).toMatchObject({
    success: true,
    network: 'eip155:84532',
    payer: account.address,
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  const done = await world.waitFor(order.orderId, 'completed')
  expect(done.payment.received).toMatchObject({ amount: '1', payerAddress: account.address })
  expect(await world.balanceOf('usdc', account.address)).toBe((10n - tokens) * printUnits)
  expect(await world.client.getBalance({ address: account.address })).toBe(0n)
  return done
}

describe.each(Object.entries(clients))('%s', (_, buy) => {
  test('default: it pays an order that names no payer', async () => {
    const buyer = await world.createBuyer()
    const { x402Url } = await world.createOrder(buyer.address)
    await expectBought(buyer, await buy(buyer, x402Url, 'POST'))
  })

  test('default: it buys a token of a collection in one exchange', async () => {
    const buyer = await world.createBuyer()
    const done = await expectBought(buyer, await buy(buyer, world.collectionUrl(), 'GET'))
    expect(done.lineItems[0]?.delivery.recipient?.walletAddress).toBe(buyer.address)
  })
})
