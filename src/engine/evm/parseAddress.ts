import { type Address, getAddress, isAddress, zeroAddress } from 'viem'
import { clip } from '../clip.js'
import { invalid } from '../invalidInput.js'

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

const explain = (text: string): string => {
  if (/^0x0{40}$/i.test(text)) return 'the zero address has no owner'
  // An address in lower case has no checksum that could be wrong.
  return parseAddress(text.toLowerCase()) !== undefined
    ? `${text}: its checksum is wrong, so it may be mistyped`
    : `${clip(text)} is not an EVM address`
}

/**
 * Reads an account's address on EVM chains.
 *
 * @param field - The field that holds it.
 * @returns The address in its canonical form.
 * @throws {@link InvalidInput} naming the field.
 */
export const readAddress = (field: string, text: string): Address => {
  const address = parseAddress(text)
  if (address !== undefined) return address
  throw invalid(field, explain(text))
}
