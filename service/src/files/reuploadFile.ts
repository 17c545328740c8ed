import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'

/**
 * Fetches a file that a caller links to, and returns a function that stores it and returns its `ipfs://` URI.
 * A content-addressed file is not fetched: the function returns its URL.
 *
 * @throws {@link ServiceError} `input-invalid`, naming the field, if the file cannot be fetched.
 */
export const fetchLinkedFile = async (
  { safeFetch, storage }: Pick<Deps, 'safeFetch' | 'storage'>,
  field: string,
  url: string,
): Promise<() => Promise<string>> => {
  if (!/^https?:/i.test(url)) return async () => url
  const { bytes, contentType } = await safeFetch(url).catch((error: unknown) => {
    throw error instanceof ServiceError ? new ServiceError(error.code, `${field}: ${error.message}`) : error
  })
  return async () => `ipfs://${await storage.put(bytes, contentType)}`
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
