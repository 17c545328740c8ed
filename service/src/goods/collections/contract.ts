import { and, eq, isNull } from 'drizzle-orm'
import { collections } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WriteResult } from '#base/ports/write.js'
import { storeJson } from '../files/linkedFiles.js'
import { requireCollection } from './findCollection.js'
import type { Collection } from './viewCollection.js'
import { toCollectionRef, toCollectionTerms } from './viewCollection.js'
import { type WriteTurn, writeInTurn } from './writeInTurn.js'
import { writeTerms } from './writeTerms.js'

/**
 * Deploys the contract if it is missing and applies pending changes, such as a higher supply limit. A rejected change
 * does not block minting: the contract enforces its own limits.
 *
 * @returns The result of the write.
 */
export const prepareContract = async (
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  chain: ChainPort,
  known: Collection,
  turn: WriteTurn,
): Promise<WriteResult> => {
  const collection = await ensureContractUri(deps, known)
  const contract = await putContract(deps, chain, collection, turn)
  const { id: collectionId, revision, chainRevision } = collection
  if (contract.status === 'failed' || revision <= chainRevision) return contract
  const updated = await writeTerms(deps, chain, collection, turn)
  if (updated.status === 'failed') {
    const { reason } = updated
    deps.log.error({ collectionId, revision, reason }, 'the chain refused a change before a mint')
  }
  return contract
}

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

/** What marketplaces read of a collection (ERC-7572), royalties included for those that ignore ERC-2981. */
const contractMetadata = (collection: Collection) => {
  const { name, description, imageUrl, symbol, royaltyBasisPoints, paymentRecipient } = collection
  return {
    name,
    symbol,
    ...(description && { description }),
    ...(imageUrl && { image: imageUrl }),
    ...(royaltyBasisPoints > 0 && {
      seller_fee_basis_points: royaltyBasisPoints,
      fee_recipient: paymentRecipient,
    }),
  }
}

/**
 * Makes the JSON that a collection's contract points at, where there is none of its present metadata.
 *
 * @returns The collection, which may have changed meanwhile, with its `contractUri`.
 */
export const ensureContractUri = async (
  deps: Pick<Deps, 'db' | 'storage'>,
  collection: Collection,
): Promise<Collection & { contractUri: string }> => {
  const { projectId, id, revision, contractUri: known } = collection
  if (known !== null) return { ...collection, contractUri: known }
  const contractUri = await storeJson(deps, contractMetadata(collection))
  const isSame = and(
    eq(collections.projectId, projectId),
    eq(collections.id, id),
    eq(collections.revision, revision),
  )
  const [row] = await deps.db
    .update(collections)
    .set({ contractUri })
    .where(and(isSame, isNull(collections.contractUri)))
    .returning()
  return row
    ? { ...row, contractUri }
    : ensureContractUri(deps, await requireCollection(deps.db, projectId, id))
}
