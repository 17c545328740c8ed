import { isIP } from 'node:net'
import { refuse, refusePrivate } from './refuse.js'

/**
 * Checks a URL to fetch: http or https, without a password, and without a non-public address. `URL` has
 * already normalized octal, decimal and shortened IPv4 addresses. Names are checked on connecting.
 *
 * @throws {ServiceError} `input-invalid`.
 */
export const checkUrl = (text: string, isPublic: (address: string) => boolean, base?: URL): URL => {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('expected an http or https URL')
  if (url.username || url.password) throw refuse('must not hold a user name or a password')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !isPublic(host)) throw refusePrivate()
  url.hash = ''
  return url
}
