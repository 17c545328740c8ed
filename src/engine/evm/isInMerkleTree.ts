import { concatHex, encodeAbiParameters, type Hex, isAddress, isHex, keccak256 } from 'viem'

const toHex = (text: string): Hex => (isHex(text) ? text : '0x')

/** Hashes two nodes in the order of their bytes, so that a proof does not need to say which is on the left. */
const hashPair = (one: Hex, other: Hex): Hex =>
  keccak256(one.toLowerCase() < other.toLowerCase() ? concatHex([one, other]) : concatHex([other, one]))

/**
 * Whether a Merkle proof shows that an address is in a tree: a standard tree of OpenZeppelin with leaves `["address"]`.
 * A leaf is hashed twice, so that no inner node can pass for one.
 */
export const isInMerkleTree = (merkleRoot: string, address: string, proof: readonly string[]): boolean => {
  const canonical = address.toLowerCase()
  if (!isAddress(canonical)) return false
  const leaf = keccak256(keccak256(encodeAbiParameters([{ type: 'address' }], [canonical])))
  const root = proof.reduce<Hex>((node, hash) => hashPair(node, toHex(hash)), leaf)
  return root.toLowerCase() === merkleRoot.toLowerCase()
}
