import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/database.js'
import { chainRefusals } from '../../../db/tables/chainTransactions.js'

/** A refused write as the database stores it. */
export type KeptRefusal = typeof chainRefusals.$inferSelect

/** Finds the refusal stored under a key. */
export const findRefusal = async (
  db: Database | Transaction,
  key: string,
): Promise<KeptRefusal | undefined> =>
  (await db.select().from(chainRefusals).where(eq(chainRefusals.key, key)))[0]
