import { keccak256, stringToHex } from 'viem'
import type { ServiceCall } from './identify.js'
import type { Answer } from './orders.js'

// A second: a test is not to wait for half a minute.
const retryAfterSeconds = '1'

const isOrder = /^\/2022-06-09\/orders\b/

/** Writes an answer as the service does: by its clock, with an `ETag` where it can be revalidated. */
export const writeResponse = (
  { method, path, headers }: Pick<ServiceCall, 'method' | 'path' | 'headers'>,
  { status, body }: Answer,
  nowMs: number,
): Response => {
  const text = JSON.stringify(body)
  const tag = `"${keccak256(stringToHex(text)).slice(2)}"`
  const shared = { 'content-type': 'application/json', date: new Date(nowMs).toUTCString() }
  // Of what is polled for minutes, orders alone.
  if (method === 'GET' && status === 200 && isOrder.test(path)) {
    const etag = { ...shared, etag: tag, 'cache-control': 'private, no-cache' }
    const held = (headers.get('if-none-match') ?? '')
      .split(',')
      .map((name) => name.trim().replace(/^W\//, ''))
    return held.includes(tag)
      ? new Response(null, { status: 304, headers: etag })
      : new Response(text, { status, headers: etag })
  }
  const isRetryable = [429, 503, 504].includes(status)
  return new Response(text, {
    status,
    headers: { ...shared, ...(isRetryable && { 'retry-after': retryAfterSeconds }) },
  })
}
