import { and, eq } from 'drizzle-orm'
import { clip } from 'kassa/engine'
import type { Database, Transaction } from '#base/db/database.js'
import { walletTransactions } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'

/** A wallet's transaction on a chain, as the database stores it. */
export type TransactionRow = typeof walletTransactions.$inferSelect

/**
 * Finds a transaction of a wallet.
 *
 * @throws {@link ServiceError} `not-found`, also for another wallet's.
 */
export const requireTransaction = async (
  db: Database | Transaction,
  wallet: WalletRow,
  id: string,
): Promise<TransactionRow> => {
  const { id: walletId, projectId } = wallet
  const ofWallet = and(eq(walletTransactions.walletId, walletId), eq(walletTransactions.projectId, projectId))
  const [row] = isUuid(id)
    ? await db
        .select()
        .from(walletTransactions)
        .where(and(ofWallet, eq(walletTransactions.id, id)))
    : []
  if (!row) throw new ServiceError('not-found', `Transaction ${clip(id)} not found`)
  return row
}

/** Reads a transaction and prevents others from changing it until the database transaction ends. */
export const lockTransaction = async (tx: Transaction, { id }: TransactionRow): Promise<TransactionRow> => {
  const [row] = await tx.select().from(walletTransactions).where(eq(walletTransactions.id, id)).for('update')
  if (!row) throw new Error('a transaction is gone')
  return row
}
