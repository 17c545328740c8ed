import { eq } from 'drizzle-orm'
import { finishAction } from '../actions/actions.js'
import type { Transaction } from '../db/database.js'
import { nfts } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { OperationResult } from '../ports/wallet.js'

/**
 * Records the end of a burn, if the transaction was one. After a failed burn, the token can be burned again.
 *
 * @param id - The id of the wallet's transaction, which the action of a burn shares.
 */
export const recordBurn = async (
  deps: Deps,
  tx: Transaction,
  { id, result }: { id: string; result: OperationResult },
): Promise<void> => {
  const isBurned = result.status === 'success'
  const change = isBurned ? { status: 'burned' as const } : { burnActionId: null }
  const [nft] = await tx.update(nfts).set(change).where(eq(nfts.burnActionId, id)).returning()
  if (!nft) return
  if (isBurned) return finishAction(deps, tx, id, { status: 'succeeded', data: { txId: result.txId } })
  const { reason, message, revert } = result.error
  const error = { reason, message, ...(revert && { revertReason: revert.reason }) }
  const { txId } = result
  const data = { error, ...(txId !== undefined && { txId }) }
  return finishAction(deps, tx, id, { status: 'failed', data })
}
