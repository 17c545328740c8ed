import { getAddress, isAddress, zeroAddress } from 'viem'

/**
 * Reads an account's address on EVM chains. One in letters of both cases must have its checksum (EIP-55) right: else
 * somebody mistyped it, and what is sent there is gone. Nobody holds the key of the zero address, and tokens refuse to
 * be minted to it.
 *
 * @returns The address in its canonical spelling, or undefined for what is none.
 */
export const parseAddress = (text: string): string | undefined => {
  const address = /[a-f]/.test(text) ? text : text.toLowerCase()
  return isAddress(address) && address !== zeroAddress ? getAddress(address) : undefined
}
