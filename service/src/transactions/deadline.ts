import type { TransactionRow } from './transaction.js'
import { operationOf } from './viewTransaction.js'

/** How long an approval is waited for, and how long an operation is good that its owner has signed. */
export const approvalSeconds = 3_600n

/**
 * The lane of an operation that somebody else signs: its own, so that an approval that never comes holds nobody up,
 * with the deadline (epoch seconds) in its upper 48 bits, which the wallet's contract keeps. The custodian's is lane 0.
 */
export const getOwnLane = (sequence: bigint, deadline: bigint): bigint => (deadline << 144n) | (sequence + 1n)

/** Until when the chain takes a transaction's operation, in epoch milliseconds; undefined where that is for ever. */
export const getDeadlineMs = (row: TransactionRow): number | undefined => {
  const deadline = BigInt(operationOf(row).operation.nonce) >> 208n
  return deadline ? Number(deadline) * 1000 : undefined
}
