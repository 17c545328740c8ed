import { and, eq, isNull } from 'drizzle-orm'
import { collections } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { storeJson } from '../files/storeJson.js'
import type { Collection } from './findCollection.js'
import { requireCollection } from './requireCollection.js'

/** What marketplaces read of a collection (ERC-7572). */
const contractMetadata = ({ name, description, imageUrl, symbol }: Collection) => ({
  name,
  symbol,
  ...(description && { description }),
  ...(imageUrl && { image: imageUrl }),
})

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
