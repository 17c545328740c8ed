import { canonicalJson } from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { contentTypeOf } from '#base/lib/contentTypeOf.js'
import { stripMetadata } from '#base/lib/stripMetadata.js'

/**
 * Stores a value as JSON with sorted keys, so that equal values have one address.
 *
 * @returns The JSON's `ipfs://` URI.
 */
export const storeJson = async ({ storage }: Pick<Deps, 'storage'>, value: unknown): Promise<string> => {
  const bytes = new TextEncoder().encode(canonicalJson(value))
  return `ipfs://${await storage.put(bytes, 'application/json')}`
}

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

/**
 * Fetches a file that a caller links to, and returns a function that stores it, as {@link stripMetadata} leaves it, and
 * returns its `ipfs://` URI.
 * A content-addressed file is not fetched: the function returns its URL.
 *
 * @throws {@link ServiceError} `input-invalid`, naming the field, if the file cannot be fetched.
 */
const fetchLinkedFile = async (
  { safeFetch, storage }: Pick<Deps, 'safeFetch' | 'storage'>,
  field: string,
  url: string,
): Promise<() => Promise<string>> => {
  if (!/^https?:/i.test(url)) return async () => url
  const { bytes, contentType } = await safeFetch(url).catch((error: unknown) => {
    throw error instanceof ServiceError ? new ServiceError(error.code, `${field}: ${error.message}`) : error
  })
  const kept = stripMetadata(bytes, contentTypeOf(bytes, contentType)) ?? bytes
  return async () => `ipfs://${await storage.put(kept, contentType)}`
}

/**
 * Copies a file that a caller links to, so that its content never changes. A content-addressed file stays
 * where it is.
 *
 * @returns The file's `ipfs://` URI, or the given `ipfs://` or `ar://` URL.
 * @throws {@link ServiceError} `input-invalid`, naming the field, if the file cannot be fetched.
 */
export const reuploadFile = async (
  deps: Pick<Deps, 'safeFetch' | 'storage'>,
  field: string,
  url: string,
): Promise<string> => (await fetchLinkedFile(deps, field, url))()
