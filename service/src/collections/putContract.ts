import { createHash } from 'node:crypto'
import { attemptKey, type ChainPort, type WriteResult } from '../chains/port.js'
import { toCollectionRef, toCollectionTerms } from './collectionRef.js'
import type { Collection } from './findCollection.js'

/** Who needs a contract, and for which time it asks: an order's item, a batch, an action. */
export type ContractTurn = { id: string; attempt: number }

const numberOf = ({ id, attempt }: ContractTurn): number =>
  2 + createHash('sha256').update(`${id}:${attempt}`).digest().readUIntBE(0, 6)

/**
 * Puts a collection's contract on its chain, where it is not there yet. All who need it share the first attempt;
 * where that is refused, each has attempts of its own, so that one that comes later does not hear of the refusal alone.
 */
export const putContract = async (
  chain: ChainPort,
  collection: Collection,
  turn: ContractTurn,
): Promise<WriteResult> => {
  const ref = toCollectionRef(collection)
  const input = { collection: ref, terms: toCollectionTerms(collection) }
  const shared = await chain.createCollection(ref.key, input)
  if (shared.status === 'succeeded') return shared
  return chain.createCollection(attemptKey(ref.key, numberOf(turn)), input)
}
