import type { MintNftBody } from 'kassa/schema'
import type { Collection } from '../collections/findCollection.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { storeJson } from '../files/storeJson.js'
import { requireTemplate } from '../templates/findTemplate.js'
import { type StoredMetadata, storeMetadata } from './storeMetadata.js'

/** A token's metadata, and the template that it comes from. */
export type MintContent = StoredMetadata & { templateId: string | undefined }

const ofTemplate = async (deps: Deps, collection: Collection, asked: string): Promise<MintContent> => {
  const template = await requireTemplate(deps.db, collection, asked)
  const { metadata } = template
  return { templateId: template.id, metadata, uri: await storeJson(deps, metadata) }
}

/**
 * Reads a new token's metadata: the caller's, or its template's.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`.
 */
export const readMintContent = async (
  deps: Deps,
  collection: Collection,
  { metadata, templateId, reuploadLinkedFiles = true }: MintNftBody,
): Promise<MintContent> => {
  if (templateId !== undefined) return ofTemplate(deps, collection, templateId)
  if (!metadata) throw new ServiceError('input-invalid', 'body: expected either metadata or templateId')
  return { templateId: undefined, ...(await storeMetadata(deps, metadata, reuploadLinkedFiles)) }
}
