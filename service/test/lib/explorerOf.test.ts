import { expect, test } from 'vitest'
import { explorerOf } from '../../src/config/explorerOf.js'

const settings = { rpcUrl: 'https://node.example', confirmations: 1, nftContracts: [], tokens: [] }

test('default: the best-known explorer of a chain', () => {
  expect(explorerOf({ chains: { base: settings } }, 'base')).toBe('https://basescan.org')
  expect(explorerOf({ chains: {} }, 'nowhere')).toBeUndefined()
})

test('parameters: the configured one', () => {
  const explorerUrl = 'https://explorer.example'
  expect(explorerOf({ chains: { base: { ...settings, explorerUrl } } }, 'base')).toBe(explorerUrl)
})
