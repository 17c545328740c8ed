import { getAddress, isAddress, zeroAddress } from 'viem'
import { clip } from '../clip.js'
import { ServiceError } from '../errors.js'

const explain = (text: string): string => {
  if (/^0x0{40}$/i.test(text)) return 'nobody holds the zero address'
  return isAddress(text.toLowerCase())
    ? `${text}: its checksum is wrong, so it may be mistyped`
    : `${clip(text)} is not an EVM address`
}

/**
 * Reads the address of an account on EVM chains. One in letters of both cases must have its checksum (EIP-55) right.
 *
 * @param field - Where it was written.
 * @returns The address in its canonical spelling.
 * @throws {@link ServiceError} `input-invalid` naming the field.
 */
export const readAddress = (field: string, text: string): string => {
  const address = /[a-f]/.test(text) ? text : text.toLowerCase()
  if (isAddress(address) && address !== zeroAddress) return getAddress(address)
  throw new ServiceError('input-invalid', `${field}: ${explain(text)}`)
}
