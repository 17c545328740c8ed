import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import type { ServiceEnv } from './context.js'

/**
 * The network address a request came from. Behind a proxy that is the last one the proxy noted; anything further
 * left in the header was written by the caller.
 */
export const callerAddress = (c: Context<ServiceEnv>, isBehindProxy: boolean): string => {
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
  if (isBehindProxy && forwarded) return forwarded
  return c.env?.incoming ? (getConnInfo(c).remote.address ?? 'unknown') : 'unknown'
}

/**
 * The network that a request is counted against: an IPv4 address, or the /64 of an IPv6 address, because one customer
 * of a provider usually has a whole /64.
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
