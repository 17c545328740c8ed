import { and, eq } from 'drizzle-orm'
import { findPhase, type SaleRules } from 'kassa/engine'
import type { Database } from '#base/db/database.js'
import { allowListAddresses } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'

/**
 * Whether a wallet is on the allow-list of a sale's present phase.
 *
 * @returns `undefined` if the phase has none.
 */
export const isListed = async (
  { db, chain }: { db: Database; chain: Pick<ChainPort, 'isInMerkleTree'> | undefined },
  sale: SaleRules,
  {
    address,
    proof = [],
    nowMs,
  }: { address: string | undefined; proof?: readonly string[] | undefined; nowMs: number },
): Promise<boolean | undefined> => {
  const allowList = findPhase(sale, nowMs)?.allowList
  if (!allowList) return undefined
  if (address === undefined) return false
  const { merkleRoot, listId } = allowList
  if (merkleRoot !== undefined && chain?.isInMerkleTree?.(merkleRoot, address, proof)) return true
  if (listId === undefined) return false
  const isIt = and(eq(allowListAddresses.listId, listId), eq(allowListAddresses.address, address))
  return (await db.select().from(allowListAddresses).where(isIt)).length > 0
}
