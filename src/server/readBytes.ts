import { webhookError } from '../errors/webhookError.js'
import { readLimited } from './readLimited.js'

/** A body as it came over the wire. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** By its method, not its class: frameworks bring classes of their own. */
const isStream = (body: RawBody | Request['body']): body is ReadableStream<Uint8Array<ArrayBuffer>> =>
  typeof body === 'object' && body !== null && 'getReader' in body

const parsedBefore = () =>
  webhookError('webhook.body-invalid', {
    reason: 'it was read or parsed before; the signature is over its raw bytes',
  })

/**
 * Reads a body as the bytes that were signed, and no more of it than may be.
 *
 * @throws {@link KassaError} `webhook.body-too-large`, or `webhook.body-invalid` when something else read it before
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
