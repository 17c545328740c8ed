import { eq, sql } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { chainCursors } from '#base/db/tables/index.js'

/** The last block searched for payments. Without a number, the chain is read from its head on. */
export type Cursor = { number: bigint | null; hash: string | null }

/** The last block searched for late payments, and when. */
export type LateCursor = { number: bigint; savedAtMs: number }

/**
 * Reads up to which block a chain was searched for payments, and when. Returns `undefined` before the first
 * order on the chain.
 */
export const readCursor = async (
  db: Database,
  chain: string,
): Promise<(Cursor & { savedAtMs: number; late: LateCursor | undefined }) | undefined> => {
  const [row] = await db.select().from(chainCursors).where(eq(chainCursors.chain, chain))
  if (!row) return undefined
  const { blockNumber, blockHash, updatedAt, lateBlock, lateAt } = row
  const late = lateBlock === null ? undefined : { number: lateBlock, savedAtMs: lateAt?.getTime() ?? 0 }
  return { number: blockNumber, hash: blockHash, savedAtMs: updatedAt.getTime(), late }
}

/** Stores up to which block a chain was searched for payments. */
export const saveCursor = async (
  db: Database,
  chain: string,
  { number: blockNumber, hash: blockHash, savedAtMs }: Cursor & { savedAtMs: number },
): Promise<void> => {
  const values = { chain, blockNumber, blockHash, updatedAt: new Date(savedAtMs) }
  // The search for late payments follows this one back when the node has lost blocks.
  const lateBlock = sql`least(${chainCursors.lateBlock}, ${blockNumber}::bigint)`
  await db
    .insert(chainCursors)
    .values(values)
    .onConflictDoUpdate({ target: chainCursors.chain, set: { ...values, lateBlock } })
}

/** Stores up to which block a chain was searched for late payments. */
export const saveLateCursor = async (
  db: Database,
  chain: string,
  { number: lateBlock, savedAtMs }: LateCursor,
): Promise<void> => {
  await db
    .update(chainCursors)
    .set({ lateBlock, lateAt: new Date(savedAtMs) })
    .where(eq(chainCursors.chain, chain))
}
