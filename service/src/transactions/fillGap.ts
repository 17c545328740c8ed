import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { walletTransactions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { WalletOnChain } from './createOperation.js'
import { sendBundle } from './sendBundle.js'
import type { TransactionRow } from './transaction.js'
import { useUpNonce } from './useUpNonce.js'

/** How long a chain that lacks what it had is waited for: what is behind, or was reorganised, has caught up by then. */
const patienceMs = 15 * 60_000

/** What was on chain once with a nonce of a custodian's. */
const findEnded = async (
  { db }: Pick<Deps, 'db'>,
  { walletId, chain }: TransactionRow,
  nonce: bigint,
): Promise<TransactionRow | undefined> => {
  const hasNonce = sql`${walletTransactions.operation}->>'nonce' = ${`0x${nonce.toString(16)}`}`
  const [ended] = await db
    .select()
    .from(walletTransactions)
    .where(
      and(
        eq(walletTransactions.walletId, walletId),
        eq(walletTransactions.chain, chain),
        isNotNull(walletTransactions.txId),
        hasNonce,
      ),
    )
  return ended
}

/**
 * Fills the place before a custodian's operation that its chain lacks, once it has lacked it for long: with what stood
 * there, word for word, or with nothing where that is not known.
 */
export const fillGap = async (
  deps: Deps,
  on: WalletOnChain,
  row: TransactionRow,
  nonce: bigint,
): Promise<void> => {
  const { db, log } = deps
  if (!row.gapSeenAt) {
    const gapSeenAt = new Date(deps.now())
    await db.update(walletTransactions).set({ gapSeenAt }).where(eq(walletTransactions.id, row.id))
    return
  }
  if (deps.now() - row.gapSeenAt.getTime() < patienceMs) return
  const ended = await findEnded(deps, row, nonce)
  if (!ended) {
    await useUpNonce(deps, on, `unused:${row.bundleId}`, nonce)
    return
  }
  const sent = await sendBundle(on, `again:${row.bundleId}`, [ended])
  const [result] = sent.status === 'included' ? sent.results : []
  log.warn(
    { transactionId: ended.id, sent: sent.status },
    'a chain had lost an operation, which was sent again',
  )
  if (!result?.txId) return
  const { txId } = result
  await db.update(walletTransactions).set({ txId }).where(eq(walletTransactions.id, ended.id))
}
