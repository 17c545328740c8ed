import { apiError } from '../errors/apiError.js'
import type { ApiContext, ErrorContext, KassaErrorCode } from '../errors/context.js'
import { inputError } from '../errors/inputError.js'
import type { KassaError } from '../errors/KassaError.js'
import { readField } from '../errors/readField.js'
import { ignoredFieldsHeader } from '../schema/ignoredFieldsHeader.js'
import type { Operation } from '../schema/operations.js'
import type { Reader } from '../schema/read.js'
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
  /** What `writeQuery` returns. */
  query?: string | undefined
  body?: unknown
  /** A form in place of a JSON body. */
  form?: FormData | undefined
  idempotencyKey?: string | undefined
  /** Whether the call is repeated often, so that an unchanged answer should cost little. */
  isPoll?: boolean | undefined
  /** The ETag of the known answer. */
  etag?: string | undefined
  answer: Reader<Answer>
  /** Creates a specific error from the body of a refusal, for calls that have one. */
  refuse?: ((body: unknown) => KassaError | undefined) | undefined
}

/** A parsed answer. */
type ChangedAnswer<Data> = { isUnchanged: false; data: Data; etag?: string }

/** A parsed answer, or that nothing has changed since `etag`. */
export type Answered<Data> = ChangedAnswer<Data> | { isUnchanged: true }

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

/** Returns the service's own sentence in the body of a refusal; undefined if it has none. */
export const readMessage = (body: unknown): string | undefined =>
  [readField(body, 'message'), readField(body, 'error')].find((said) => typeof said === 'string')

/** Returns the error of an answer that refuses a call. */
export const readRefusal = (response: Response, body: unknown): KassaError => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const { status } = response
  return apiError(codeByStatus[status] ?? (status >= 500 ? 'api.failed' : 'api.bad-request'), {
    status,
    message: readMessage(body) ?? `the service answered with status ${status}`,
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

// Bundlers replace `process.env.NODE_ENV`, and then drop what only development needs.
declare const process: { env: { NODE_ENV?: string } }

const warned = new Set<string>()

/** Tells the developer once which fields of a body the service did not know. */
const warnOfIgnoredFields = (method: string, path: string, response: Response): void => {
  try {
    if (process.env.NODE_ENV !== 'development') return
    const fields = response.headers.get(ignoredFieldsHeader)
    // Ids in a path differ from call to call.
    const warning = `[kassa] ${method} ${path.replace(/(?<=\/orders\/)[^/?]+/, '…')}: the service ignored ${fields}`
    if (!fields || warned.has(warning)) return
    warned.add(warning)
    console.warn(`${warning}. Check the spelling, and where the field belongs.`)
  } catch {
    // A runtime without `process`, and code that no bundler has seen.
  }
}

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
      ...(request.form && { body: request.form }),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    }
    const response = await client.fetch(url, init)
    readClock(client, response, { fromMs, toMs: Date.now() })
    warnOfIgnoredFields(method, path, response)
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

/** Refuses an answer that names no change to a caller that knows nothing. */
export const refuseUnchanged = (url: string): never => {
  throw apiError('api.invalid-answer', { url, issues: 'not modified, but there was no earlier response' })
}

/**
 * Makes one call of the interface and parses the answer.
 *
 * @param onUnchanged - Returns the result if nothing has changed since `etag`.
 * @throws {@link KassaError} `input.id-invalid`, `input.client-secret-missing`, any `api.*` code; an abort by `signal` rejects with the signal's own reason.
 */
export const request = async <Data, Path extends string, Unchanged>(
  client: Client,
  request: Request<Data, Path>,
  onUnchanged: (url: string) => Unchanged,
): Promise<ChangedAnswer<Data> | Unchanged> => {
  const path = `${fillPath(request.operation.path, request.params)}${request.query ?? ''}`
  const orderId: unknown = readField(request.params, 'orderId')
  if (typeof orderId === 'string' && !request.clientSecret && client.apiKey?.startsWith('ck_')) {
    throw inputError('input.client-secret-missing', { orderId })
  }
  const url = `${client.baseUrl}${path}`
  const { response, status, body } = await send(client, url, { ...request, path })
  if (status === 304) return onUnchanged(url)
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
export const requestBody = async <Data, Path extends string>(
  client: Client,
  options: Request<Data, Path>,
): Promise<Data> => (await request(client, options, refuseUnchanged)).data
