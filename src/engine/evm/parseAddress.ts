import { type Address, getAddress, isAddress, zeroAddress } from 'viem'

/**
 * Parses an account's address on EVM chains. One in mixed case must have a correct checksum (EIP-55):
 * otherwise it was mistyped, and funds sent there are lost. The zero address is refused, because it has no
 * key, and tokens cannot be minted to it.
 *
 * @returns The address in its canonical form, or `undefined` if it is not one.
 */
export const parseAddress = (text: string): Address | undefined => {
  const address = /[a-f]/.test(text) ? text : text.toLowerCase()
  return isAddress(address) && address !== zeroAddress ? getAddress(address) : undefined
}
