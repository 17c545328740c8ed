import { type Address, isAddress } from 'viem'
import { clip } from '../../../engine/clip.js'
import { parseAddress } from '../../../engine/evm/parseAddress.js'
import { badInput } from '../httpError.js'

const explain = (text: string): string => {
  if (/^0x0{40}$/i.test(text)) return 'the zero address has no owner'
  return isAddress(text.toLowerCase())
    ? `${text}: its checksum is wrong, so it may be mistyped`
    : `${clip(text)} is not an EVM address`
}

/**
 * Reads the address of an account.
 *
 * @throws {@link HttpError} naming the field.
 */
export const readAddress = (field: string, text: string): Address => {
  const address = parseAddress(text)
  if (address) return address
  throw badInput(`${field}: ${explain(text)}`)
}
