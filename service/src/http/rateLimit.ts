import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ServiceError } from '../errors.js'
import { callerAddress } from './callerAddress.js'
import type { ServiceEnv } from './context.js'
import type { Allowance, RateLimits } from './rateLimits.js'

const tellAllowance = (c: Context, { limit, remaining, resetSeconds }: Allowance) => {
  c.header('RateLimit-Limit', String(limit))
  c.header('RateLimit-Remaining', String(remaining))
  c.header('RateLimit-Reset', String(resetSeconds))
}

/**
 * Counts a request against its project's allowance: reads by a client secret against their order's instead, and
 * what comes with a client key against its address too, so that one browser cannot use up a whole shop's.
 */
export const rateLimit = (limits: RateLimits, isBehindProxy: boolean) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const actor = c.get('actor')
    const isRead = c.req.method === 'GET'
    const kind = isRead ? 'readsPerMinute' : 'writesPerMinute'
    const counts: (() => Promise<Allowance>)[] = []
    if (actor.kind === 'client-key') {
      counts.push(() => limits(kind, `${actor.keyId}:${callerAddress(c, isBehindProxy)}`))
    }
    if (actor.kind === 'client-secret' && isRead) {
      counts.push(() => limits('secretReadsPerMinute', actor.orderId))
    } else {
      counts.push(() => limits(kind, actor.projectId))
    }
    for (const count of counts) {
      const allowance = await count()
      tellAllowance(c, allowance)
      if (!allowance.isAllowed) {
        throw new ServiceError('rate-limited', 'Too many requests: wait before the next one', {
          retryAfterSeconds: allowance.resetSeconds,
        })
      }
    }
    await next()
  })
