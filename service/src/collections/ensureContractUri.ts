import { and, eq, isNull } from 'drizzle-orm'
import { collections } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { storeJson } from '../files/storeJson.js'
import type { Collection } from './findCollection.js'
import { requireCollection } from './requireCollection.js'

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
