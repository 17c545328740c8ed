import { expect, test } from 'vitest'
import { parseChainAddress } from '../../../src/engine/wallet/parseChainAddress.js'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const solana = 'So11111111111111111111111111111111111111112'

test('default: an address in the canonical form of its chain', () => {
  expect(parseChainAddress('solana', solana)).toBe(solana)
  expect(parseChainAddress('base', address.toLowerCase())).toBe(address)
})

test.each([
  ['an address of another family', 'base', solana],
  ['an EVM address on a chain of another family', 'solana', address],
  ['a family without a reader of addresses', 'aptos', address],
  ['a chain that does not exist', 'atlantis', address],
])('behavior: undefined for %s', (_, chain, text) => {
  expect(parseChainAddress(chain, text)).toBeUndefined()
})
