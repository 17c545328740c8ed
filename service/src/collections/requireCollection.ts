import { clip } from 'kassa/engine'
import type { Database, Transaction } from '../db/database.js'
import { ServiceError } from '../errors.js'
import { type Collection, findCollection } from './findCollection.js'

/**
 * A project's collection of this id.
 *
 * @throws {@link ServiceError} `not-found`, for another project's too.
 */
export const requireCollection = async (
  db: Database | Transaction,
  projectId: string,
  id: string,
): Promise<Collection> => {
  const collection = await findCollection(db, projectId, id)
  if (!collection) throw new ServiceError('not-found', `Collection ${clip(id)} not found`)
  return collection
}
