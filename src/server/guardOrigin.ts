import { type CallerOrigin, findOrigin } from './callerOrigin.js'

/** Returns the headers of every answer when pages of other origins may call. */
const crossOriginHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers':
    'Date, ETag, Retry-After, x-request-id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
})

/** Further headers of the answer to a preflight. */
const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PATCH',
  'access-control-allow-headers': 'Authorization, X-API-KEY, Content-Type, x-idempotency-key, If-None-Match',
  'access-control-max-age': '86400',
}

type Handler = (request: Request) => Promise<Response>

const mayPass = (caller: CallerOrigin, method: string, isByCookie: boolean): boolean => {
  if (caller === 'own' || caller === 'allowed') return true
  // Browsers send cookies automatically, so a request with a cookie must come from a page of this shop.
  return caller === 'unknown' && (!isByCookie || method === 'GET')
}

const refuse = (): Response =>
  Response.json(
    { error: true, message: 'Pages of this origin may not do this' },
    { status: 403, headers: { 'cache-control': 'no-store' } },
  )

/**
 * Lets requests from the shop's own pages and its allowed origins through to a handler, and answers
 * preflights.
 */
export const guardOrigin =
  ({ origins, isByCookie }: { origins: readonly string[]; isByCookie: boolean }, handle: Handler): Handler =>
  async (request) => {
    const caller = findOrigin(request, origins)
    const isPreflight = request.method === 'OPTIONS'
    const isLetIn = isPreflight ? caller === 'allowed' : mayPass(caller, request.method, isByCookie)
    const response = !isLetIn
      ? refuse()
      : isPreflight
        ? new Response(null, { status: 204, headers: preflightHeaders })
        : await handle(request)
    response.headers.append('vary', isByCookie ? 'Cookie' : 'Authorization')
    if (origins.length) response.headers.append('vary', 'Origin')
    if (caller === 'allowed')
      for (const [name, value] of Object.entries(crossOriginHeaders(request.headers.get('origin') ?? '')))
        response.headers.set(name, value)
    return response
  }
