import type { Abi, AbiParameter } from 'viem'
import { invalid } from '../invalidInput.js'

const typePattern =
  /^(address|bool|string|tuple|bytes(?:[1-9]|[12]\d|3[0-2])?|u?int(\d{0,3}))((?:\[(?:[1-9]\d{0,4})?\])*)$/
const maxDepth = 8
const identifier = /^[A-Za-z_$][\w$]{0,199}$/

/** Whether a text can be the name of a function or an error. */
export const isIdentifier = (name: unknown): name is string =>
  typeof name === 'string' && identifier.test(name)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBits = (digits: string): boolean =>
  digits === '' || (Number(digits) % 8 === 0 && Number(digits) >= 8 && Number(digits) <= 256)

/** Completes the short names of numbers to 256 bits, because signatures contain only the full names. */
const toType = (written: unknown, field: string): string => {
  const [, base, bits, suffix] = (typeof written === 'string' && typePattern.exec(written)) || []
  if (base === undefined || !isBits(bits ?? '') || (suffix?.length ?? 0) > 40) {
    throw invalid(`${field}.type`, 'expected a type of Solidity, such as uint256 or address[]')
  }
  return `${/^u?int$/.test(base) ? `${base}256` : base}${suffix}`
}

const readParameter = (value: unknown, field: string, depth: number): AbiParameter => {
  if (!isRecord(value) || depth > maxDepth) throw invalid(field, 'expected a parameter with its type')
  const type = toType(value.type, field)
  const name = typeof value.name === 'string' ? value.name : ''
  if (!type.startsWith('tuple')) return { name, type }
  const components = readParameters(value.components, `${field}.components`, depth + 1)
  // Reading a list of zero-size members would never end.
  if (!components.length) throw invalid(`${field}.components`, 'expected at least one member')
  return { name, type, components }
}

/**
 * Reads the parameters of a function or an error.
 *
 * @throws {@link InvalidInput} naming the one that is invalid.
 */
export const readParameters = (value: unknown, field: string, depth = 0): AbiParameter[] => {
  if (!Array.isArray(value)) throw invalid(field, 'expected a list of parameters')
  return value.map((each, at) => readParameter(each, `${field}[${at}]`, depth))
}

/** Reads the errors of an untrusted interface and skips invalid entries. */
export const readAbiErrors = (entries: readonly unknown[]): Abi =>
  entries.flatMap((entry) => {
    if (!isRecord(entry) || entry.type !== 'error' || !isIdentifier(entry.name)) return []
    try {
      return [{ type: 'error', name: entry.name, inputs: readParameters(entry.inputs, 'inputs') }]
    } catch {
      return []
    }
  })
