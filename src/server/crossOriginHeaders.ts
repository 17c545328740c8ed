/** Returns the headers of every answer when pages of other origins may call. */
export const crossOriginHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers':
    'Date, ETag, Retry-After, x-request-id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
})

/** Further headers of the answer to a preflight. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PATCH',
  'access-control-allow-headers': 'Authorization, X-API-KEY, Content-Type, x-idempotency-key, If-None-Match',
  'access-control-max-age': '86400',
}
