import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestRateFeed } from '#adapters/chains/evm/artifacts/TestRateFeed.js'
import { createRates } from '#adapters/rates/createRates.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { testNetwork } from '../../../helpers/testNetwork.js'

type World = Awaited<ReturnType<typeof createTestChain>>
let world: World
let feed: Hex

beforeAll(async () => {
  world = await createTestChain()
  const hash = await world.operatorWallet.deployContract({ ...TestRateFeed, args: [8] })
  const { contractAddress } = await world.client.waitForTransactionReceipt({ hash })
  feed = getAddress(contractAddress ?? '')
})
afterAll(() => world.close())

const set = async (answer: bigint, updatedAt: bigint): Promise<void> => {
  const call = { address: feed, ...TestRateFeed, functionName: 'set', args: [answer, updatedAt] } as const
  const hash = await world.operatorWallet.writeContract(call)
  await world.client.waitForTransactionReceipt({ hash })
}
const nowSeconds = (): bigint => BigInt(Math.floor(Date.now() / 1000))

const log = { info: () => {}, warn: () => {}, error: () => {} }
const readRates = (nowMs = Date.now()) =>
  createRates(
    {
      chains: { enabled: ['base-sepolia'], get: () => world.chain },
      safeFetch: testNetwork.safeFetch,
      log,
      now: () => nowMs,
    },
    {
      table: {},
      feeds: [{ chain: 'base-sepolia', currency: 'eth', address: feed }],
      url: undefined,
      maxAgeMs: 60_000,
    },
  ).read()

describe('a price feed on chain', () => {
  test('default: its answer by its own decimals, with its time', async () => {
    const updatedAt = nowSeconds()
    await set(3012_55000000n, updatedAt)
    expect(await world.chain.readRateFeed(feed)).toEqual({
      rate: '3012.55',
      updatedAtMs: Number(updatedAt) * 1000,
    })
    expect((await readRates()).usd).toEqual({ eth: '3012.55' })
  })

  test('behavior: an answer that is too old does not count', async () => {
    await set(3000_00000000n, nowSeconds() - 61n)
    const { usd, isAway } = await readRates()
    expect({ usd, isAway: isAway('eth') }).toEqual({ usd: {}, isAway: false })
  })

  test.each([0n, -1n])('behavior: an answer of %s does not count', async (answer) => {
    await set(answer, nowSeconds())
    const { usd, isAway } = await readRates()
    expect({ usd, isAway: isAway('eth') }).toEqual({ usd: {}, isAway: false })
  })

  test('error: nothing at the address', async () => {
    await expect(world.chain.readRateFeed('0x000000000000000000000000000000000000dEaD')).rejects.toThrow()
  })
})
