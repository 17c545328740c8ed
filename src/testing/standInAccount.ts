import { type Address, getAddress, keccak256, type PrivateKeyAccount, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/**
 * Returns the account that signs for a test wallet's address, whose own key does not exist. Only the test
 * service accepts its signatures for that address.
 */
export const standInAccount = (address: Address): PrivateKeyAccount =>
  privateKeyToAccount(keccak256(stringToHex(`kassa test wallet ${getAddress(address)}`)))
