import type { NftMetadata, NftMetadataInput } from 'kassa/schema'
import type { Deps } from '../deps.js'
import { copyLinkedFiles } from '../files/copyLinkedFiles.js'
import { storeJson } from '../files/storeJson.js'

/** What a token shows, and where its JSON is. */
export type StoredMetadata = { metadata: NftMetadata; uri: string }

/**
 * Stores what a token shows as the JSON that wallets and marketplaces read, with copies of the files it links to.
 *
 * @throws {ServiceError} `input-invalid`, naming the file that cannot be had.
 */
export const storeMetadata = async (
  deps: Pick<Deps, 'safeFetch' | 'storage'>,
  given: NftMetadataInput,
  isReuploaded: boolean,
): Promise<StoredMetadata> => {
  const metadata = isReuploaded ? await copyLinkedFiles(deps, given) : given
  return { metadata, uri: await storeJson(deps, metadata) }
}
