import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { chainTransactions } from '../db/tables/index.js'

/** Whether the service has ever written to a chain. */
export const hasWrites = async (db: Database, chain: string): Promise<boolean> => {
  const ofChain = eq(chainTransactions.chain, chain)
  const rows = await db.select({ key: chainTransactions.key }).from(chainTransactions).where(ofChain).limit(1)
  return rows.length > 0
}
