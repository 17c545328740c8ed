import { type Hex, parseTransaction } from 'viem'
import type { WriteResult } from '../../port.js'
import { readCall } from './readCall.js'
import { type SignedTransaction, toHex } from './signed.js'

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
