import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
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
