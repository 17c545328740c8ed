import type { TransactionRow } from './transaction.js'
import { operationOf } from './viewTransaction.js'

/**
 * How long a transaction waits for approval, and how long an operation is valid that its owner has signed.
 */
export const approvalSeconds = 3_600n

/**
 * Returns the channel of an operation that the owner signs. It has its own channel, so that a missing approval
 * blocks no other operation. The upper 48 bits hold the deadline (epoch seconds), which the wallet's contract
 * enforces. The custodian's channel is 0.
 */
export const getOwnNonceKey = (sequence: bigint, deadline: bigint): bigint =>
  (deadline << 144n) | (sequence + 1n)

/**
 * Returns until when the chain accepts a transaction's operation, in epoch milliseconds, or `undefined` if it
 * has no deadline.
 */
export const getDeadlineMs = (row: TransactionRow): number | undefined => {
  const deadline = BigInt(operationOf(row).operation.nonce) >> 208n
  return deadline ? Number(deadline) * 1000 : undefined
}
