import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { chainCursors } from '../db/tables/index.js'

/** Up to which block payments were looked for; undefined before the first order on the chain. */
export const readCursor = async (db: Database, chain: string): Promise<bigint | undefined> => {
  const [row] = await db.select().from(chainCursors).where(eq(chainCursors.chain, chain))
  return row?.blockNumber
}

/** Remembers up to which block payments were looked for. */
export const saveCursor = async (
  db: Database,
  chain: string,
  blockNumber: bigint,
  nowMs: number,
): Promise<void> => {
  const values = { chain, blockNumber, updatedAt: new Date(nowMs) }
  await db.insert(chainCursors).values(values).onConflictDoUpdate({ target: chainCursors.chain, set: values })
}
