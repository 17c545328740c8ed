import { evmChains, isEvmChainName, members } from 'kassa/schema'
import { getAddress } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { publishedTokens } from '#adapters/chains/evm/connection/publishedTokens.js'
import { parseConfig } from '#base/config/parseConfig.js'
import { openChain } from '#entry/openChain.js'
import { createTestDatabase } from '../../../helpers/createTestDatabase.js'

/** Stablecoins have 6 decimals except on BNB Smart Chain. SPX6900 has 8. */
const expectedDecimals = (chain: string, currency: string): number => {
  if (currency === 'spx') return 8
  return ['usdc', 'usdce', 'usdt', 'eurc'].includes(currency) && chain !== 'bsc' ? 6 : 18
}

describe.each(Object.entries(publishedTokens))('%s', (chain, tokens) => {
  test('default: a main network, and tokens of the interface that are there once', () => {
    expect(isEvmChainName(chain) && !evmChains[chain].isTestnet).toBe(true)
    const names = tokens.map(({ currency }) => currency)
    expect(members.balanceTokens).toEqual(expect.arrayContaining(names))
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(tokens.map(({ address }) => address)).size).toBe(names.length)
    // The chain's own coin has no contract.
    expect(names).not.toContain(isEvmChainName(chain) && evmChains[chain].nativeCurrency)
  })

  test.each(tokens.map(({ currency, ...token }) => [currency, token] as const))(
    '%s: an address with a valid checksum, and the decimals of its issuer',
    (currency, { address = '', decimals }) => {
      expect(address).toBe(getAddress(address))
      expect(decimals).toBe(expectedDecimals(chain, currency))
    },
  )
})

test('behavior: balances show them unless a setting names another contract, and no order is paid in them', async () => {
  const own = `0x${'a'.repeat(40)}`
  const config = parseConfig({
    KASSA_ENVIRONMENT: 'production',
    KASSA_CHAINS: 'base',
    KASSA_RPC_BASE: 'https://base.example',
    KASSA_TOKENS_BASE: `usdc:${own}:6`,
    KASSA_OPERATOR_KEY: `0x${'1'.repeat(64)}`,
    KASSA_MASTER_KEY: '2'.repeat(64),
  })
  const database = await createTestDatabase()
  onTestFinished(database.close)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const { port } = openChain({ config, db: database.db, log }, 'base')
  expect(port.currencies.map(({ currency }) => currency)).toEqual(['eth', 'usdc'])
  const degen = publishedTokens.base?.find(({ currency }) => currency === 'degen')
  expect(port.wallets.currencies).toContainEqual(degen)
  expect(port.wallets.currencies.filter(({ currency }) => currency === 'usdc')).toEqual([
    { currency: 'usdc', address: own, decimals: 6 },
  ])
})

test('behavior: every native coin of a chain has a name of the interface', () => {
  for (const { nativeCurrency } of Object.values(evmChains))
    expect(members.balanceTokens).toContain(nativeCurrency)
})
