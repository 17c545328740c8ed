import type * as z from 'zod/mini'
import { withTimeout } from '../api/withTimeout.js'
import { webhookError } from '../errors/webhookError.js'
import { safeParseRequest } from '../schema/safeParseRequest.js'
import { HttpError } from './HttpError.js'

const limitBytes = 64 * 1024

const tooLarge = (): HttpError => new HttpError(413, `The body is over the limit of ${limitBytes / 1024} KiB`)

const writePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text ? `${text}.${String(key)}` : String(key)
  }, '')

// A field of a hostile body may have a name of any length.
const cut = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

const describe = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys')
    return `${cut(writePath([...issue.path, issue.keys[0] ?? '']))}: not a field that can be given here`
  const path = cut(writePath(issue.path)) || 'body'
  // Without a locale, `zod/mini` says no more than that the input is invalid.
  const isPlain = /^Invalid input/.test(issue.message)
  if (isPlain && issue.input === undefined) return `${path}: required`
  return `${path}: ${isPlain && issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.message}`
}

/** Describes the first fault of a value with its path; undefined if there is none. */
export const findFault = (parsed: z.util.SafeParseResult<unknown>): string | undefined => {
  const [issue] = parsed.error?.issues ?? []
  return issue && describe(issue)
}

const readText = async (request: Request, timeoutMs: number): Promise<string> => {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new HttpError(415, 'content-type: expected application/json')
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge()
  if (!request.body) throw new HttpError(400, 'body: required')
  const patience = new AbortController()
  const late = () => {
    patience.abort()
    return new HttpError(408, 'The body took too long to arrive')
  }
  const bytes = await withTimeout(timeoutMs, readLimited(request.body, limitBytes, patience.signal), late)
  if (!bytes) throw tooLarge()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new HttpError(400, 'body: not valid UTF-8')
  }
}

/**
 * Reads a browser's JSON body of at most 64 KiB.
 *
 * @throws {@link HttpError} 400 naming the field, 408, 413, or 415.
 */
export const readJsonBody = async <Body>(
  request: Request,
  schema: z.ZodMiniType<Body>,
  timeoutMs: number,
): Promise<Body> => {
  const text = await readText(request, timeoutMs)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new HttpError(400, 'body: not valid JSON')
  }
  const parsed = safeParseRequest(schema, json)
  if (parsed.success) return parsed.data
  throw new HttpError(400, findFault(parsed) ?? 'body: not valid')
}

const join = (chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/**
 * Reads a stream to its end, up to a limit.
 *
 * @param signal - Cancels the reading, so that the sender stops sending.
 * @returns The bytes; undefined when there are more than the limit, in which case the rest is not read.
 */
const readLimited = async (
  stream: ReadableStream<Uint8Array>,
  limitBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const reader = stream.getReader()
  // The cancellation is not awaited, because the rest of the stream may never end.
  const stop = (): void => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', stop)
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return join(chunks, size)
    size += value.length
    if (size > limitBytes) {
      stop()
      return undefined
    }
    chunks.push(value)
  }
}

/** A body as received. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** Checked by its method, not its class, because frameworks bring their own classes. */
const isStream = (body: RawBody | Request['body']): body is ReadableStream<Uint8Array<ArrayBuffer>> =>
  typeof body === 'object' && body !== null && 'getReader' in body

const parsedBefore = () =>
  webhookError('webhook.body-invalid', {
    reason: 'it was already read or parsed, and the signature covers the raw bytes',
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
