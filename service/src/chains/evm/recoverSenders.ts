import { and, eq, gt, ne, or } from 'drizzle-orm'
import { getAddress } from 'viem'
import { chainTransactions } from '../../db/tables/chainTransactions.js'
import { createBroadcast, type SenderOptions } from './broadcast.js'

/** How long after its signing a chain may still take a transaction back that had ended. */
const recentMs = 24 * 60 * 60_000

/**
 * Sends again what the chain has lost of accounts whose keys the service keeps, beside the operator's: their signed
 * bytes are enough for that.
 *
 * @param isLocal - Whether the chain may have been started anew, and lack everything.
 */
export const recoverSenders = async (
  options: Omit<SenderOptions, 'sender' | 'renew'>,
  operator: string,
  isLocal: boolean,
): Promise<void> => {
  const { db, chain } = options
  const { sender, status, createdAt } = chainTransactions
  const isRecent = or(eq(status, 'signed'), gt(createdAt, new Date(Date.now() - recentMs)))
  const ofOthers = and(eq(chainTransactions.chain, chain), ne(sender, operator))
  const rows = await db
    .selectDistinct({ sender })
    .from(chainTransactions)
    .where(isLocal ? ofOthers : and(ofOthers, isRecent))
  for (const row of rows) await createBroadcast({ ...options, sender: getAddress(row.sender) }).sendLost()
}
