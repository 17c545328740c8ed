import { expect, test } from 'vitest'
import { viewBalance } from '../../../src/engine/wallet/balances.js'

test('default', () => {
  const held = [
    { chain: 'base-sepolia', units: 5n, decimals: 6 },
    { chain: 'polygon-amoy', units: 2n ** 200n, decimals: 6 },
  ]
  expect(viewBalance('usdc', held)).toEqual({
    token: 'usdc',
    decimals: 6,
    balances: { 'base-sepolia': '5', 'polygon-amoy': String(2n ** 200n), total: String(2n ** 200n + 5n) },
  })
})

test('behavior: amounts with different decimals use the finest unit, so that they add up', () => {
  const held = [
    { chain: 'base', units: 1_000_000n, decimals: 6 },
    { chain: 'bsc', units: 10n ** 18n, decimals: 18 },
  ]
  expect(viewBalance('usdc', held)).toEqual({
    token: 'usdc',
    decimals: 18,
    balances: { base: String(10n ** 18n), bsc: String(10n ** 18n), total: String(2n * 10n ** 18n) },
  })
})
