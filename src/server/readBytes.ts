import { webhookError } from '../errors/webhookError.js'
import { readLimited } from './readLimited.js'

/** A body as received. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** Checked by its method, not its class, because frameworks bring their own classes. */
const isStream = (body: RawBody | Request['body']): body is ReadableStream<Uint8Array<ArrayBuffer>> =>
  typeof body === 'object' && body !== null && 'getReader' in body

const parsedBefore = () =>
  webhookError('webhook.body-invalid', {
    reason: 'it was read or parsed before; the signature is over its raw bytes',
  })

/**
 * Reads a body as the signed bytes, up to the limit.
 *
 * @throws {@link KassaError} `webhook.body-too-large`, or `webhook.body-invalid` when the body was read
 * before
 */
export const readBytes = async (
  source: Request | { body: RawBody },
  limitBytes: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const { body } = source
  if (isStream(body)) {
    if (body.locked || ('bodyUsed' in source && source.bodyUsed)) throw parsedBefore()
    const read = await readLimited(body, limitBytes)
    if (!read) throw webhookError('webhook.body-too-large', { limitBytes })
    return read
  }
  if (
    body !== null &&
    typeof body !== 'string' &&
    !(body instanceof Uint8Array || body instanceof ArrayBuffer)
  )
    throw parsedBefore()
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body ?? [])
  if (bytes.length > limitBytes) throw webhookError('webhook.body-too-large', { limitBytes })
  return bytes
}
