import { findReceipt, isDeepEnough } from './awaitReceipt.js'
import type { SenderOptions } from './broadcast.js'
import { type ExplainOptions, explainEnd } from './explainEnd.js'
import { findReopened } from './reopenSigned.js'
import { finishSigned } from './signed.js'

/**
 * Ends once more what had ended, was taken back and is deep in the chain again, or always was, where a node that is
 * behind did not show it: whoever waited for it has gone.
 */
export const settleReopened = async (
  options: SenderOptions & ExplainOptions & { confirmations: number },
): Promise<void> => {
  const { db, client } = options
  for (const signed of await findReopened(db, options)) {
    const receipt = await findReceipt(client, signed)
    if (!receipt || !(await isDeepEnough(options, receipt))) continue
    const { transactionHash: txId, blockNumber, status } = receipt
    // It was told in better words when it first ended.
    const known = status === 'reverted' ? signed.revertReason : null
    const revertReason = known ?? (await explainEnd(options, signed, receipt))
    await finishSigned(db, signed, { txId, blockNumber, revertReason })
  }
}
