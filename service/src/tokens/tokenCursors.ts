import { and, eq, inArray, lte, type SQL } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { tokenCursors, tokenHoldings } from '../db/tables/index.js'
import { chunk } from '../payments/groupBy.js'
import type { BlockRef } from '../ports/chain.js'

/** The block up to which the transfers of a contract or wallet are known; -1 before the first. */
export type TokenCursor = { number: bigint; hash: string | null; savedAtMs: number }

/** The most rows per statement, which has a limited number of parameters. */
const rowsAtOnce = 5_000

/** Reads up to which block contracts were read. Contracts that were never read are left out. */
export const readCursors = async (
  db: Database,
  chain: string,
  contracts: readonly string[],
): Promise<Map<string, TokenCursor>> => {
  const cursors = new Map<string, TokenCursor>()
  for (const some of chunk(contracts, rowsAtOnce)) {
    const isOne = and(eq(tokenCursors.chain, chain), inArray(tokenCursors.contract, some))
    for (const { contract, blockNumber, blockHash, updatedAt } of await db
      .select()
      .from(tokenCursors)
      .where(isOne)) {
      cursors.set(contract, { number: blockNumber, hash: blockHash, savedAtMs: updatedAt.getTime() })
    }
  }
  return cursors
}

/** Begins to read contracts. Those that another process has begun meanwhile stay where they are. */
export const beginCursors = async (
  db: Database,
  chain: string,
  begun: readonly { contract: string; number: bigint }[],
  nowMs: number,
): Promise<void> => {
  for (const some of chunk(begun, rowsAtOnce)) {
    const rows = some.map(({ contract, number: blockNumber }) => {
      return { chain, contract, blockNumber, updatedAt: new Date(nowMs) }
    })
    await db.insert(tokenCursors).values(rows).onConflictDoNothing()
  }
}

/**
 * Records up to which block contracts were read. A slower process does not set it back.
 *
 * @param block - Its hash, if known, shows when a development chain was reset.
 */
export const advanceCursors = async (
  db: Database,
  chain: string,
  contracts: readonly string[],
  { number: blockNumber, hash: blockHash }: Pick<BlockRef, 'number'> & { hash: string | null },
  nowMs: number,
): Promise<void> => {
  for (const some of chunk(contracts, rowsAtOnce)) {
    const isOne = and(eq(tokenCursors.chain, chain), inArray(tokenCursors.contract, some))
    await db
      .update(tokenCursors)
      .set({ blockNumber, blockHash, updatedAt: new Date(nowMs) })
      .where(and(isOne, lte(tokenCursors.blockNumber, blockNumber)))
  }
}

/** Marks contracts to be read again from a block on, because the chain was reset. */
export const moveCursorsBack = async (
  db: Database,
  chain: string,
  contracts: readonly string[],
  blockNumber: bigint,
  nowMs: number,
): Promise<void> => {
  for (const some of chunk(contracts, rowsAtOnce)) {
    await db
      .update(tokenCursors)
      .set({ blockNumber, blockHash: null, updatedAt: new Date(nowMs) })
      .where(and(eq(tokenCursors.chain, chain), inArray(tokenCursors.contract, some)))
  }
}

/** Deletes the holdings of contracts and wallets on a chain that was reset. */
export const forgetHoldings = async (
  db: Database,
  chain: string,
  { contracts, holders }: { contracts: readonly string[]; holders: readonly string[] },
): Promise<void> => {
  const forget = (areThese: SQL) =>
    db.delete(tokenHoldings).where(and(eq(tokenHoldings.chain, chain), areThese))
  for (const some of chunk(contracts, rowsAtOnce)) await forget(inArray(tokenHoldings.contract, some))
  for (const some of chunk(holders, rowsAtOnce)) await forget(inArray(tokenHoldings.holder, some))
}
