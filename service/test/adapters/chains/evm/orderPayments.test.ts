import { createPublicClient, custom } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { findPayments } from '#adapters/chains/evm/payments/orderPayments.js'
import { createMoneyWorld } from '../../../helpers/createMoneyWorld.js'

let chain: Awaited<ReturnType<typeof createMoneyWorld>>
beforeAll(async () => {
  chain = await createMoneyWorld()
})
afterAll(() => chain.close())

describe('findPayments', () => {
  test('behavior: the time of a block is read once', async () => {
    const asked: string[] = []
    const client = createPublicClient({
      transport: custom({
        request: ({ method, params }) => {
          asked.push(method)
          return chain.client.request({ method, params })
        },
      }),
    })
    const { router, depositFactory } = getDeployments(chain.operator, true)
    const contracts = {
      router: router.address,
      depositFactory: depositFactory.address,
      currencies: chain.chain.currencies,
    }
    const payer = await chain.createPayer()
    const orderId = crypto.randomUUID()
    const targets = ['eth', 'usdc'].map((currency) => chain.chain.paymentTarget({ orderId, currency }))
    const look = async () => {
      asked.length = 0
      const toBlock = (await chain.chain.getHead()).number
      const found = await findPayments(client, contracts, { fromBlock: 0n, toBlock, targets })
      return {
        times: found.map(({ block }) => block.timestampMs),
        blocks: asked.filter((method) => method === 'eth_getBlockByHash').length,
      }
    }
    await payer.send(orderId, 'usdc', 1n)
    await payer.send(orderId, 'eth', 2n)
    const first = await look()
    expect(first).toEqual({ times: [expect.any(Number), expect.any(Number)], blocks: 2 })
    expect(Math.min(...first.times)).toBeGreaterThan(0)
    expect(await look()).toEqual({ times: first.times, blocks: 0 })
    await payer.send(orderId, 'usdc', 3n)
    expect(await look()).toEqual({ times: [...first.times, expect.any(Number)], blocks: 1 })
  })
})
