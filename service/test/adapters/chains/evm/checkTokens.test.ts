import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServiceError } from '#base/errors.js'
import { main } from '#entry/main.js'
import { createTestChain } from '../../../helpers/createTestChain.js'

type World = Awaited<ReturnType<typeof createTestChain>>
let world: World
let usdc: { currency: string; address: string; decimals: number }

beforeAll(async () => {
  world = await createTestChain()
  const known = world.chain.currencies.find(({ currency }) => currency === 'usdc')
  usdc = { currency: 'usdc', address: known?.address ?? '', decimals: 6 }
})
afterAll(() => world.close())

const open = (token: typeof usdc) => world.open({ tokens: [token] })

describe('checkTokens', () => {
  test('default: decimals that match the contract', async () => {
    await expect(open(usdc).checkTokens()).resolves.toBeUndefined()
  })

  test('error: other decimals, by chain, token and both numbers', async () => {
    await expect(open({ ...usdc, decimals: 18 }).checkTokens()).rejects.toThrow(
      `KASSA_TOKENS_BASE_SEPOLIA: usdc has 6 decimals on base-sepolia (${usdc.address}), and the setting says 18`,
    )
  })

  test('error: the service does not start with them', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kassa-start-'))
    const env = {
      KASSA_CHAINS: 'base-sepolia',
      KASSA_RPC_BASE_SEPOLIA: await world.node.rpcUrl(),
      KASSA_TOKENS_BASE_SEPOLIA: `usdc:${usdc.address}:18`,
      KASSA_OPERATOR_KEY: `0x${'ab'.repeat(32)}`,
      KASSA_MASTER_KEY: 'cd'.repeat(32),
      KASSA_DATA_DIR: dataDir,
      KASSA_LOG_LEVEL: 'silent',
    }
    await expect(main(env, () => {})).rejects.toThrow('usdc has 6 decimals on base-sepolia')
    await rm(dataDir, { recursive: true, force: true })
  })

  test('error: an address without a token', async () => {
    const address = '0x000000000000000000000000000000000000dEaD'
    await expect(open({ ...usdc, address }).checkTokens()).rejects.toThrow(
      `KASSA_TOKENS_BASE_SEPOLIA: usdc is at ${address} on base-sepolia, but the contract there does not return its decimals`,
    )
  })

  test('error: chain-unavailable: with wrong tokens nothing is served, even when the node answers later', async () => {
    const wrong = open({ ...usdc, decimals: 18 })
    await expect(wrong.ready()).rejects.toThrow(
      'base-sepolia is not served while its configuration is wrong.',
    )
    const away = world.open({ tokens: [usdc], rpcUrl: async () => 'http://127.0.0.1:9' })
    await expect(away.checkTokens()).rejects.toThrow(ServiceError)
  })
})
