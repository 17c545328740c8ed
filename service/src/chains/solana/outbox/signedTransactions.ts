import { and, eq, gt } from 'drizzle-orm'
import type { Database } from '../../../db/database.js'
import { solanaTransactions } from '../../../db/tables/solanaTransactions.js'
import type { WriteOptions } from '../../../ports/write.js'

/** A transaction that the service has signed, as the database stores it. */
export type SignedTransaction = typeof solanaTransactions.$inferSelect

/** The bytes of a transaction, and how long they are valid. */
export type SignedBytes = Pick<SignedTransaction, 'signedTransaction' | 'signature' | 'lastValidBlockHeight'>

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
      .values({ key, chain, ...bytes, status: 'signed' })
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
  refused: SignedBytes & { failure: string },
): Promise<SignedTransaction> => {
  await db
    .insert(solanaTransactions)
    .values({ key, chain, ...refused, status: 'failed' })
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

const isStill = ({ key, signature }: SignedTransaction) =>
  and(
    eq(solanaTransactions.key, key),
    eq(solanaTransactions.signature, signature),
    eq(solanaTransactions.status, 'signed'),
  )

/** Replaces bytes that can never land. Another process may have done so first: then its bytes count. */
export const replaceSigned = async (
  db: Database,
  expired: SignedTransaction,
  bytes: SignedBytes,
  assertDue: WriteOptions['assertDue'],
): Promise<SignedTransaction> => {
  await db.transaction(async (tx) => {
    await assertDue?.(tx)
    await tx.update(solanaTransactions).set(bytes).where(isStill(expired))
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
