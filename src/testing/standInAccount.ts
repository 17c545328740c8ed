import { type Address, getAddress, keccak256, type PrivateKeyAccount, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/**
 * What signs for an address of a test's wallet, whose own key nobody has. The test service takes its signatures for
 * those of the address; nobody else does.
 */
export const standInAccount = (address: Address): PrivateKeyAccount =>
  privateKeyToAccount(keccak256(stringToHex(`kassa test wallet ${getAddress(address)}`)))
