import * as z from 'zod/mini'
import { type ApiContext, KassaError } from '../errors.js'
import { ErrorAnswer } from '../schema/index.js'
import type { Client } from './client.js'

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
  if (known) return new KassaError(known, context)
  if (context.status === 404) return new KassaError('api.not-found', context)
  if (context.status === 409) return new KassaError('api.conflict', context)
  if (context.status === 429) return new KassaError('api.rate-limited', context)
  if (context.status === 503 || context.status === 504) return new KassaError('api.unavailable', context)
  return context.status >= 500
    ? new KassaError('api.failed', context)
    : new KassaError('api.bad-request', context)
}

const readJson = async (response: Response): Promise<unknown> => {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

const readRefusal = async (response: Response): Promise<KassaError> => {
  const parsed = z.safeParse(ErrorAnswer, await readJson(response))
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

/**
 * Makes one call of the interface and parses what comes back.
 *
 * @throws {@link KassaError} any `api.*` code; an abort by `signal` rejects with the signal's own reason.
 */
export const request = async <Answer>(
  client: Client,
  request: Request<Answer>,
): Promise<Answered<Answer>> => {
  const url = `${client.baseUrl}${request.path}`
  const timeout = AbortSignal.timeout(client.timeoutMs)
  let response: Response
  try {
    response = await client.fetch(url, {
      method: request.method,
      headers: writeHeaders(client, request),
      // Answers are compared by ETag here; a browser cache in between would hide a refusal to revalidate.
      cache: 'no-store',
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    })
  } catch (cause) {
    if (request.signal?.aborted) throw request.signal.reason
    if (timeout.aborted) throw new KassaError('api.timeout', { url, timeoutMs: client.timeoutMs }, { cause })
    throw new KassaError('api.unreachable', { url }, { cause })
  }
  if (response.status === 304) return { isUnchanged: true }
  if (!response.ok) throw await readRefusal(response)
  const parsed = z.safeParse(request.answer, await readJson(response))
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ')
    throw new KassaError('api.invalid-answer', { url, issues })
  }
  const etag = response.headers.get('etag')
  return { isUnchanged: false, data: parsed.data, ...(etag && { etag }) }
}

/** Makes one call whose answer is always a body. */
export const requestBody = async <Answer>(client: Client, options: Request<Answer>): Promise<Answer> => {
  const answered = await request(client, options)
  if (answered.isUnchanged) {
    throw new KassaError('api.invalid-answer', {
      url: `${client.baseUrl}${options.path}`,
      issues: 'not modified, though nothing was known before',
    })
  }
  return answered.data
}
