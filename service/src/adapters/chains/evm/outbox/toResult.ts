import { decodeFunctionData, type Hex, parseTransaction } from 'viem'
import type { CallInfo, WriteResult } from '#base/ports/write.js'
import { Collection721 } from '../artifacts/Collection721.js'
import { CollectionFactory } from '../artifacts/CollectionFactory.js'
import { DepositFactory } from '../artifacts/DepositFactory.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import { type SignedTransaction, toHex } from './signed.js'

// The other collection contracts share the form of these calls.
const callsOf = [Collection721, CollectionFactory, DepositFactory, PaymentRouter]
const abi = callsOf.flatMap((contract) => contract.abi.filter((entry) => entry.type === 'function'))

/** Converts a value to what JSON can carry: a whole number becomes its decimal digits. */
const toPlain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toPlain(field)]))
}

/** Decodes a call of the service's contracts. Returns `undefined` for any other contract. */
const readCall = (calldata: Hex): CallInfo | undefined => {
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi, data: calldata })
    return { functionName, arguments: args.map(toPlain), calldata }
  } catch {
    return undefined
  }
}

/** A write that the chain refuses. */
export type Refusal = Extract<WriteResult, { status: 'failed' }>

/** Returns the result of a refused write, with the decoded call. */
export const refuse = (reason: string, data: Hex | undefined): Refusal => {
  const call = data && readCall(data)
  return { status: 'failed', reason, ...(call && { call }) }
}

/** Returns the result of a transaction that has ended. */
export const toResult = ({
  status,
  txId,
  revertReason,
  signedTransaction,
}: SignedTransaction): WriteResult =>
  status === 'succeeded'
    ? { status, txId }
    : { ...refuse(revertReason ?? 'reverted', parseTransaction(toHex(signedTransaction)).data), txId }
