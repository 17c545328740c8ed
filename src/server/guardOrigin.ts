import { serverError } from '../errors/serverError.js'

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
  'access-control-allow-headers':
    'Authorization, X-API-KEY, Content-Type, x-idempotency-key, If-None-Match, Last-Event-ID',
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
    { error: true, message: 'This origin is not allowed' },
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

const first = (header: string | null): string | undefined => header?.split(',')[0]?.trim() || undefined

const parse = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** A visit to the shop: a request, or only its headers, such as `await headers()` of Next.js returns. */
export type ShopVisit = { headers: { get(name: string): string | null }; url?: string | undefined }

/**
 * Whether the shop is visited over https. The sources in order: the proxy's header (which Next.js always
 * sets), the request's own address, and with headers only the page's address.
 */
export const isSecure = ({ headers, url }: ShopVisit): boolean => {
  const address = url ?? headers.get('origin') ?? ''
  return (first(headers.get('x-forwarded-proto')) ?? parse(address)?.protocol.replace(':', '')) === 'https'
}

/**
 * Reads origins in the form browsers send.
 *
 * @throws {@link KassaError} `config.origin-invalid` for an invalid one, including `*` and `null`.
 */
export const readOrigins = (origins: readonly string[]): readonly string[] =>
  origins.map((text) => {
    const url = parse(text)
    const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
    if (!isPlain || url.username) throw serverError('config.origin-invalid', { origin: text })
    return url.origin
  })

/** A request's origin: a page of the shop itself, an allowed one, a foreign one, or unknown. */
type CallerOrigin = 'own' | 'allowed' | 'foreign' | 'unknown'

/**
 * Finds the origin of a request's page. A page cannot forge these headers: `Sec-Fetch-Site` and `Origin` are
 * set by the browser, and the others cross an origin only after a preflight, which does not allow them.
 */
const findOrigin = (request: Request, origins: readonly string[]): CallerOrigin => {
  const { headers } = request
  const origin = headers.get('origin')
  if (origin && origins.includes(origin)) return 'allowed'
  const site = headers.get('sec-fetch-site')
  // 'none' means that the visitor navigated directly, for example by typing the address.
  if (site) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign'
  if (!origin) return 'unknown'
  const url = parse(origin)
  const hosts = [first(headers.get('x-forwarded-host')), headers.get('host'), parse(request.url)?.host]
  if (!url || !hosts.includes(url.host)) return 'foreign'
  // An attacker on the network may have written a page that came without encryption.
  return url.protocol === 'https:' || !isSecure(request) ? 'own' : 'foreign'
}
