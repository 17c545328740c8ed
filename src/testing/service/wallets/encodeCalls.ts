import { type Address, type Hex, isHex, parseTransaction } from 'viem'
import type { ContractCall, DirectCall, SerializedCall } from '../../../schema/transactionInput.js'
import type { TestCall } from '../../chain/testTransaction.js'
import { badInput, type HttpError } from '../httpError.js'
import { encodeContractCall } from './encodeContractCall.js'
import { isIdentifier, readParameters } from './readAbi.js'
import { parseAddress } from './readAddress.js'

/** A call that is encoded. `errors` are those that its contract may answer with, as the caller described them. */
export type EncodedCall = Omit<TestCall, 'from'> & { errors?: readonly unknown[] }

/** Calls as callers write them. */
type WrittenCall =
  | ContractCall
  | SerializedCall
  | (Omit<DirectCall, 'value'> & { value?: string | undefined })

const plainTypes: readonly string[] = ['legacy', 'eip2930', 'eip1559']

const invalid = (field: string, fault: string): HttpError => badInput(`${field}: ${fault}`)

const toTarget = (text: string, field: string): Address => {
  const address = parseAddress(text)
  if (address) return address
  throw invalid(
    field,
    'expected an address: with its checksum (EIP-55) if in both cases, and not the zero one',
  )
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
  if (!to) throw invalid(field, 'it makes a contract, which a wallet does not do')
  return { to: toTarget(to, field), valueWei: value ?? 0n, data: data ?? '0x' }
}

const encodeContract = (call: ContractCall, at: string): EncodedCall => {
  const errors = call.abi.flatMap((entry, index) => {
    if (entry.type !== 'error') return []
    const inputs = readParameters(entry.inputs ?? [], `${at}.abi[${index}].inputs`)
    return isIdentifier(entry.name) ? [{ type: 'error', name: entry.name, inputs }] : []
  })
  return {
    to: toTarget(call.address, `${at}.address`),
    valueWei: toValue(call.value ?? '0', `${at}.value`),
    data: encodeContractCall(call, at),
    ...(errors.length && { errors }),
  }
}

const encodeCall = (call: WrittenCall, at: string, chainId: number): EncodedCall => {
  if ('transaction' in call) return encodeSerialized(call, at, chainId)
  if ('abi' in call) return encodeContract(call, at)
  return {
    to: toTarget(call.to, `${at}.to`),
    valueWei: toValue(call.value ?? '0', `${at}.value`),
    data: toData(call.data, `${at}.data`),
  }
}

/**
 * Encodes calls, in any of the shapes in which callers write them.
 *
 * @param field - Where they were written; one that ends in `.call` has room for one only, without an index.
 * @throws {@link HttpError} naming what is wrong with which of them.
 */
export const encodeCalls = (calls: readonly WrittenCall[], field: string, chainId: number): EncodedCall[] =>
  calls.map((call, index) => {
    const at = field.endsWith('.call') ? field : `${field}[${index}]`
    return encodeCall(call, at, chainId)
  })
