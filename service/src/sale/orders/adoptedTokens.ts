import { and, eq, sql } from 'drizzle-orm'
import { createStatement } from '#base/db/createStatement.js'
import type { Transaction } from '#base/db/database.js'
import { adoptedWrites } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'

const readRows = createStatement('adopted_mints', (tx) => {
  const { chain, kind, reference, tokenId } = adoptedWrites
  const isOne = sql`${reference} = any(${sql.placeholder('references')})`
  return tx
    .select({ reference, tokenId })
    .from(adoptedWrites)
    .where(and(eq(chain, sql.placeholder('chain')), eq(kind, 'mint'), isOne))
})

/**
 * Finds the ids of tokens that were minted before the database was restored from a backup, by the keys of their mints.
 */
export const readAdoptedTokens = async (
  tx: Transaction,
  { chain, restore }: Pick<ChainPort, 'chain' | 'restore'>,
  mintKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const keys = new Map(mintKeys.flatMap((key) => restore.referencesOf(key).map((one) => [one, key] as const)))
  const rows = await readRows(tx, { chain, references: [...keys.keys()] })
  return new Map(rows.map((row) => [keys.get(row.reference) ?? '', `${row.tokenId}`]))
}
