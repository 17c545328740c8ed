import { and, eq } from 'drizzle-orm'
import { clip } from '../clip.js'
import type { Database, Transaction } from '../db/database.js'
import { walletTransactions } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../isUuid.js'
import type { WalletRow } from '../wallets/findWallet.js'

/** What a wallet does on a chain, as it is kept. */
export type TransactionRow = typeof walletTransactions.$inferSelect

/** Whether the service signs for a wallet: then nobody has to approve, and nobody else numbers its operations. */
export const isCustodial = ({ signerType }: Pick<WalletRow, 'signerType'>): boolean =>
  signerType === 'evm-kassa-custodial'

/**
 * Finds a transaction of a wallet.
 *
 * @throws {@link ServiceError} `not-found`, of another wallet's too.
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
