import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import type { ServiceEnv } from './context.js'

/** Some proxies record the port too: `198.51.100.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (address: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address

/**
 * Returns the network address that a request came from. Behind a proxy it is the last one that the proxy
 * recorded. The caller wrote anything further left in the header.
 */
export const callerAddress = (c: Context<ServiceEnv>, isBehindProxy: boolean): string => {
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
  if (isBehindProxy && forwarded) return withoutPort(forwarded)
  return c.env?.incoming ? (getConnInfo(c).remote.address ?? 'unknown') : 'unknown'
}

/**
 * Returns the network that a request counts against: an IPv4 address, or the /64 of an IPv6 address, because
 * one customer of a provider usually has a whole /64.
 */
export const callerNetwork = (c: Context<ServiceEnv>, isBehindProxy: boolean): string => {
  const address = callerAddress(c, isBehindProxy)
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
