import type { AbiParameter } from 'viem'
import { readField } from '../errors/readField.js'

/**
 * An argument as the service encodes it: an address all in capitals has no checksum to hold it against. Where it does
 * not fit its parameter, it stays as it is, and does not encode.
 */
export const toArgument = (parameter: AbiParameter, value: unknown): unknown => {
  const { type } = parameter
  if (type === 'address' && typeof value === 'string')
    return /[a-f]/.test(value.slice(2)) ? value : value.toLowerCase()
  if (type.endsWith(']') && Array.isArray(value)) {
    const item = { ...parameter, type: type.replace(/\[\d*\]$/, '') }
    return value.map((each) => toArgument(item, each))
  }
  if (!('components' in parameter) || typeof value !== 'object' || value === null) return value
  const { components } = parameter
  return Array.isArray(value)
    ? value.map((each, at) => toArgument(components[at] ?? { type: '' }, each))
    : Object.fromEntries(
        components.map((each) => [each.name, toArgument(each, readField(value, each.name ?? ''))]),
      )
}
