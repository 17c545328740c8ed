import { and, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { WalletResult } from '#base/ports/write.js'
import { recordBurn } from '#goods/nfts/recordDelivered.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { emitEvent } from '#notify/webhooks/emitEvent.js'
import type { TransactionRow } from './transaction.js'
import { viewTransaction } from './viewTransaction.js'

/** The result of a transaction that has ended. */
export type EndedTransaction = { id: string; result: WalletResult }

const tell = async (deps: Deps, tx: Transaction, wallet: WalletRow, row: TransactionRow): Promise<void> => {
  const { id, projectId, status, createdAt, completedAt } = row
  const event = {
    projectId,
    actionId: id,
    startedAtMs: createdAt.getTime(),
    data: viewTransaction(deps, row),
    resource: `/2022-06-09/wallets/${wallet.address}/transactions/${id}`,
  }
  if (status !== 'success') return emitEvent(deps, tx, { ...event, type: 'wallets.transaction.failed' })
  const completedAtMs = completedAt?.getTime() ?? deps.now()
  return emitEvent(deps, tx, { ...event, type: 'wallets.transaction.succeeded', completedAtMs })
}

/**
 * Records the results of transactions and emits an event for each, once. A second process finds that they
 * have ended.
 *
 * @source answers.md "Webhooks"
 */
export const recordResults = async (
  deps: Deps,
  tx: Transaction,
  wallet: WalletRow,
  ended: readonly EndedTransaction[],
): Promise<void> => {
  for (const { id, result } of ended) {
    const [row] = await tx
      .update(walletTransactions)
      .set({
        status: result.status,
        txId: result.txId ?? null,
        error: result.status === 'failed' ? result.error : null,
        completedAt: new Date(deps.now()),
      })
      .where(and(eq(walletTransactions.id, id), isNull(walletTransactions.completedAt)))
      .returning()
    if (!row) continue
    await tell(deps, tx, wallet, row)
    await recordBurn(deps, tx, { id, result })
  }
}
