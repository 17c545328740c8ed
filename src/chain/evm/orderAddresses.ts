import { type Address, concatHex, getContractAddress, type Hex, keccak256, stringToBytes } from 'viem'

/** Returns an order's reference in the payment contracts: 32 bytes that reveal nothing without the id. */
export const toOrderReference = (orderId: string): Hex => keccak256(stringToBytes(orderId))

const cloneCodeHashes = new Map<Address, Hex>()

/** Returns the hash of the creation code of a factory's clones (ERC-1167). */
const getCloneCodeHash = (factory: Address): Hex => {
  const known = cloneCodeHashes.get(factory)
  if (known) return known
  // The implementation is the first contract the factory's constructor creates.
  const implementation = getContractAddress({ from: factory, nonce: 1n })
  const code = [
    '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
  ]
  const hash = keccak256(concatHex(code as Hex[]))
  cloneCodeHashes.set(factory, hash)
  return hash
}

/** Returns the address of the clone a factory creates for a reference (ERC-1167, by CREATE2). */
export const getCloneAddress = (factory: Address, reference: Hex): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: reference,
    bytecodeHash: getCloneCodeHash(factory),
  })

/**
 * Returns the address at which an order is paid in a token. Each order has its own, which is known before a
 * contract is deployed there.
 *
 * @param factory - The service's deposit factory.
 */
export const getDepositAddress = (factory: Address, orderId: string): Address =>
  getCloneAddress(factory, toOrderReference(orderId))
