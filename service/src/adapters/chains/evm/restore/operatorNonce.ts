import { and, eq, lt } from 'drizzle-orm'
import type { Address, PublicClient } from 'viem'
import type { Database, Transaction } from '#base/db/database.js'
import { chainAccounts } from '#base/db/tables/chainTransactions.js'
import type { Log } from '#base/deps.js'
import { createUnknownWrites } from '#base/lib/unknownWrites.js'
import type { FoundWrites } from '#base/ports/restore.js'

type Operator = { chain: string; operator: Address }

/** Records that the database knows everything that the operator signed with lower nonces. */
export const raiseNonce = async (
  db: Database | Transaction,
  { chain, operator }: Operator,
  nonce: number,
): Promise<void> => {
  const isBehind = and(eq(chainAccounts.id, `${chain}:${operator}`), lt(chainAccounts.nextNonce, nonce))
  await db.update(chainAccounts).set({ nextNonce: nonce }).where(isBehind)
}

/**
 * Asserts that the operator's key has written nothing to the service's contracts that the database does not know. Its
 * other transactions, such as the operator's own transfers, only move its nonce on. A database in which it has signed
 * nothing yet has nothing that a backup could have lost.
 *
 * @param find - Reads what the operator has written that the database does not know.
 * @throws {ServiceError} `chain-unavailable` if it has.
 */
export const assertKnown = async (
  { client, db, log }: { client: PublicClient; db: Database; log: Log },
  { chain, operator }: Operator,
  find: () => Promise<FoundWrites>,
): Promise<void> => {
  const isOwn = eq(chainAccounts.id, `${chain}:${operator}`)
  const [known] = await db.select().from(chainAccounts).where(isOwn)
  const nonce = await client.getTransactionCount({ address: operator, blockTag: 'latest' })
  if (!known || nonce <= known.nextNonce) return
  const { writes, others } = await find()
  if (writes.length || others.length) throw createUnknownWrites(chain)
  log.info({ chain, from: known.nextNonce, to: nonce }, "the operator's key was used outside the service")
  await raiseNonce(db, { chain, operator }, nonce)
}
