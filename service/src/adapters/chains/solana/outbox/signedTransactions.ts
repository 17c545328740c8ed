import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { solanaTransactions } from '#base/db/tables/solanaTransactions.js'
import type { WriteOptions } from '#base/ports/write.js'

/** A transaction that the service has signed, as the database stores it. */
export type SignedTransaction = typeof solanaTransactions.$inferSelect

/** The bytes of a transaction, how long they are valid, and the guard that they create. */
export type SignedBytes = Pick<
  SignedTransaction,
  'signedTransaction' | 'signature' | 'lastValidBlockHeight'
> & { guard?: string | null | undefined }

const toColumns = ({ guard, ...bytes }: SignedBytes) => ({
  ...bytes,
  ...(typeof guard === 'string' && { guard, guardSignedAt: sql<Date>`now()` }),
})

/** Finds the transaction signed under a key. */
export const findSigned = async (db: Database, key: string): Promise<SignedTransaction | undefined> =>
  (await db.select().from(solanaTransactions).where(eq(solanaTransactions.key, key)))[0]

const requireSigned = async (db: Database, key: string): Promise<SignedTransaction> => {
  const found = await findSigned(db, key)
  if (!found) throw new Error(`another write has the bytes of ${key}`)
  return found
}

/**
 * Stores the first bytes of a key before they are sent. Of several callers with the same key, one stores its
 * bytes, and the others get those. If the write is no longer due, nothing is stored.
 */
export const storeSigned = async (
  db: Database,
  { key, chain, assertDue }: { key: string; chain: string; assertDue: WriteOptions['assertDue'] },
  bytes: SignedBytes,
): Promise<SignedTransaction> => {
  await db.transaction(async (tx) => {
    await assertDue?.(tx)
    await tx
      .insert(solanaTransactions)
      .values({ key, chain, ...toColumns(bytes), status: 'signed' })
      // Without a target: callers that sign the same bytes at once also meet in the index of signatures.
      .onConflictDoNothing()
  })
  return requireSigned(db, key)
}

/**
 * Stores that the chain refuses a write, with the bytes that are never sent. If another caller has stored bytes
 * under the key, those count.
 */
export const storeRefusal = async (
  db: Database,
  { key, chain }: { key: string; chain: string },
  { failure, ...refused }: SignedBytes & { failure: string },
): Promise<SignedTransaction> => {
  await db
    .insert(solanaTransactions)
    .values({ key, chain, ...toColumns(refused), status: 'failed', failure })
    .onConflictDoNothing()
  return requireSigned(db, key)
}

/** Lists the transactions that succeeded after a slot. */
export const listAfter = (db: Database, chain: string, slot: bigint): Promise<SignedTransaction[]> =>
  db
    .select()
    .from(solanaTransactions)
    .where(
      and(
        eq(solanaTransactions.chain, chain),
        eq(solanaTransactions.status, 'succeeded'),
        gt(solanaTransactions.slot, slot),
      ),
    )

/** How many open transactions a page lists, so that other work goes on between two pages. */
const openPage = 100

/**
 * Lists a page of the transactions without a recorded end that no block above a height can include.
 *
 * @param after - Where the last page ended; undefined for the first one.
 * @returns The page, and where it ended; undefined if it is the last one.
 */
export const listOpen = async (
  db: Database,
  { chain, height, after = '' }: { chain: string; height: bigint; after: string | undefined },
): Promise<{ page: SignedTransaction[]; end: string | undefined }> => {
  const page = await db
    .select()
    .from(solanaTransactions)
    .where(
      and(
        eq(solanaTransactions.chain, chain),
        eq(solanaTransactions.status, 'signed'),
        isNull(solanaTransactions.expiredAt),
        lt(solanaTransactions.lastValidBlockHeight, height),
        gt(solanaTransactions.key, after),
      ),
    )
    .orderBy(solanaTransactions.key)
    .limit(openPage)
  return { page, end: page[openPage - 1]?.key }
}

const isStill = ({ key, signature }: SignedTransaction) =>
  and(
    eq(solanaTransactions.key, key),
    eq(solanaTransactions.signature, signature),
    eq(solanaTransactions.status, 'signed'),
  )

/**
 * Records that bytes can never land. The row stays open, because its job may sign the write again. It then needs no
 * node that still has the old blocks.
 */
export const markExpired = async (db: Database, signed: SignedTransaction): Promise<void> => {
  await db.update(solanaTransactions).set({ expiredAt: sql`now()` }).where(isStill(signed))
}

/** Replaces bytes that can never land. Another process may have done so first: then its bytes count. */
export const replaceSigned = async (
  db: Database,
  expired: SignedTransaction,
  bytes: SignedBytes,
  assertDue: WriteOptions['assertDue'],
): Promise<SignedTransaction> => {
  await db.transaction(async (tx) => {
    await assertDue?.(tx)
    await tx
      .update(solanaTransactions)
      .set({ ...toColumns(bytes), expiredAt: null })
      .where(isStill(expired))
  })
  return requireSigned(db, expired.key)
}

/** Records how a transaction ended, once. */
export const finishSigned = async (
  db: Database,
  signed: SignedTransaction,
  end: { status: 'succeeded' | 'failed'; slot: bigint | null; failure: string | null },
): Promise<SignedTransaction> => {
  await db.update(solanaTransactions).set(end).where(isStill(signed))
  return requireSigned(db, signed.key)
}

/** Records a write that has no row any more, by the transaction on chain. A row that another caller stored counts. */
export const storeEarlier = async (
  db: Database,
  { key, chain }: { key: string; chain: string },
  { slot, ...bytes }: SignedBytes & { slot: bigint },
): Promise<void> => {
  await db
    .insert(solanaTransactions)
    .values({ key, chain, ...toColumns(bytes), status: 'succeeded', slot })
    .onConflictDoNothing()
}

/**
 * Records that a write had happened before these bytes, by an earlier transaction. If the row of another attempt has
 * that transaction, this row stays as it is.
 */
export const finishByEarlier = async (
  db: Database,
  signed: SignedTransaction,
  {
    signature,
    signedTransaction,
    slot,
  }: Pick<SignedBytes, 'signature' | 'signedTransaction'> & { slot: bigint },
): Promise<void> => {
  const isElsewhere = sql`exists (select 1 from ${solanaTransactions} other where other.signature = ${signature} and other.key <> ${signed.key})`
  await db
    .update(solanaTransactions)
    .set({ signature, signedTransaction, slot, status: 'succeeded' })
    .where(and(isStill(signed), sql`not ${isElsewhere}`))
}
