import { hasTransactionEnded } from '../api/waitForTransaction.js'
import type { Transaction } from '../schema/index.js'

/** The other inputs of the poll interval. */
export type TransactionPollContext = {
  /** Failed requests in a row. */
  failures: number
  /** Whether a retry after the last failure is pointless. */
  isHopeless?: boolean | undefined
  /** The wait that the service requested in its last refusal. */
  retryAfterMs?: number | undefined
  /** A number from 0 to 1 that spreads the retries of many clients. */
  random: number
}

const quickMs = 1_000
const patientMs = 5_000
const longestMs = 60_000

/**
 * Returns how long to wait before the next poll of a transaction: short while it is pending, longer while it
 * awaits approval, with a back-off while requests fail.
 *
 * @returns Milliseconds; false when it is final, or polling is pointless.
 */
export const getTransactionPollInterval = (
  transaction: Transaction | undefined,
  { failures, isHopeless, retryAfterMs = 0, random }: TransactionPollContext,
): number | false => {
  if (isHopeless || (transaction && hasTransactionEnded(transaction))) return false
  if (failures > 0) {
    const backOffMs = Math.min(longestMs, quickMs * 2 ** Math.min(failures, 10))
    return Math.max(backOffMs * (0.5 + random / 2), retryAfterMs)
  }
  return transaction?.status === 'awaiting-approval' ? patientMs : quickMs
}
