import type { Template as TemplateView } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { requireCollection } from '../collections/requireCollection.js'
import type { Deps } from '../deps.js'
import { requireTemplate } from './findTemplate.js'
import { viewTemplate } from './viewTemplate.js'

/**
 * Gets a template.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const getTemplate = async (
  { db }: Pick<Deps, 'db'>,
  call: Call,
  { collectionId, templateId }: { collectionId: string; templateId: string },
): Promise<TemplateView> => {
  requireServerScope(call.actor, 'nfts.read')
  const collection = await requireCollection(db, call.actor.projectId, collectionId)
  return viewTemplate(await requireTemplate(db, collection, templateId))
}
