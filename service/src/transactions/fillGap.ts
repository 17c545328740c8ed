import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { walletTransactions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { burnNonce } from './burnNonce.js'
import type { WalletOnChain } from './createOperation.js'
import { sendBundle } from './sendBundle.js'
import type { TransactionRow } from './transaction.js'

/**
 * How long to wait for a chain that lacks an earlier operation. A lagging or reorganised chain has caught up
 * by then.
 */
const patienceMs = 15 * 60_000

/** Finds the transaction of a custodial wallet that was on chain with a nonce. */
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
 * Fills the nonce before a custodial wallet's operation, once its chain has lacked it for long: with the
 * identical earlier operation, or with an empty one if that is not known.
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
    await burnNonce(deps, on, `unused:${row.bundleId}`, nonce)
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
