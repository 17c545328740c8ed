import type { StoredFile } from 'kassa/schema'
import { operations } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { contentTypeOf } from '#base/lib/contentTypeOf.js'
import { stripMetadata } from '#base/lib/stripMetadata.js'
import { requireServerScope } from '#identity/authorize.js'

/** The largest file that can be uploaded, in MiB. */
export const maxUploadMiB = 20

const pictures = /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/

/**
 * Stores a picture under its IPFS address, without what it says about its photographer: anyone can read it there, for
 * ever. Its bytes decide whether it is one. The same picture again has the same address.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `body-too-large`.
 */
export const uploadFile = async (
  { config, storage }: Pick<Deps, 'config' | 'storage'>,
  call: Call,
  bytes: Uint8Array,
): Promise<StoredFile> => {
  requireServerScope(call.actor, operations.uploadFile.scope)
  const contentType = contentTypeOf(bytes, '')
  if (!pictures.test(contentType)) {
    throw new ServiceError('input-invalid', 'file: expected a PNG, JPEG, GIF, WebP, AVIF or SVG picture')
  }
  const picture = stripMetadata(bytes, contentType)
  if (!picture)
    throw new ServiceError('input-invalid', `file: its bytes begin like ${contentType} and are no picture`)
  const cid = await storage.put(picture, contentType)
  return {
    url: `ipfs://${cid}`,
    gatewayUrl: `${config.publicUrl}/ipfs/${cid}`,
    contentType,
    size: picture.length,
  }
}
