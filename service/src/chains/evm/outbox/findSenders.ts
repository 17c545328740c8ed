import { and, eq, gt, lt, ne, or } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import type { Database } from '../../../db/database.js'
import { chainTransactions } from '../../../db/tables/chainTransactions.js'
import { waitedForMs } from './broadcast.js'

/**
 * Finds the senders of transactions that a chain may lack: those that are late, and those that ended after a
 * given time.
 */
export const findSenders = async (
  db: Database,
  { chain, operator, endedAfterMs }: { chain: string; operator: Address; endedAfterMs: number },
): Promise<Address[]> => {
  const { sender, status, createdAt, endedAt } = chainTransactions
  const isLate = and(eq(status, 'signed'), lt(createdAt, new Date(Date.now() - waitedForMs)))
  const isRecent = gt(endedAt, new Date(endedAfterMs))
  const rows = await db
    .selectDistinct({ sender })
    .from(chainTransactions)
    .where(and(eq(chainTransactions.chain, chain), ne(sender, operator), or(isLate, isRecent)))
  return rows.map((row) => getAddress(row.sender))
}
