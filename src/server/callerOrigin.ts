import { serverError } from '../errors/serverError.js'

const first = (header: string | null): string | undefined => header?.split(',')[0]?.trim() || undefined

const parse = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** How a shop is visited: a request, or its headers alone, such as `await headers()` of Next.js gives. */
export type ShopVisit = { headers: { get(name: string): string | null }; url?: string | undefined }

/**
 * Whether the shop is visited over https, as the proxy before this server says (or Next.js, which always does), or
 * else the request's own address, or the page's where there are only headers.
 */
export const isSecure = ({ headers, url }: ShopVisit): boolean => {
  const address = url ?? headers.get('origin') ?? ''
  return (first(headers.get('x-forwarded-proto')) ?? parse(address)?.protocol.replace(':', '')) === 'https'
}

/**
 * Reads origins as browsers write them.
 *
 * @throws {@link KassaError} `config.origin-invalid` for what is none, `*` and `null` among them.
 */
export const readOrigins = (origins: readonly string[]): readonly string[] =>
  origins.map((text) => {
    const url = parse(text)
    const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
    if (!isPlain || url.username) throw serverError('config.origin-invalid', { origin: text })
    return url.origin
  })

/** Where a request comes from: a page of the shop itself, one it lets call, a foreign one, or no page that says so. */
export type CallerOrigin = 'own' | 'allowed' | 'foreign' | 'unknown'

/**
 * Finds out whose page a request comes from. None of these headers can be set by a page: `Sec-Fetch-Site` and
 * `Origin` are the browser's own, and the others cross an origin only after a preflight, which does not allow them.
 */
export const findOrigin = (request: Request, origins: readonly string[]): CallerOrigin => {
  const { headers } = request
  const origin = headers.get('origin')
  if (origin && origins.includes(origin)) return 'allowed'
  const site = headers.get('sec-fetch-site')
  // 'none' is the visitor's own doing, such as an address that was typed.
  if (site) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign'
  if (!origin) return 'unknown'
  const url = parse(origin)
  const hosts = [first(headers.get('x-forwarded-host')), headers.get('host'), parse(request.url)?.host]
  if (!url || !hosts.includes(url.host)) return 'foreign'
  // A page without encryption may have been written by anybody on the way.
  return url.protocol === 'https:' || !isSecure(request) ? 'own' : 'foreign'
}
