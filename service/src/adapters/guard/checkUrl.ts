import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ServiceError } from '#base/errors.js'

/**
 * Checks a URL to fetch: http or https, without a password, and without a non-public address. `URL` has
 * already normalized octal, decimal and shortened IPv4 addresses. Names are checked on connecting.
 *
 * @throws {ServiceError} `input-invalid`.
 */
export const checkUrl = (text: string, isPublic: (address: string) => boolean, base?: URL): URL => {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('expected an http or https URL')
  if (url.username || url.password) throw refuse('must not contain a user name or a password')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !isPublic(host)) throw refusePrivate()
  url.hash = ''
  return url
}

/** In a public range, but Azure's internal service for the requesting machine. */
const hostService = '168.63.129.16'

/**
 * Whether an IP address belongs to a host on the public internet. Private, local, reserved and translated
 * addresses do not.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || parsed.toString() === hostService) return false
  // All assigned addresses are in 2000::/3. Some old forms outside it contain an IPv4 address.
  return parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3)
}

/** Returns the error of a URL that a caller chose. The code that knows the field adds its name. */
export const refuse = (problem: string): ServiceError => new ServiceError('input-invalid', problem)

/** Returns the error of every URL that leads to a non-public host, directly, by its name or by a redirect. */
export const refusePrivate = (): ServiceError => refuse('leads to an address that is not public')
