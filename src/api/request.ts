import * as z from 'zod/mini'
import { type ApiContext, apiError, type KassaError } from '../errors/index.js'
import { ErrorAnswer } from '../schema/index.js'
import type { Client } from './client.js'
import { readClock } from './clock.js'

/** What every call may carry. */
export type CallParameters = {
  /** Opens exactly one order; takes the place of an API key. */
  clientSecret?: string | undefined
  signal?: AbortSignal | undefined
}

type Request<Answer> = CallParameters & {
  method: 'GET' | 'POST' | 'PATCH'
  /** Below `baseUrl`, beginning with a slash. */
  path: string
  body?: unknown
  idempotencyKey?: string | undefined
  etag?: string | undefined
  answer: z.ZodMiniType<Answer>
}

/** An answer that was read, or the word that nothing changed since `etag`. */
export type Answered<Answer> = { isUnchanged: false; data: Answer; etag?: string } | { isUnchanged: true }

const codeByStatus: Readonly<Record<number, 'api.bad-request' | 'api.unauthorized' | 'api.forbidden'>> = {
  400: 'api.bad-request',
  401: 'api.unauthorized',
  403: 'api.forbidden',
}

const refusal = (context: ApiContext): KassaError => {
  const known = codeByStatus[context.status]
  if (known) return apiError(known, context)
  if (context.status === 404) return apiError('api.not-found', context)
  if (context.status === 409) return apiError('api.conflict', context)
  if (context.status === 429) return apiError('api.rate-limited', context)
  if (context.status === 503 || context.status === 504) return apiError('api.unavailable', context)
  return context.status >= 500 ? apiError('api.failed', context) : apiError('api.bad-request', context)
}

/** The body as JSON; undefined when it is none. A body that breaks off is not this: it rejects. */
const readJson = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readRefusal = (response: Response, body: unknown): KassaError => {
  const parsed = z.safeParse(ErrorAnswer, body)
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const text = parsed.success ? (parsed.data.message ?? parsed.data.error) : undefined
  return refusal({
    status: response.status,
    message: typeof text === 'string' ? text : `the service answered with status ${response.status}`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  })
}

const writeHeaders = (client: Client, request: Request<unknown>): Record<string, string> => ({
  accept: 'application/json',
  ...(client.apiKey && { 'x-api-key': client.apiKey }),
  ...(request.clientSecret && { authorization: request.clientSecret }),
  ...(request.body !== undefined && { 'content-type': 'application/json' }),
  ...(request.idempotencyKey && { 'x-idempotency-key': request.idempotencyKey }),
  ...(request.etag && { 'if-none-match': request.etag }),
})

type Answer = { response: Response; body: unknown }

/** Sends a request and reads the whole answer within the client's time, unless the caller gives up before. */
const send = async (client: Client, url: string, request: Request<unknown>): Promise<Answer> => {
  const { signal } = request
  signal?.throwIfAborted()
  // Two signals in one by hand: `AbortSignal.any` is younger than the browsers shops are visited with.
  const controller = new AbortController()
  const giveUp = (): void => controller.abort(signal?.reason)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, client.timeoutMs)
  signal?.addEventListener('abort', giveUp)
  const fromMs = Date.now()
  try {
    const response = await client.fetch(url, {
      method: request.method,
      headers: writeHeaders(client, request),
      // Answers are compared by ETag here; a browser cache in between would hide a refusal to revalidate.
      cache: 'no-store',
      signal: controller.signal,
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    })
    readClock(client, response, { fromMs, toMs: Date.now() })
    return { response, body: response.status === 304 ? undefined : await readJson(response) }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (isLate) throw apiError('api.timeout', { url, timeoutMs: client.timeoutMs }, { cause })
    throw apiError('api.unreachable', { url }, { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/**
 * Makes one call of the interface and parses what comes back.
 *
 * @throws {@link KassaError} any `api.*` code; an abort by `signal` rejects with the signal's own reason.
 */
export const request = async <Data>(client: Client, request: Request<Data>): Promise<Answered<Data>> => {
  const url = `${client.baseUrl}${request.path}`
  const { response, body } = await send(client, url, request)
  if (response.status === 304) return { isUnchanged: true }
  if (!response.ok) throw readRefusal(response, body)
  const parsed = z.safeParse(request.answer, body)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ')
    throw apiError('api.invalid-answer', { url, issues })
  }
  const etag = response.headers.get('etag')
  return { isUnchanged: false, data: parsed.data, ...(etag && { etag }) }
}

/** Makes one call whose answer is always a body. */
export const requestBody = async <Answer>(client: Client, options: Request<Answer>): Promise<Answer> => {
  const answered = await request(client, options)
  if (answered.isUnchanged) {
    throw apiError('api.invalid-answer', {
      url: `${client.baseUrl}${options.path}`,
      issues: 'not modified, though nothing was known before',
    })
  }
  return answered.data
}
