import type { NftMetadataInput } from 'kassa/schema'
import type { Deps } from '../deps.js'
import { reuploadFile } from './reuploadFile.js'

/**
 * Copies the files that a token's metadata link to, and links to the copies instead.
 *
 * @throws {ServiceError} `input-invalid`, naming the file that cannot be fetched.
 */
export const copyLinkedFiles = async <Metadata extends NftMetadataInput>(
  deps: Pick<Deps, 'safeFetch' | 'storage'>,
  metadata: Metadata,
): Promise<Metadata> => {
  const { image, animation_url: film } = metadata
  const copied = { ...metadata, image: await reuploadFile(deps, 'metadata.image', image) }
  if (film !== undefined) copied.animation_url = await reuploadFile(deps, 'metadata.animation_url', film)
  return copied
}
