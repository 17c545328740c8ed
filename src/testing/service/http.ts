import { keccak256, stringToHex } from 'viem'
import { PageQuery, toPage } from '../../engine/http/pages.js'
import { explainMethods } from '../../engine/http/writeError.js'
import { InvalidInput } from '../../engine/invalidInput.js'
import { isNotModified } from '../../engine/isNotModified.js'
import { parseInput } from '../../engine/parseInput.js'
import { Refusal } from '../../engine/refusal.js'
import { listOperationsAt, type OperationMatch } from '../../schema/matchOperation.js'
import type { Operation } from '../../schema/operations.js'

/** A call of the service, taken apart. `path` is below the base URL. */
export type ServiceCall = {
  method: string
  path: string
  query: URLSearchParams
  /** By lower-case name. */
  headers: ReadonlyMap<string, string>
  text: string
}

/** What the service answers. */
export type Answer = { status: number; body: unknown }

/** An answer of the service that is none of what was asked for. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** What it tells in place of `error: true`: why a transaction would revert. */
  readonly detail: { message: string } | undefined

  constructor(status: number, message: string, detail?: { message: string }) {
    super(message)
    this.status = status
    this.detail = detail
  }
}

/** Says that there is no such thing. */
export const notFound = (): HttpError => new HttpError(404, 'Not found')

const statuses = {
  'key-invalid': 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  unprocessable: 422,
  reverted: 422,
} as const

/** Returns the answer of an error that the service throws on purpose; `undefined` for any other. */
export const toHttpError = (error: unknown): HttpError | undefined => {
  if (error instanceof HttpError) return error
  if (error instanceof InvalidInput) return new HttpError(400, error.message)
  return error instanceof Refusal
    ? new HttpError(statuses[error.code], error.message, error.detail)
    : undefined
}

/**
 * Reads which page of a list is requested.
 *
 * @returns The function that takes this page of a list.
 * @throws {@link InvalidInput} naming the field.
 */
export const readPage = (query: URLSearchParams): (<Item>(list: readonly Item[]) => Item[]) => {
  const { page, perPage } = toPage(parseInput(PageQuery, Object.fromEntries(query), 'query'))
  const from = (page - 1) * perPage
  return (list) => list.slice(from, from + perPage)
}

/** Takes a `fetch` apart into the call that it makes of the service. */
export const readCall = async (
  baseUrl: string,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<ServiceCall> => {
  const request = typeof input === 'string' || input instanceof URL ? undefined : input
  const url = new URL(request ? request.url : String(input))
  if (!url.href.startsWith(`${baseUrl}/`)) {
    throw new TypeError(`The test service is at ${baseUrl}, and was asked for ${url.href}`)
  }
  const headers = new Map<string, string>()
  new Headers(init.headers ?? request?.headers).forEach((value, name) => {
    headers.set(name.toLowerCase(), value)
  })
  const text = init.body == null ? ((await request?.text()) ?? '') : await new Response(init.body).text()
  return {
    method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
    path: url.href.slice(baseUrl.length).replace(/[?#].*/s, ''),
    query: url.searchParams,
    headers,
    text,
  }
}

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
    return isNotModified(headers.get('if-none-match'), tag)
      ? new Response(null, { status: 304, headers: etag })
      : new Response(text, { status, headers: etag })
  }
  const isRetryable = [429, 503, 504].includes(status)
  return new Response(text, {
    status,
    headers: { ...shared, ...(isRetryable && { 'retry-after': retryAfterSeconds }) },
  })
}

const messages: Readonly<Record<number, string>> = {
  400: 'body: refused by the test',
  401: 'X-API-KEY: unknown API key',
  403: 'The API key lacks the scope orders.create',
  404: 'Not found',
  409: 'The order can no longer be changed: a payment was seen',
  429: 'Too many requests: try again later',
  500: 'Something went wrong: please contact support with request id req_test',
  503: 'The service is not available: try again in a few minutes',
  504: 'The service took too long: try again',
}

/** Calls that a test wants refused, in their order. */
export const createRefusals = () => {
  const queue: (number | 'unreachable')[] = []
  return {
    add: (answer: number | 'unreachable', times = 1): void => {
      for (let count = 0; count < times; count++) queue.push(answer)
    },
    /** Throws what the next call is refused with, if any: what `fetch` throws where the service is out of reach. */
    refuse: (): void => {
      const next = queue.shift()
      if (next === undefined) return
      if (next === 'unreachable') throw new TypeError('Failed to fetch')
      throw new HttpError(next, messages[next] ?? `Refused with status ${next}`)
    },
  }
}

/**
 * Finds the operation that a call asks for; undefined if none has its path.
 *
 * @throws {@link HttpError} 404 if none has its method.
 */
export const findTestOperation = <Name extends string>(
  rows: Readonly<Record<Name, Operation>>,
  { method, path }: Pick<ServiceCall, 'method' | 'path'>,
): OperationMatch<Name> | undefined => {
  const there = listOperationsAt(rows, path)
  if (there.length === 0) return undefined
  const found = there.find(({ name }) => rows[name].method === method)
  if (found) return found
  const methods = there.map(({ name }) => rows[name].method)
  throw new HttpError(404, explainMethods(`/api${path}`, methods.sort()))
}
