import { isDeepEnough } from './awaitReceipt.js'
import type { SenderOptions } from './broadcast.js'
import { type ExplainOptions, explainEnd } from './explainEnd.js'
import { findReceipt } from './findReceipts.js'
import { finishSigned } from './finishSigned.js'
import { findReopened } from './reopenSigned.js'

/**
 * Records the end of reopened transactions that are final again, or that were final all along while a node
 * that is behind did not show them. No caller waits for them any more.
 */
export const settleReopened = async (
  options: SenderOptions & ExplainOptions & { confirmations: number },
): Promise<void> => {
  const { db, client, log, chain } = options
  for (const signed of await findReopened(db, options)) {
    const receipt = await findReceipt(client, signed)
    if (!receipt || !(await isDeepEnough(options, receipt))) continue
    const { transactionHash: txId, blockNumber, status } = receipt
    // The first end recorded a better explanation.
    const known = status === 'reverted' ? signed.revertReason : null
    const revertReason = known ?? (await explainEnd(options, signed, receipt))
    await finishSigned(db, signed, { txId, blockNumber, revertReason })
    if (revertReason === undefined || known !== null) continue
    const fields = { chain, key: signed.key, txId, reason: revertReason }
    log.error(fields, 'a deep reorganisation undid a transaction that had succeeded, and now it reverts')
  }
}
