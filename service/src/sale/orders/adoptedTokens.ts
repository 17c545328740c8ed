import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { adoptedWrites } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'

/**
 * Finds the ids of tokens that were minted before the database was restored from a backup, by the keys of their mints.
 */
export const readAdoptedTokens = async (
  tx: Transaction,
  { chain, restore }: Pick<ChainPort, 'chain' | 'restore'>,
  mintKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const keys = new Map(mintKeys.flatMap((key) => restore.referencesOf(key).map((one) => [one, key] as const)))
  const { reference, tokenId } = adoptedWrites
  const isAsked = and(
    eq(adoptedWrites.chain, chain),
    eq(adoptedWrites.kind, 'mint'),
    inArray(reference, [...keys.keys()]),
  )
  const rows = await tx.select({ reference, tokenId }).from(adoptedWrites).where(isAsked)
  return new Map(rows.map((row) => [keys.get(row.reference) ?? '', `${row.tokenId}`]))
}
