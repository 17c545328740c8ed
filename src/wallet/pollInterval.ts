import { hasTransactionEnded } from '../api/waitForTransaction.js'
import type { Transaction } from '../schema/index.js'

/** What else decides how soon to ask again. */
export type TransactionPollContext = {
  /** Failed requests in a row. */
  failures: number
  /** Whether the last failure is one that trying again cannot mend. */
  isHopeless?: boolean | undefined
  /** What the service asked for in its last refusal. */
  retryAfterMs?: number | undefined
  /** A number from 0 to 1 that spreads the retries of many clients. */
  random: number
}

const quickMs = 1_000
const patientMs = 5_000
const longestMs = 60_000

/**
 * How long to wait before asking for a transaction again: quick while it is on its way, patient while somebody has to
 * approve it, backing off while requests fail.
 *
 * @returns Milliseconds; false when it is final, or asking again is in vain.
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
