import { expect, test } from 'vitest'
import { explorerOf } from '#base/config/explorerOf.js'

const publicUrl = 'https://service.example'
const settings = { rpcUrl: 'https://node.example', confirmations: 1, nftContracts: [], tokens: [] }

test('default: the best-known explorer of a chain', () => {
  expect(explorerOf({ publicUrl, chains: { base: settings } }, { chain: 'base', isLocal: false })).toBe(
    'https://basescan.org',
  )
  expect(explorerOf({ publicUrl, chains: {} }, { chain: 'nowhere', isLocal: false })).toBeUndefined()
})

test('behavior: a local chain is shown by the sandbox', () => {
  expect(explorerOf({ publicUrl, chains: {} }, { chain: 'base', isLocal: true })).toBe(
    'https://service.example/sandbox/explorer/base',
  )
})

test.each([true, false])('parameters: the configured one, local: %s', (isLocal) => {
  const explorerUrl = 'https://explorer.example'
  expect(
    explorerOf({ publicUrl, chains: { base: { ...settings, explorerUrl } } }, { chain: 'base', isLocal }),
  ).toBe(explorerUrl)
})
