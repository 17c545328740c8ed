import * as z from 'zod/mini'
import { safeParseRequest } from '../../schema/safeParseRequest.js'

/** An answer of the service that is none of what was asked for. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** What it tells in place of `error: true`: why a transaction would revert. */
  readonly detail: object | undefined

  constructor(status: number, message: string, detail?: object) {
    super(message)
    this.status = status
    this.detail = detail
  }
}

/** Says that what a caller sent is wrong. */
export const badInput = (message: string): HttpError => new HttpError(400, message)

/** Says that there is no such thing. */
export const notFound = (): HttpError => new HttpError(404, 'Not found')

/** Says which methods a path takes. */
export const refuseMethod = (path: string, methods: readonly string[]): HttpError =>
  new HttpError(404, `Not found: /api${path} takes ${[...methods].sort().join(', ')}`)

const writePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text ? `${text}.${String(key)}` : String(key)
  }, '')

const { localeError } = z.locales.en()

const readIssue = (issue: z.core.$ZodIssue): { path: string; message: string }[] => {
  if (issue.code === 'unrecognized_keys') {
    const message = 'not a field that can be given here'
    return issue.keys.map((key) => ({ path: writePath([...issue.path, key]), message }))
  }
  const isMissing = /^invalid_(type|value|union)$/.test(issue.code) && issue.input === undefined
  return [
    {
      path: writePath(issue.path),
      message: isMissing ? 'required' : issue.message.replace(/^Invalid input: /, ''),
    },
  ]
}

/**
 * Reads what a caller sent.
 *
 * @throws HttpError naming every field that is wrong, in the service's own words.
 */
export const readInput = <Output>(schema: z.ZodMiniType<Output>, value: unknown, root: string): Output => {
  // The error map applies to this call only, so that the global one of the app under test stays.
  const parsed = safeParseRequest(schema, value, { error: localeError })
  if (parsed.success) return parsed.data
  const messages = new Map<string, string>()
  for (const { path, message } of parsed.error.issues.flatMap(readIssue)) {
    if (!messages.has(path)) messages.set(path, `${path || root}: ${message}`)
  }
  throw badInput([...messages.values()].join('; '))
}

/** Reads a JSON body. */
export const readJson = (text: string): unknown => {
  if (!text.trim()) throw badInput('body: required')
  try {
    return JSON.parse(text)
  } catch {
    throw badInput('body: not valid JSON')
  }
}
