import type { NftMetadata, NftMetadataInput } from 'kassa/schema'
import type { Deps } from '../deps.js'
import { reuploadFile } from '../files/reuploadFile.js'
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
  const metadata: NftMetadata = { ...given }
  if (isReuploaded) {
    metadata.image = await reuploadFile(deps, 'metadata.image', given.image)
    if (given.animation_url !== undefined) {
      metadata.animation_url = await reuploadFile(deps, 'metadata.animation_url', given.animation_url)
    }
  }
  return { metadata, uri: await storeJson(deps, metadata) }
}
