import type { EncodedCall } from '../chains/walletPort.js'
import type { Transaction } from '../db/database.js'
import { walletTransactions } from '../db/tables/index.js'
import { isPendingIn, type Lane } from './lanes.js'
import { costOf, gasCostOf } from './operationCost.js'
import { type Draft, refuseReverted } from './prepareDraft.js'

/**
 * Checks that a wallet that pays for its own gas can pay for a transaction in addition to all its pending
 * ones. Without the check, the operator would pay for what the wallet cannot. The caller holds the lane's
 * lock.
 *
 * @throws {@link ServiceError} `reverted`.
 */
export const assertAffordable = async (
  tx: Transaction,
  { calls, ...lane }: Lane & { calls: readonly EncodedCall[] },
  { operation, spareWei }: Draft,
): Promise<void> => {
  if (gasCostOf(operation) === 0n) return
  const waiting = await tx
    .select({ operation: walletTransactions.operation, calls: walletTransactions.calls })
    .from(walletTransactions)
    .where(isPendingIn(lane))
  // The simulation covered it alone.
  if (!waiting.length) return
  const spokenFor = waiting.reduce((sum, row) => sum + costOf(row), 0n)
  const ownCost = costOf({ operation, calls })
  if (spareWei >= spokenFor + ownCost) return
  const reason = `the wallet holds ${spareWei} wei, up to ${spokenFor} of which what is on its way takes, and this may take ${ownCost}`
  const message = `The transaction reverted during execution: ${reason}`
  refuseReverted({ status: 'reverted', message, revert: { type: 'wallet_authorization', reason } })
}
