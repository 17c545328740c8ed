import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Actor } from '../call.js'
import { ServiceError } from '../errors.js'
import { callerAddress } from './callerAddress.js'
import type { ServiceEnv } from './context.js'
import type { Allowance, Limit, RateLimits } from './rateLimits.js'

const tellAllowance = (c: Context, { limit, remaining, resetSeconds }: Allowance) => {
  c.header('RateLimit-Limit', String(limit))
  c.header('RateLimit-Remaining', String(remaining))
  c.header('RateLimit-Reset', String(resetSeconds))
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

const countsOf = (actor: Actor, isReading: boolean, address: () => string): [Limit, string][] => {
  if (actor.kind === 'client-secret') {
    return [[isReading ? 'secretReadsPerMinute' : 'secretWritesPerMinute', actor.orderId]]
  }
  const ofProject: [Limit, string] = [isReading ? 'readsPerMinute' : 'writesPerMinute', actor.projectId]
  if (actor.kind === 'server-key') return [ofProject]
  const ofAddress = isReading ? 'addressReadsPerMinute' : 'addressWritesPerMinute'
  return [[ofAddress, `${actor.projectId}:${address()}`], ofProject]
}

/**
 * Counts a request against its project's allowance: what comes with a client secret against its order's instead,
 * and what comes with a client key first against its address's part, so that one browser cannot use up a whole
 * shop's. The answer tells the allowance of which least is left.
 */
export const rateLimit = (limits: RateLimits, isBehindProxy: boolean) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const counts = countsOf(c.get('actor'), isRead(c.req.method), () => callerAddress(c, isBehindProxy))
    let least: Allowance | undefined
    for (const [limit, key] of counts) {
      const allowance = await limits(limit, key)
      if (!least || allowance.remaining < least.remaining || !allowance.isAllowed) least = allowance
      tellAllowance(c, least)
      if (!allowance.isAllowed) {
        throw new ServiceError('rate-limited', 'Too many requests: wait before the next one', {
          retryAfterSeconds: allowance.resetSeconds,
        })
      }
    }
    await next()
  })
