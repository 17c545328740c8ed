import { webhookError } from '../errors/webhookError.js'

/** A body as it came over the wire. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** By its method, not its class: frameworks bring classes of their own. */
const isStream = (body: RawBody | Request['body']): body is ReadableStream<Uint8Array<ArrayBuffer>> =>
  typeof body === 'object' && body !== null && 'getReader' in body

const parsedBefore = () =>
  webhookError('webhook.body-invalid', {
    reason: 'it was read or parsed before; the signature is over its raw bytes',
  })

const join = (chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

const readStream = async (
  stream: ReadableStream<Uint8Array>,
  limitBytes: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return join(chunks, size)
    size += value.length
    if (size > limitBytes) {
      // What is to come is not waited for: it may never end.
      void reader.cancel().catch(() => undefined)
      throw webhookError('webhook.body-too-large', { limitBytes })
    }
    chunks.push(value)
  }
}

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
    return readStream(body, limitBytes)
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
