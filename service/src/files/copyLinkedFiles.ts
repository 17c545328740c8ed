import type { Deps } from '../deps.js'
import { fetchLinkedFile } from './reuploadFile.js'

/** The files that a token's metadata link to. */
type LinkedFiles = { image?: string | undefined; animation_url?: string | undefined }

/**
 * Copies the files that a token's metadata link to, and links to the copies instead. All files are fetched before
 * the first is stored, so that a file that cannot be fetched leaves no other one behind.
 *
 * @throws {ServiceError} `input-invalid`, naming the file that cannot be fetched.
 */
export const copyLinkedFiles = async <Metadata extends LinkedFiles>(
  deps: Pick<Deps, 'safeFetch' | 'storage'>,
  metadata: Metadata,
): Promise<Metadata> => {
  const copied = { ...metadata }
  const stores: (() => Promise<void>)[] = []
  for (const key of ['image', 'animation_url'] as const) {
    const url = metadata[key]
    if (url === undefined) continue
    const store = await fetchLinkedFile(deps, `metadata.${key}`, url)
    stores.push(async () => {
      copied[key] = await store()
    })
  }
  for (const store of stores) await store()
  return copied
}
