import { and, eq, sql } from 'drizzle-orm'
import { collections } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WriteResult } from '#base/ports/write.js'
import type { Collection } from './viewCollection.js'
import { toCollectionRef, toCollectionTerms } from './viewCollection.js'
import { type WriteTurn, writeInTurn } from './writeInTurn.js'

/** Takes a collection as it is now to its contract, and remembers that the chain has taken it. */
export const writeTerms = async (
  { db }: Pick<Deps, 'db'>,
  chain: ChainPort,
  collection: Collection & { contractUri: string },
  turn: WriteTurn,
): Promise<WriteResult> => {
  const { projectId, id, revision } = collection
  const ref = toCollectionRef(collection)
  const input = { collection: ref, revision: BigInt(revision), terms: toCollectionTerms(collection) }
  const written = await writeInTurn(`update:${ref.key}:${revision}`, turn, (key) =>
    chain.updateCollection(key, input),
  )
  if (written.status === 'succeeded') {
    await db
      .update(collections)
      .set({ chainRevision: sql`greatest(${collections.chainRevision}, ${revision})` })
      .where(and(eq(collections.projectId, projectId), eq(collections.id, id)))
  }
  return written
}
