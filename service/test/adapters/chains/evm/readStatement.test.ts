import { encodeFunctionData, type Hex, maxUint48 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PaymentRouter } from '#adapters/chains/evm/artifacts/PaymentRouter.js'
import { getDeployments, toReference } from '#adapters/chains/evm/connection/addresses.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const pay = async (orderId: string, value: bigint) => {
  const payer = await world.createPayer()
  const args = [toReference(orderId), maxUint48] as const
  const data = encodeFunctionData({ ...PaymentRouter, functionName: 'pay', args })
  const to = getDeployments(world.operator, true).router.address
  const hash = await world.client.sendRawTransaction({
    serializedTransaction: await payer.sign({ to, value, data }),
  })
  await world.client.waitForTransactionReceipt({ hash })
}

test('behavior: a payment that arrives during the reads is in all answers or in none', async () => {
  const orderId = crypto.randomUUID()
  let isPaid = false
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    if (isPaid || !body.includes('eth_getBalance')) return
    isPaid = true
    await pay(orderId, 5n)
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  const input = [{ orderId, payOutKeys: [] }]
  expect(await chain.getStatement(input)).toEqual({
    held: [],
    unattributedFunds: [],
    paidOut: [],
    credited: [],
  })
  expect(isPaid).toBe(true)
  expect(await chain.getStatement(input)).toMatchObject({
    held: [{ orderId, units: 5n }],
    unattributedFunds: [],
  })
  await relay.close()
})

test('behavior: the coins of many deposit addresses are read at once', async () => {
  const orderIds = Array.from({ length: 50 }, () => crypto.randomUUID())
  for (const at of [0, 49]) {
    const address = world.chain.paymentTarget({ orderId: orderIds[at] ?? '', currency: 'usdc' }) as Hex
    await world.client.setBalance({ address, value: BigInt(at + 1) })
  }
  let requests = 0
  const relay = await startRelay(await world.node.rpcUrl(), async () => {
    requests++
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  const { unattributedFunds } = await chain.getStatement(
    orderIds.map((orderId) => ({ orderId, payOutKeys: [] })),
  )
  expect(unattributedFunds.filter(({ orderId }) => orderId)).toEqual([
    { orderId: orderIds[0], currency: 'eth', units: 1n },
    { orderId: orderIds[49], currency: 'eth', units: 50n },
  ])
  expect(requests).toBeLessThan(20)
  await relay.close()
})

test('error: an overloaded node does not count as having no unattributed funds', async () => {
  const orderId = crypto.randomUUID()
  const deposit = world.chain.paymentTarget({ orderId, currency: 'usdc' }) as Hex
  const payer = await world.createPayer()
  const token = await payer.mintTokens('usdxm', 7n, deposit)
  const nothing = `0x${'ab'.repeat(20)}`
  let isBusy = false
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => {
      const { method, params } = JSON.parse(body) as { method: string; params: [{ to?: string }] }
      const isToken = method === 'eth_call' && params[0].to?.toLowerCase() === token.toLowerCase()
      return isBusy && isToken ? 429 : undefined
    },
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  const input = [{ orderId, payOutKeys: [], foreignTokens: [token, nothing] }]
  expect((await chain.getStatement(input)).unattributedFunds).toContainEqual({
    orderId,
    currency: token,
    units: 7n,
  })
  isBusy = true
  await expect(chain.getStatement(input)).rejects.toMatchObject({ code: 'chain-unavailable' })
  await relay.close()
})
