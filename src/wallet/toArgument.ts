import type { AbiParameter } from 'viem'
import { readField } from '../errors/readField.js'

/**
 * Converts an argument to the form the service encodes. An address in capitals has no checksum to verify. A
 * value that does not fit its parameter stays unchanged and fails to encode.
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
