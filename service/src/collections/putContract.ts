import { and, eq } from 'drizzle-orm'
import type { ChainPort, WriteResult } from '../chains/port.js'
import { collections } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { toCollectionRef, toCollectionTerms } from './collectionRef.js'
import type { Collection } from './findCollection.js'
import { type WriteTurn, writeInTurn } from './writeInTurn.js'

/** Puts a collection's contract on its chain, where it is not there yet, and remembers that it is. */
export const putContract = async (
  { db }: Pick<Deps, 'db'>,
  chain: ChainPort,
  collection: Collection,
  turn: WriteTurn,
): Promise<WriteResult> => {
  const { projectId, id, contractTxId } = collection
  if (contractTxId !== null) return { status: 'succeeded', txId: contractTxId }
  const ref = toCollectionRef(collection)
  const input = { collection: ref, terms: toCollectionTerms(collection) }
  const put = await writeInTurn(ref.key, turn, (key) => chain.createCollection(key, input))
  if (put.status === 'succeeded') {
    await db
      .update(collections)
      .set({ contractTxId: put.txId })
      .where(and(eq(collections.projectId, projectId), eq(collections.id, id)))
  }
  return put
}
