import {
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  type Hex,
  isHex,
  parseTransaction,
  toFunctionSignature,
} from 'viem'
import { decodeExecution, encodeExecution, type WalletExecution } from '../../engine/evm/execution.js'
import { readField } from '../../errors/readField.js'

/**
 * Converts an argument to the form the service encodes. An address in capitals has no checksum to verify. A
 * value that does not fit its parameter stays unchanged and fails to encode.
 */
const toArgument = (parameter: AbiParameter, value: unknown): unknown => {
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

const isSameHex = (one: unknown, other: string): boolean =>
  typeof one === 'string' && one.toLowerCase() === other.toLowerCase()

const isSameValue = (written: unknown, value: bigint): boolean => String(written ?? '0') === String(value)

const isFunction = (entry: unknown): entry is AbiFunction => readField(entry, 'type') === 'function'

/** Expands `uint` and `int` to 256 bits, because signatures use the long names. */
const spellOut = (key: string, value: unknown): unknown =>
  key === 'type' && typeof value === 'string' && /^u?int(\[|$)/.test(value)
    ? value.replace('int', 'int256')
    : value

/** Whether data is a call of a function, or of any overload with its name. */
const isCallOf = (call: object, data: Hex): boolean => {
  const [entries, functionName, args] = ['abi', 'functionName', 'args'].map((key) => readField(call, key))
  if (typeof functionName !== 'string' || !Array.isArray(entries) || !Array.isArray(args)) return false
  const known: unknown[] = JSON.parse(JSON.stringify(entries), spellOut)
  const asked = functionName.replace(/\s/g, '')
  return known.filter(isFunction).some((entry) => {
    if (entry.name !== asked && toFunctionSignature(entry) !== asked) return false
    try {
      const given = args.map((arg, at) => toArgument(entry.inputs[at] ?? { type: '' }, arg))
      return isSameHex(encodeFunctionData({ abi: [entry], functionName: entry.name, args: given }), data)
    } catch {
      // The arguments belong to another overload.
      return false
    }
  })
}

const isExecutionOf = (call: object, { to: target, value, data }: WalletExecution): boolean => {
  const [transaction, address, to, written, its] = ['transaction', 'address', 'to', 'value', 'data'].map(
    (key) => readField(call, key),
  )
  if (isHex(transaction)) {
    const parsed = parseTransaction(transaction)
    return (
      isSameHex(parsed.to, target) && isSameValue(parsed.value, value) && isSameHex(parsed.data ?? '0x', data)
    )
  }
  if (!isSameValue(written, value)) return false
  return 'abi' in call
    ? isSameHex(address, target) && isCallOf(call, data)
    : isSameHex(to, target) && isSameHex(its, data)
}

/**
 * Decodes the calls a wallet makes with this data, if they are exactly the requested calls, in any of the
 * supported forms.
 *
 * @returns Undefined for anything else.
 */
export const matchCalls = (
  callData: Hex,
  calls: readonly object[],
): readonly WalletExecution[] | undefined => {
  try {
    const batch = decodeExecution(callData)
    // Re-encoding gives the same bytes, so the data has no other reading.
    if (batch.length !== calls.length || !isSameHex(callData, encodeExecution(batch))) return undefined
    const isAsked = calls.every((call, at) => {
      const execution = batch[at]
      return execution !== undefined && isExecutionOf(call, execution)
    })
    return isAsked ? batch : undefined
  } catch {
    return undefined
  }
}
