import { clip } from 'kassa/engine'
import { isTemplate, lockCollection } from '../collections/allocateTokens.js'
import type { Collection } from '../collections/findCollection.js'
import type { Transaction } from '../db/database.js'
import { templates } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/isUuid.js'
import type { Template } from './findTemplate.js'

/**
 * Locks a template and its collection, so that no token is minted and no order is created from the template
 * until the transaction ends.
 *
 * @throws {@link ServiceError} `not-found`, also if the template was deleted.
 */
export const lockTemplate = async (
  tx: Transaction,
  known: Collection,
  templateId: string,
): Promise<{ collection: Collection; template: Template }> => {
  const collection = await lockCollection(tx, known)
  const [template] = isUuid(templateId)
    ? await tx.select().from(templates).where(isTemplate(known, templateId)).for('update')
    : []
  if (!collection || !template || template.deletedAt) {
    throw new ServiceError('not-found', `Template ${clip(templateId)} not found`)
  }
  return { collection, template }
}
