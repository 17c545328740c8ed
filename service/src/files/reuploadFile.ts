import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'

/**
 * Takes a copy of a file that a caller links to, so that it stays what it is for ever. What is addressed by its
 * content already stays where it is.
 *
 * @returns The file's `ipfs://` URI, or the `ipfs://` or `ar://` URL that was given.
 * @throws {ServiceError} `input-invalid`, naming the field, where the file cannot be had.
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
