import { type Address, concatHex, getContractAddress, type Hex, keccak256, stringToBytes } from 'viem'

/** Returns an order's reference in the payment contracts: 32 bytes that reveal nothing without the id. */
export const toOrderReference = (orderId: string): Hex => keccak256(stringToBytes(orderId))

/** Returns the address of the clone a factory creates for a reference (ERC-1167, by CREATE2). */
export const getCloneAddress = (factory: Address, reference: Hex): Address => {
  // The implementation is the first contract the factory's constructor creates.
  const implementation = getContractAddress({ from: factory, nonce: 1n })
  return getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: reference,
    bytecode: concatHex([
      '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
      implementation,
      '0x5af43d82803e903d91602b57fd5bf3',
    ]),
  })
}

/**
 * Returns the address at which an order is paid in a token. Each order has its own, which is known before a
 * contract is deployed there.
 *
 * @param factory - The service's deposit factory.
 */
export const getDepositAddress = (factory: Address, orderId: string): Address =>
  getCloneAddress(factory, toOrderReference(orderId))
