import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'

/**
 * Copies a file that a caller links to, so that its content never changes. A content-addressed file stays
 * where it is.
 *
 * @returns The file's `ipfs://` URI, or the given `ipfs://` or `ar://` URL.
 * @throws {ServiceError} `input-invalid`, naming the field, if the file cannot be fetched.
 */
export const reuploadFile = async (
  { safeFetch, storage }: Pick<Deps, 'safeFetch' | 'storage'>,
  field: string,
  url: string,
): Promise<string> => {
  if (!/^https?:/i.test(url)) return url
  const { bytes, contentType } = await safeFetch(url).catch((error: unknown) => {
    throw error instanceof ServiceError ? new ServiceError(error.code, `${field}: ${error.message}`) : error
  })
  return `ipfs://${await storage.put(bytes, contentType)}`
}
