import { type Address, type Hex, isHex, parseTransaction } from 'viem'
import type { ContractCall, DirectCall, SerializedCall } from '../../schema/transactionInput.js'
import { invalid } from '../invalidInput.js'
import { encodeContractCall } from './encodeContractCall.js'
import { explainAddress, parseAddress } from './parseAddress.js'
import { isIdentifier, readParameters } from './readAbi.js'

/** A call in bytes. `errors` are the errors that the caller declared for its contract. @units `value` in wei */
export type EncodedCall = { to: Address; value: bigint; data: Hex; errors?: readonly unknown[] }

/** A call in one of the shapes that the interface accepts. */
export type WrittenCall =
  | ContractCall
  | SerializedCall
  | (Omit<DirectCall, 'value'> & { value?: string | undefined })

const plainTypes: readonly string[] = ['legacy', 'eip2930', 'eip1559']

const toTarget = (text: string, field: string): Address => {
  const address = parseAddress(text)
  if (address) return address
  throw invalid(field, explainAddress(text))
}

const toValue = (text: string, field: string): bigint => {
  const value = BigInt(text)
  if (value >> 256n) throw invalid(field, 'expected an amount of wei below 2^256')
  return value
}

const toData = (text: string, field: string): Hex => {
  if (isHex(text) && text.length % 2 === 0) return text
  throw invalid(field, 'expected 0x and whole bytes in hex')
}

const parse = (transaction: string, field: string) => {
  try {
    return parseTransaction(toData(transaction, field))
  } catch {
    throw invalid(field, 'expected a transaction, serialized as RLP')
  }
}

const encodeSerialized = ({ transaction }: SerializedCall, at: string, chainId: number): EncodedCall => {
  const field = `${at}.transaction`
  const { type, to, value, data, chainId: itsChainId } = parse(transaction, field)
  if (!type || !plainTypes.includes(type)) {
    throw invalid(field, `expected a transaction of type ${plainTypes.join(', ')}, not ${type}`)
  }
  if (itsChainId !== chainId) {
    const its = itsChainId === undefined ? 'names no chain' : `is for the chain ${itsChainId}`
    throw invalid(field, `it ${its}, and this one is ${chainId}`)
  }
  if (!to) throw invalid(field, 'it creates a contract, which a wallet cannot do')
  return { to: toTarget(to, field), value: value ?? 0n, data: data ?? '0x' }
}

const encodeContract = (call: ContractCall, at: string): EncodedCall => {
  const errors = call.abi.flatMap((entry, index) => {
    if (entry.type !== 'error') return []
    const inputs = readParameters(entry.inputs ?? [], `${at}.abi[${index}].inputs`)
    return isIdentifier(entry.name) ? [{ type: 'error', name: entry.name, inputs }] : []
  })
  return {
    to: toTarget(call.address, `${at}.address`),
    value: toValue(call.value ?? '0', `${at}.value`),
    data: encodeContractCall(call, at),
    ...(errors.length && { errors }),
  }
}

const encodeCall = (call: WrittenCall, at: string, chainId: number): EncodedCall => {
  if ('transaction' in call) return encodeSerialized(call, at, chainId)
  if ('abi' in call) return encodeContract(call, at)
  return {
    to: toTarget(call.to, `${at}.to`),
    value: toValue(call.value ?? '0', `${at}.value`),
    data: toData(call.data, `${at}.data`),
  }
}

/**
 * Encodes calls written in any of the shapes that the interface accepts.
 *
 * @param field - The field that holds them. A field that ends in `.call` holds a single call, so its errors
 * have no index.
 * @throws {@link InvalidInput} naming the call and its fault.
 */
export const encodeCalls = (calls: readonly WrittenCall[], field: string, chainId: number): EncodedCall[] =>
  calls.map((call, index) => {
    const at = field.endsWith('.call') ? field : `${field}[${index}]`
    return encodeCall(call, at, chainId)
  })
