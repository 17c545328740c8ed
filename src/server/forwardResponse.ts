import { readJson, readMessage, webPage } from '../api/request.js'
import { apiError } from '../errors/apiError.js'
import type { ApiContext } from '../errors/context.js'
import type { ServiceAnswer } from './callService.js'
import { HttpError } from './HttpError.js'

// The service's headers to forward. Others are dropped: a cookie, for example, would be set in the shop's
// name.
const passedOn = [
  'date',
  'etag',
  'retry-after',
  'x-request-id',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
]

const isPrivate = (cacheControl: string | null): boolean => /\b(private|no-store)\b/i.test(cacheControl ?? '')

/** Returns the service's headers for the browser. */
const passHeaders = ({ headers }: ServiceAnswer): Record<string, string> => {
  const cacheControl = headers.get('cache-control')
  return {
    'cache-control': (isPrivate(cacheControl) && cacheControl) || 'private, no-store',
    ...Object.fromEntries(
      passedOn.flatMap((name): [string, string][] => {
        const value = headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    ),
  }
}

/** Returns the service's own message for a refusal. */
const getMessage = ({ status, text }: ServiceAnswer): string =>
  readMessage(readJson(text)) ?? `The checkout service answered with status ${status}`

/** Returns the service's answer as the context of an error. */
export const toContext = (answer: ServiceAnswer): ApiContext => ({
  status: answer.status,
  message: getMessage(answer),
  requestId: answer.headers.get('x-request-id') ?? undefined,
})

/**
 * Creates the refusal for a failure of the service. It is forwarded to the browser and reported to the shop.
 */
const failure = (answer: ServiceAnswer, headers: Record<string, string>): HttpError => {
  const isAway = answer.status !== 500
  const cause = apiError(isAway ? 'api.unavailable' : 'api.failed', toContext(answer))
  return new HttpError(answer.status, getMessage(answer), {
    headers: isAway ? { 'retry-after': '10', ...headers } : headers,
    cause,
  })
}

/**
 * Forwards an answer of the service to the browser.
 *
 * @param body - Replaces the answer's body.
 * @throws {@link HttpError} with the service's status; {@link KassaError} `api.invalid-answer` for an answer
 * that no service gives.
 */
export const forwardResponse = (answer: ServiceAnswer, url: string, body: string = answer.text): Response => {
  const { status } = answer
  const headers = passHeaders(answer)
  if (status === 304) return new Response(null, { status, headers })
  if ((status === 404 || status === 405) && readJson(answer.text) === undefined)
    throw apiError('api.invalid-answer', { url, issues: webPage })
  if (status >= 500) throw failure(answer, headers)
  if (status >= 400) throw new HttpError(status, getMessage(answer), { headers })
  if (status < 200 || status >= 300)
    throw apiError('api.invalid-answer', {
      url,
      issues: `status ${status}, which no call of the interface returns`,
    })
  if (readJson(body) === undefined)
    throw apiError('api.invalid-answer', { url, issues: 'the body is not JSON' })
  return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })
}
