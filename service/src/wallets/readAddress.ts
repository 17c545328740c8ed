import { clip, parseAddress } from 'kassa/engine'
import { ServiceError } from '../errors.js'

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
 * @throws {@link ServiceError} `input-invalid` naming the field.
 */
export const readAddress = (field: string, text: string): string => {
  const address = parseAddress(text)
  if (address !== undefined) return address
  throw new ServiceError('input-invalid', `${field}: ${explain(text)}`)
}
