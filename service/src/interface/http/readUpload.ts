import type { Context } from 'hono'
import { ServiceError } from '#base/errors.js'
import { maxUploadMiB } from '#goods/files/uploadFile.js'

const mebibyte = 1024 * 1024
/** The largest body that brings such a file, with room for its headers. */
export const maxUploadBytes = maxUploadMiB * mebibyte + 64 * 1024

/** Refuses a file that is too large. */
export const refuseLargeFile = (): never => {
  throw new ServiceError('body-too-large', `file: is larger than ${maxUploadMiB} MiB`)
}

/** Whether a request brings a form, as an upload does. */
export const isForm = (c: Context): boolean =>
  /^multipart\/form-data\s*;/i.test(c.req.header('content-type') ?? '')

/**
 * Reads the field `file` of a form.
 *
 * @throws {@link ServiceError} `input-invalid` without one file, `body-too-large`.
 */
export const readUpload = async (c: Context): Promise<Uint8Array> => {
  if (!isForm(c))
    throw new ServiceError('input-invalid', 'body: expected multipart/form-data with the field file')
  const form = await c.req.formData().catch(() => {
    throw new ServiceError('input-invalid', 'body: not valid multipart/form-data')
  })
  const files = form.getAll('file')
  const [file] = files
  if (file === undefined || typeof file === 'string')
    throw new ServiceError('input-invalid', 'file: required')
  if (files.length > 1) throw new ServiceError('input-invalid', 'file: expected one file')
  if (file.size > maxUploadMiB * mebibyte) refuseLargeFile()
  if (!file.size) throw new ServiceError('input-invalid', 'file: is empty')
  return new Uint8Array(await file.arrayBuffer())
}
