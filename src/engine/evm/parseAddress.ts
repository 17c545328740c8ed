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

/**
 * Explains why a text that {@link parseAddress} refused is not an account's address. For a wrong checksum, it gives the
 * right spelling.
 *
 * @param expected - What the text is not, if it is no address at all.
 */
export const explainAddress = (text: string, expected = 'an EVM address'): string => {
  if (/^0x0{40}$/i.test(text)) return 'the zero address has no owner'
  // An address in lower case has no checksum that could be wrong.
  const spelling = parseAddress(text.toLowerCase())
  return spelling === undefined
    ? `${clip(text) || '(empty)'} is not ${expected}`
    : `${text}: its checksum is wrong, so it may be mistyped. The right spelling is ${spelling}`
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
  throw invalid(field, explainAddress(text))
}
