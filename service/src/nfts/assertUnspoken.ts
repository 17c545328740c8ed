import { countAvailable, type LimitedSupply } from '../collections/countAvailable.js'
import type { Collection } from '../collections/findCollection.js'
import type { Transaction } from '../db/database.js'
import { ServiceError } from '../errors.js'
import { requireTemplate } from '../templates/findTemplate.js'

const assertOne = async (tx: Transaction, what: string, supply: LimitedSupply): Promise<void> => {
  const { supplyLimit, allocatedCount } = supply
  // If nothing at all is left, the code that assigns tokens reports it.
  if (supplyLimit === null || allocatedCount >= supplyLimit) return
  if ((await countAvailable(tx, supply)) !== 0) return
  const message = `${what} is sold out: what is left of its supply limit of ${supplyLimit} belongs to orders that are paid`
  throw new ServiceError('conflict', message)
}

/**
 * Refuses a mint from the supply that buyers have paid for and not received yet. The caller holds the
 * collection's lock.
 *
 * @throws {@link ServiceError} `not-found` for the template, `conflict`.
 */
export const assertUnspoken = async (
  tx: Transaction,
  collection: Collection,
  templateId: string | undefined,
): Promise<void> => {
  const { id: collectionId } = collection
  await assertOne(tx, `Collection ${collectionId}`, { ...collection, collectionId })
  if (templateId === undefined) return
  // It may have been deleted since the caller's request was read.
  const template = await requireTemplate(tx, collection, templateId)
  await assertOne(tx, `Template ${templateId}`, { ...template, templateId })
}
