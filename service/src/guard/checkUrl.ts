import { isIP } from 'node:net'
import { refuse, refusePrivate } from './refuse.js'

/**
 * Reads a URL that may be asked: http or https, without a password, and no address that is not public. `URL` has
 * already turned octal, decimal and shortened IPv4 addresses into the usual form. Names are checked on connecting.
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
