import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Config } from '#base/config/config.js'
import { ServiceError } from '#base/errors.js'

type Place = Pick<Config, 'publicUrl'>

const isSecure = ({ publicUrl }: Place): boolean => publicUrl.startsWith('https:')

/**
 * Returns the name of the cookie of the console's sessions. With the prefix `__Host-`, a browser takes it only from
 * this host itself, over https: no other host of the domain can plant one.
 */
const cookieName = (place: Place): string => `${isSecure(place) ? '__Host-' : ''}kassa_console`

/** Reads the secret of the session that a browser sends. */
export const readSession = (c: Context, place: Place): string | undefined =>
  getCookie(c, cookieName(place)) || undefined

/** Stores the secret of a session in the browser, where no script can read it. */
export const writeSession = (c: Context, place: Place, token: string, maxAgeMs: number): void =>
  setCookie(c, cookieName(place), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(place),
    maxAge: maxAgeMs / 1000,
  })

/** Removes the session from the browser. */
export const clearSession = (c: Context, place: Place): void => {
  deleteCookie(c, cookieName(place), { path: '/', secure: isSecure(place) })
}

/**
 * Requires that a request with a cookie comes from a page of this service.
 *
 * Browsers send `Sec-Fetch-Site` and, with every method but GET and HEAD, `Origin`, and let no page change them. A
 * request with neither is refused, so a form or script of another site changes nothing, and no token in the page is
 * needed. `SameSite=Lax` keeps the cookie out of most such requests, but not out of those from another host of the
 * same domain, which this refuses as well.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const assertSameOrigin = (c: Context, { publicUrl }: Place): void => {
  const site = c.req.header('sec-fetch-site')
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  // A person who types an address, or opens a bookmark, comes from `none`.
  if (site !== undefined) {
    if (site === 'same-origin' || (isRead && site === 'none')) return
  } else if (isRead || c.req.header('origin') === new URL(publicUrl).origin) return
  throw new ServiceError('forbidden', 'Only the console’s own pages may use its session')
}
