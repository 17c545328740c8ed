import { decodeFunctionData, type Hex } from 'viem'
import type { CallInfo } from '../port.js'
import { Collection721 } from './artifacts/Collection721.js'
import { CollectionFactory } from './artifacts/CollectionFactory.js'
import { DepositFactory } from './artifacts/DepositFactory.js'
import { PaymentRouter } from './artifacts/PaymentRouter.js'

// What the service calls of the other collections has the same form.
const callsOf = [Collection721, CollectionFactory, DepositFactory, PaymentRouter]
const abi = callsOf.flatMap((contract) => contract.abi.filter((entry) => entry.type === 'function'))

/** A value as JSON can carry it: a whole number becomes its decimal digits. */
const toPlain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toPlain(field)]))
}

/** Reads a call of our contracts; undefined for one of any other. */
export const readCall = (calldata: Hex): CallInfo | undefined => {
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi, data: calldata })
    return { functionName, arguments: args.map(toPlain), calldata }
  } catch {
    return undefined
  }
}
