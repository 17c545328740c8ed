import { concatHex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { isInMerkleTree } from '../../../src/engine/evm/isInMerkleTree.js'

/** Made by `StandardMerkleTree` of `@openzeppelin/merkle-tree` 1.0.8, of five addresses. */
const merkleRoot = '0x86093ecc830ed44f3cdcbf78361ad7f5ce861ff924487463ae24ef3561dd94e0'
const two = '0x6e12203caebdfa7290608724e8b7bf8a2cc8efe639a6b78ea80096d834023a34'
const listed = '0x00000000000000000000000000000000000000bb'
const proofs = {
  [listed]: ['0xe13b9a4e9cbf4a245cd1b1afe1884d4777756c89842860e23e0cb7384b4713e0', two],
  '0x00000000000000000000000000000000000000cc': [
    '0xe4171845bcbc5ab9d7084ba5a99fa86f4ecc86f552f80adeaad4a7032980d924',
    '0xd1188f84735154bc3bcb061d09637a59b020c728069230ec4ef3fadf9b689935',
  ],
  '0x00000000000000000000000000000000000000dd': [
    '0xd071ca5787c20023028b452f81f43e3d395712a254393de57a90440bbcb51e4d',
    '0xfa1fa5decf51582e1482836fa8c6bd0ddf40521ce977c5596309e7b2d14602f1',
    two,
  ],
} as const
const other = '0x00000000000000000000000000000000000000ab'
const [first, second] = proofs[listed]

test('default: the trees of another library', () => {
  for (const [address, proof] of Object.entries<readonly string[]>(proofs)) {
    expect(isInMerkleTree(merkleRoot, address, proof)).toBe(true)
  }
})

test('behavior: the case of hex digits does not matter', () => {
  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
  expect(isInMerkleTree(upper(merkleRoot), upper(listed), [first, second].map(upper))).toBe(true)
})

test('behavior: only the whole proof of the address itself is accepted', () => {
  for (const proof of [[], [first], [second], [second, first], [first, second, first], ['no hex', second]]) {
    expect(isInMerkleTree(merkleRoot, listed, proof)).toBe(false)
  }
  expect(isInMerkleTree(merkleRoot, other, [first, second])).toBe(false)
  expect(isInMerkleTree(merkleRoot, 'no address', [])).toBe(false)
})

test('behavior: the address of a tree of one is its root', () => {
  const leaf = keccak256(keccak256(concatHex(['0x000000000000000000000000', listed])))
  expect(isInMerkleTree(leaf, listed, [])).toBe(true)
})
