import { and, asc, isNull } from 'drizzle-orm'
import { walletTransactions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { WalletRow } from '../wallets/findWallet.js'
import { giveNoncesBack, isPendingIn, type Lane, lockLane } from './lanes.js'
import { recordResults } from './recordResults.js'
import { screenWallet } from './screen.js'
import { isCustodial } from './transaction.js'

/**
 * Fails what a wallet was about to send, where nothing may be sent from it any more. What was being sent goes on: only
 * the chain knows how it ends.
 */
export const refuseWallet = async (deps: Deps, wallet: WalletRow, lane: Lane): Promise<void> => {
  const error = screenWallet(deps, wallet)
  if (!error) return
  await deps.db.transaction(async (tx) => {
    await lockLane(tx, lane)
    const unsent = await tx
      .select()
      .from(walletTransactions)
      .where(and(isPendingIn(lane), isNull(walletTransactions.bundleId)))
      .orderBy(asc(walletTransactions.sequence))
    const [first] = unsent
    if (first?.operation && isCustodial(wallet)) {
      await giveNoncesBack(tx, lane, BigInt(first.operation.nonce))
    }
    const result = { status: 'failed' as const, error }
    await recordResults(
      deps,
      tx,
      wallet,
      unsent.map(({ id }) => ({ id, result })),
    )
  })
}
