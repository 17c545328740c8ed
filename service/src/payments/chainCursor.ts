import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { chainCursors } from '../db/tables/index.js'

/** The last block searched for payments. Without a number, the chain is read from its head on. */
export type Cursor = { number: bigint | null; hash: string | null }

/**
 * Reads up to which block a chain was searched for payments, and when. Returns `undefined` before the first
 * order on the chain.
 */
export const readCursor = async (
  db: Database,
  chain: string,
): Promise<(Cursor & { savedAtMs: number }) | undefined> => {
  const [row] = await db.select().from(chainCursors).where(eq(chainCursors.chain, chain))
  return row && { number: row.blockNumber, hash: row.blockHash, savedAtMs: row.updatedAt.getTime() }
}

/** Stores up to which block a chain was searched for payments. */
export const saveCursor = async (
  db: Database,
  chain: string,
  { number: blockNumber, hash: blockHash }: Cursor,
  nowMs: number,
): Promise<void> => {
  const values = { chain, blockNumber, blockHash, updatedAt: new Date(nowMs) }
  await db.insert(chainCursors).values(values).onConflictDoUpdate({ target: chainCursors.chain, set: values })
}
