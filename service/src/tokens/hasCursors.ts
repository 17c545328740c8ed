import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { tokenCursors } from '../db/tables/index.js'

/** Whether any token transfers of a chain were read. */
export const hasCursors = async (db: Database, chain: string): Promise<boolean> => {
  const ofChain = eq(tokenCursors.chain, chain)
  const rows = await db.select({ contract: tokenCursors.contract }).from(tokenCursors).where(ofChain).limit(1)
  return rows.length > 0
}
