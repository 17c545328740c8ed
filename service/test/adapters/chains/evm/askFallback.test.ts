import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestRateFeed } from '#adapters/chains/evm/artifacts/TestRateFeed.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

type World = Awaited<ReturnType<typeof createTestChain>>
let world: World

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const nowhere = 'http://127.0.0.1:1'
const unavailable = expect.objectContaining({ code: 'chain-unavailable' })
const openAway = (fallbackUrl?: string) => world.open({ rpcUrl: async () => nowhere, fallbackUrl })

test('default: while the first node is away, the second one answers for balances and price feeds', async () => {
  const chain = openAway(await world.node.rpcUrl())
  const { address } = await world.createPayer(7n)
  expect(await chain.wallets.getBalances(address, ['eth', 'usdc'])).toEqual({ eth: 7n, usdc: 0n })
  const hash = await world.operatorWallet.deployContract({ ...TestRateFeed, args: [8] })
  const { contractAddress } = await world.client.waitForTransactionReceipt({ hash })
  const call = { address: contractAddress as `0x${string}`, ...TestRateFeed } as const
  await world.operatorWallet.writeContract({ ...call, functionName: 'set', args: [5n, 1n] })
  expect(await chain.readRateFeed?.(call.address)).toEqual(await world.chain.readRateFeed?.(call.address))
})

test('behavior: a first node that does not serve the method counts as away', async () => {
  const first = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => (body.includes('eth_getBalance') ? { code: -32_601, message: 'no such method' } : undefined),
  )
  const chain = world.open({ rpcUrl: async () => first.url, fallbackUrl: await world.node.rpcUrl() })
  const { address } = await world.createPayer(7n)
  expect(await chain.wallets.getBalances(address, ['eth'])).toEqual({ eth: 7n })
  await first.close()
})

test('error: nothing else is asked of it, because two nodes may show two states', async () => {
  const chain = openAway(await world.node.rpcUrl())
  await expect(chain.getHead()).rejects.toEqual(unavailable)
  const input = { orderId: crypto.randomUUID(), currency: 'eth', units: 1n, recipient: world.operator }
  await expect(chain.refund('away', input)).rejects.toEqual(unavailable)
})

test('error: without a second node, or with one of another chain, the chain is unavailable', async () => {
  const { address } = await world.createPayer(7n)
  await expect(openAway().wallets.getBalances(address, ['eth'])).rejects.toEqual(unavailable)
  const other = await createTestChain('optimism-sepolia', world)
  const misplaced = openAway(await other.node.rpcUrl())
  await expect(misplaced.wallets.getBalances(address, ['eth'])).rejects.toEqual(unavailable)
  await other.node.stop()
})

test('error: a revert is an answer, so the second node is not asked', async () => {
  const isRead = (body: string) => /"eth_(call|getBalance)"/.test(body)
  let isOver = false
  const first = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => (isRead(body) && !isOver ? { code: 3, message: 'execution reverted' } : undefined),
  )
  const asked: string[] = []
  const second = await startRelay(await world.node.rpcUrl(), async (body) => void asked.push(body))
  const chain = world.open({ rpcUrl: async () => first.url, fallbackUrl: second.url })
  const { address } = await world.createPayer(7n)
  const read = () => chain.wallets.getBalances(address, ['eth'])
  await expect(read()).rejects.not.toEqual(unavailable)
  expect(asked).toEqual([])
  isOver = true
  expect(await read()).toEqual({ eth: 7n })
  await first.close()
  await second.close()
})
