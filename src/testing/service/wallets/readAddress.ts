import { type Address, getAddress, isAddress, zeroAddress } from 'viem'
import { badInput } from '../httpError.js'
import { clip } from './clip.js'

/** Reads the address of an account; undefined for what is none, or has its checksum (EIP-55) wrong. */
export const parseAddress = (text: string): Address | undefined => {
  const address = /[a-f]/.test(text) ? text : text.toLowerCase()
  return isAddress(address) && address !== zeroAddress ? getAddress(address) : undefined
}

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
