import type { StoredFile } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readStoredFile } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link uploadFile}. */
export type UploadFileParameters = KeyCallParameters & {
  /** A PNG, JPEG, GIF, WebP, AVIF or SVG picture of at most 20 MiB, such as a `File` of an `<input>`. */
  file: Blob
}

/**
 * Stores a picture in the service. The same picture again has the same address, so the call can be repeated.
 *
 * @returns The stored picture; its `url` is what `imageUrl` of a collection and `image` of a token take.
 * @throws {@link KassaError} `api.bad-request` if it is not a picture or too large, `api.forbidden` without a server
 * key that has `collections.create` or `nfts.create`, …
 */
export const uploadFile = (client: Client, { file, ...call }: UploadFileParameters): Promise<StoredFile> => {
  const form = new FormData()
  form.set('file', file)
  return requestBody(client, {
    operation: operations.uploadFile,
    params: {},
    answer: readStoredFile,
    form,
    ...call,
  })
}
