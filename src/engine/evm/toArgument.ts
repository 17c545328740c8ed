import { type AbiParameter, getAddress, isAddress } from 'viem'
import { type InvalidInput, invalid } from '../invalidInput.js'
import { explainAddress } from './parseAddress.js'

type Convert = (parameter: AbiParameter, value: unknown, field: string) => unknown

const decimal = /^-?\d{1,78}$/
const hexNumber = /^0x[0-9a-fA-F]{1,64}$/
const hexBytes = /^0x(?:[0-9a-fA-F]{2})*$/

const misfit = (field: string, type: string, hint = ''): InvalidInput =>
  invalid(field, `expected ${type}${hint}`)

const readNumber = (value: unknown): bigint | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && (decimal.test(value) || hexNumber.test(value))
    ? BigInt(value)
    : undefined
}

const toNumber: Convert = ({ type }, value, field) => {
  const number = readNumber(value)
  const bits = BigInt(type.replace(/\D/g, ''))
  const [least, most] = type.startsWith('u') ? [0n, 2n ** bits] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n)]
  if (number === undefined) {
    throw misfit(field, type, ': a decimal string, 0x and hex digits, or an integer that JSON keeps exact')
  }
  if (number < least || number >= most) throw misfit(field, type, ', and this is out of its range')
  return number
}

const toAddress: Convert = (_, value, field) => {
  const text = typeof value === 'string' && !/[a-f]/.test(value.slice(2)) ? value.toLowerCase() : value
  if (typeof text === 'string' && isAddress(text)) return getAddress(text)
  if (typeof text === 'string' && isAddress(text.toLowerCase())) throw invalid(field, explainAddress(text))
  throw misfit(field, 'address', ': 0x and 40 hex digits')
}

const toBytes: Convert = ({ type }, value, field) => {
  const length = type.slice('bytes'.length)
  const isBytes = typeof value === 'string' && hexBytes.test(value)
  if (!isBytes) throw misfit(field, type, ': 0x and whole bytes in hex')
  const actual = (value.length - 2) / 2
  if (length !== '' && actual !== Number(length)) throw misfit(field, type, `, and these are ${actual} bytes`)
  return value
}

const toTuple: Convert = (parameter, value, field) => {
  const components = 'components' in parameter ? parameter.components : []
  if (Array.isArray(value)) {
    if (value.length === components.length) {
      return components.map((each, at) => toArgument(each, value[at], `${field}[${at}]`))
    }
    throw misfit(field, `${components.length} values`, `, and these are ${value.length}`)
  }
  if (typeof value !== 'object' || value === null || components.some(({ name }) => !name)) {
    throw misfit(field, 'a tuple', ': an object of its members, or a list of them')
  }
  const unknown = Object.keys(value).find((name) => !components.some((each) => each.name === name))
  if (unknown !== undefined) throw misfit(field, 'a tuple', ` without the member ${unknown.slice(0, 60)}`)
  return components.map((each) => {
    const { name = '' } = each
    if (!Object.hasOwn(value, name)) throw misfit(`${field}.${name}`, each.type, ', and it is missing')
    return toArgument(each, Reflect.get(value, name), `${field}.${name}`)
  })
}

const toList = (parameter: AbiParameter, value: unknown, field: string, length: string): unknown => {
  if (!Array.isArray(value)) throw misfit(field, parameter.type, ': a list')
  if (length !== '' && value.length !== Number(length)) {
    throw misfit(field, parameter.type, `, and these are ${value.length} values`)
  }
  const item = { ...parameter, type: parameter.type.replace(/\[\d*\]$/, '') }
  return value.map((each, at) => toArgument(item, each, `${field}[${at}]`))
}

/**
 * Converts a JSON value to an argument of a contract's function. Numbers are decimal strings, hex digits, or
 * integers that JSON represents exactly.
 *
 * @throws {@link InvalidInput} naming what does not fit.
 */
export const toArgument: Convert = (parameter, value, field) => {
  const { type } = parameter
  const list = /\[(\d*)\]$/.exec(type)
  if (list) return toList(parameter, value, field, list[1] ?? '')
  if (type === 'tuple') return toTuple(parameter, value, field)
  if (type === 'address') return toAddress(parameter, value, field)
  if (type.startsWith('bytes')) return toBytes(parameter, value, field)
  if (type === 'bool' || type === 'string') {
    if (typeof value === (type === 'bool' ? 'boolean' : 'string')) return value
    throw misfit(field, type, type === 'bool' ? ': true or false' : '')
  }
  return toNumber(parameter, value, field)
}
