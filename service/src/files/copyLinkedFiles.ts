import type { NftMetadataInput } from 'kassa/schema'
import type { Deps } from '../deps.js'
import { reuploadFile } from './reuploadFile.js'

/**
 * Takes copies of the files that a token's metadata link to, and links to them instead.
 *
 * @throws {ServiceError} `input-invalid`, naming the file that cannot be had.
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
