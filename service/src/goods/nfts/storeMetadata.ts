import type { NftMetadata, NftMetadataInput } from 'kassa/schema'
import type { Deps } from '#base/deps.js'
import { copyLinkedFiles, storeJson } from '../files/linkedFiles.js'

/** A token's metadata, and the URI of its JSON. */
export type StoredMetadata = { metadata: NftMetadata; uri: string }

/**
 * Stores a token's metadata as the JSON that wallets and marketplaces read, with copies of the files it links
 * to.
 *
 * @throws {ServiceError} `input-invalid`, naming the file that cannot be fetched.
 */
export const storeMetadata = async (
  deps: Pick<Deps, 'safeFetch' | 'storage'>,
  given: NftMetadataInput,
  isReuploaded: boolean,
): Promise<StoredMetadata> => {
  const metadata = isReuploaded ? await copyLinkedFiles(deps, given) : given
  return { metadata, uri: await storeJson(deps, metadata) }
}
