import * as known from 'viem/chains'
import { expect, test } from 'vitest'
import { type EvmChainName, evmChains, explorerUrls } from '../../src/schema/chains.js'
import { fundChains } from '../../src/schema/members.js'

/** Coins that viem calls otherwise than the interface does. */
const renamed: Readonly<Record<string, string>> = {
  story: 'data',
  'story-testnet': 'data',
  'xai-sepolia-testnet': 'sxai',
}
const names = Object.keys(evmChains) as EvmChainName[]

test.each(names)('behavior: %s is the chain that others know by its id', (name) => {
  const { chainId, nativeCurrency, isTestnet } = evmChains[name]
  const chain = Object.values(known).find(({ id }) => id === chainId)
  expect(chain).toMatchObject({ nativeCurrency: { decimals: 18 } })
  expect(chain?.nativeCurrency.symbol.toLowerCase()).toBe(renamed[name] ?? nativeCurrency)
  expect(chain?.testnet ?? false).toBe(isTestnet)
  expect(chain?.blockExplorers?.default.url.replace(/\/$/, '')).toBe(explorerUrls[name])
})

test('behavior: no two chains share an id', () => {
  expect(new Set(names.map((name) => evmChains[name].chainId)).size).toBe(names.length)
})

test('behavior: wallets can be funded on chains that can be enabled', () => {
  const unknown = fundChains.filter((name) => !Object.hasOwn(evmChains, name) && name !== 'solana')
  // Of this one, no public source gives the chain id.
  expect(unknown).toEqual(['barret-testnet'])
  expect(
    fundChains.filter((name) => Object.hasOwn(evmChains, name) && !evmChains[name as EvmChainName].isTestnet),
  ).toEqual([])
})
