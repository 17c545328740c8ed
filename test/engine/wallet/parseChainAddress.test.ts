import { expect, test } from 'vitest'
import { explainChainAddress, parseChainAddress } from '../../../src/engine/wallet/parseChainAddress.js'

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

test.each([
  [
    'a wrong checksum',
    [address.replace('C', 'c'), 'base'],
    `${address.replace('C', 'c')}: its checksum is wrong, so it may be mistyped. The right spelling is ${address}`,
  ],
  ['the zero address', [`0x${'0'.repeat(40)}`, 'base'], 'the zero address has no owner'],
  ['an address of another family', [solana, 'base'], `${solana} is not an address on base`],
  ['an EVM address on Solana', [address, 'solana'], `${address} is not an address on solana`],
  ['several chains', ['ada', 'base', 'solana'], 'ada is not an address on any of base, solana'],
  ['nothing', ['', 'base'], '(empty) is not an address on base'],
] as const)('behavior: explains %s', (_, [text, ...chains], message) => {
  expect(explainChainAddress(text, ...chains)).toBe(message)
})
