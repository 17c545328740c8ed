import type { TransactionError, UserOperation } from '../../schema/transaction.js'

/**
 * How long a transaction waits for approval, and how long an operation is valid that its owner has signed.
 */
export const approvalSeconds = 3_600

/** How far past a deadline the chain must be, so that a lagging node has caught up. */
export const marginMs = 60_000

/**
 * Returns the nonce of an operation that the owner signs. It has its own channel, so that a missing approval
 * blocks no other operation. The upper 48 bits hold the deadline, which the wallet's contract enforces. The
 * custodian's channel is 0.
 *
 * @param sequence - The operation's position among those of the wallet on the chain.
 */
export const toOwnNonce = (sequence: bigint, deadlineSeconds: number): bigint =>
  ((BigInt(deadlineSeconds) << 144n) | (sequence + 1n)) << 64n

/**
 * Returns until when the chain accepts an operation, in epoch milliseconds, or `undefined` if it has no deadline.
 */
export const getDeadlineMs = ({ nonce }: Pick<UserOperation, 'nonce'>): number | undefined => {
  const deadline = BigInt(nonce) >> 208n
  return deadline ? Number(deadline) * 1000 : undefined
}

/** The error of a transaction that its signer did not approve in time. */
export const notApproved: TransactionError = {
  reason: 'failed_to_land_on_chain',
  message: 'The transaction was not approved in time',
}
