import type * as z from 'zod/mini'
import { withTimeout } from '../api/withTimeout.js'
import { safeParseRequest } from '../schema/safeParseRequest.js'
import { HttpError } from './HttpError.js'
import { readLimited } from './readLimited.js'

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
    throw new HttpError(400, 'body: no text in UTF-8')
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
