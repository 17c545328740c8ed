import { apiError } from '../errors/apiError.js'
import type { ApiContext, ErrorContext, KassaErrorCode } from '../errors/context.js'
import type { KassaError } from '../errors/KassaError.js'
import type { Operation } from '../schema/operations.js'
import type { Reader } from '../schema/read.js'
import { readErrorAnswer } from '../schema/readers.js'
import type { Client } from './client.js'
import { readClock } from './clock.js'
import { fillPath, type PathParameters } from './fillPath.js'
import { reportCall } from './observeCalls.js'

/** Parameters of every call. */
export type CallParameters = {
  /** Opens exactly one order. Replaces an API key. */
  clientSecret?: string | undefined
  signal?: AbortSignal | undefined
}

/** Parameters of every call that takes an API key. */
export type KeyCallParameters = Omit<CallParameters, 'clientSecret'>

/** Which page of a list to get. */
export type PageParameters = {
  /** Starts at 1, the default. */
  page?: number | undefined
  /** 10 by default, at most 100. */
  perPage?: number | undefined
}

type Request<Answer, Path extends string> = CallParameters & {
  operation: { method: Operation['method']; path: Path }
  params: PathParameters<Path>
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>> | undefined
  body?: unknown
  idempotencyKey?: string | undefined
  /** Whether the call is repeated often, so that an unchanged answer should cost little. */
  isPoll?: boolean | undefined
  /** The ETag of the known answer. */
  etag?: string | undefined
  answer: Reader<Answer>
  /** Creates a specific error from the body of a refusal, for calls that have one. */
  refuse?: ((body: unknown) => KassaError | undefined) | undefined
}

/** A parsed answer, or that nothing has changed since `etag`. */
export type Answered<Answer> = { isUnchanged: false; data: Answer; etag?: string } | { isUnchanged: true }

/** Writes the path of a call with its ids and query. */
const writePath = <Path extends string>({
  operation,
  params,
  query = {},
}: Request<unknown, Path>): string => {
  const path = fillPath(operation.path, params)
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${[value].flat().map(encodeURIComponent).join(',')}`,
  )
  return parts.length ? `${path}?${parts.join('&')}` : path
}

/** Codes of the service's refusals. */
type RefusalCode = {
  [Code in KassaErrorCode]: ErrorContext[Code] extends ApiContext ? Code : never
}[KassaErrorCode]

const codeByStatus: Readonly<Record<number, RefusalCode>> = {
  401: 'api.unauthorized',
  403: 'api.forbidden',
  404: 'api.not-found',
  409: 'api.conflict',
  429: 'api.rate-limited',
  502: 'api.unavailable',
  503: 'api.unavailable',
  504: 'api.unavailable',
}

/** Parses a body as JSON; undefined if it is invalid. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the error of an answer that refuses a call. */
export const readRefusal = (response: Response, body: unknown): KassaError => {
  const answer = readErrorAnswer(body)
  const text = 'data' in answer ? (answer.data.message ?? answer.data.error) : undefined
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const { status } = response
  return apiError(codeByStatus[status] ?? (status >= 500 ? 'api.failed' : 'api.bad-request'), {
    status,
    message: typeof text === 'string' ? text : `the service answered with status ${status}`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  })
}

/** Returns the headers of a call. */
export const writeHeaders = (
  client: Client,
  request: Pick<Request<unknown, string>, 'clientSecret' | 'body' | 'idempotencyKey' | 'etag'>,
): Record<string, string> => ({
  accept: 'application/json',
  ...(client.apiKey && { 'x-api-key': client.apiKey }),
  ...(request.clientSecret && { authorization: request.clientSecret }),
  ...(request.body !== undefined && { 'content-type': 'application/json' }),
  ...(request.idempotencyKey && { 'x-idempotency-key': request.idempotencyKey }),
  // A browser's cache revalidates automatically. Setting the header here would add a preflight to every poll.
  ...(request.etag && !client.hasHttpCache && { 'if-none-match': request.etag }),
})

type Answer = { response: Response; status: number; body: unknown }

/** Sends a request and reads the whole answer within the client's timeout, unless the caller aborts. */
const send = async (
  client: Client,
  url: string,
  { path, ...request }: Request<unknown, string> & { path: string },
): Promise<Answer> => {
  const { signal } = request
  signal?.throwIfAborted()
  // Combined by hand, because `AbortSignal.any` is newer than the browsers of some buyers.
  const controller = new AbortController()
  const giveUp = (): void => controller.abort(signal?.reason)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, client.timeoutMs)
  signal?.addEventListener('abort', giveUp)
  const { method } = request.operation
  const fromMs = Date.now()
  let status: number | undefined
  let text = ''
  try {
    // Decisions about money need the service's own answer. With 'no-store' a browser also repeats the preflight.
    const cache: 'default' | 'no-store' = request.isPoll && client.hasHttpCache ? 'default' : 'no-store'
    // A variable, because Node's types of `fetch` have no `cache`.
    const init = {
      method,
      headers: writeHeaders(client, request),
      cache,
      signal: controller.signal,
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    }
    const response = await client.fetch(url, init)
    readClock(client, response, { fromMs, toMs: Date.now() })
    const isUnchanged =
      response.status === 304 || (request.etag !== undefined && response.headers.get('etag') === request.etag)
    const read = await response.text()
    if (!isUnchanged) text = read
    status = isUnchanged ? 304 : response.status
    return { response, status, body: readJson(text) }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (isLate) throw apiError('api.timeout', { url, timeoutMs: client.timeoutMs }, { cause })
    throw apiError('api.unreachable', { url }, { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    reportCall(client, { method, path, status, fromMs, isCancelled: signal?.aborted === true }, text)
  }
}

/** What the answer is where another server stands, such as the shop's own. */
export const webPage = 'a web page'

/**
 * Makes one call of the interface and parses the answer.
 *
 * @throws {@link KassaError} `input.id-invalid`, any `api.*` code; an abort by `signal` rejects with the signal's own reason.
 */
export const request = async <Data, Path extends string>(
  client: Client,
  request: Request<Data, Path>,
): Promise<Answered<Data>> => {
  const path = writePath(request)
  const url = `${client.baseUrl}${path}`
  const { response, status, body } = await send(client, url, { ...request, path })
  if (status === 304) return { isUnchanged: true }
  // A page where the service should be: of the shop itself, or of a wrong port. Proxies answer with other statuses.
  const isPage = body === undefined && (response.ok || status === 404 || status === 405)
  if (!response.ok && !isPage) throw request.refuse?.(body) ?? readRefusal(response, body)
  const answer = request.answer(body)
  if (answer.fault !== undefined)
    throw apiError('api.invalid-answer', { url, issues: isPage ? webPage : answer.fault })
  const etag = response.headers.get('etag')
  return { isUnchanged: false, data: answer.data, ...(etag && { etag }) }
}

/** Makes one call whose answer always has a body. */
export const requestBody = async <Answer, Path extends string>(
  client: Client,
  options: Request<Answer, Path>,
): Promise<Answer> => {
  const answered = await request(client, options)
  if (answered.isUnchanged) {
    throw apiError('api.invalid-answer', {
      url: `${client.baseUrl}${writePath(options)}`,
      issues: 'not modified, though nothing was known before',
    })
  }
  return answered.data
}
