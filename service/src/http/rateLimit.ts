import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Actor } from '../call.js'
import { ServiceError } from '../errors.js'
import { callerNetwork } from './callerAddress.js'
import type { ServiceEnv } from './context.js'
import type { Allowance, Limit, RateLimits } from './rateLimits.js'

const tellAllowance = (c: Context, { limit, remaining, resetSeconds }: Allowance) => {
  c.header('RateLimit-Limit', String(limit))
  c.header('RateLimit-Remaining', String(remaining))
  c.header('RateLimit-Reset', String(resetSeconds))
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

type Count = {
  limit: Limit
  key: string
  /** Whether a refused request is given back, because others share the allowance. */
  isShared?: boolean
}

const countsOf = (actor: Actor, isReading: boolean, network: () => string): Count[] => {
  if (actor.kind === 'server-key') {
    return [{ limit: isReading ? 'readsPerMinute' : 'writesPerMinute', key: actor.projectId }]
  }
  if (actor.kind === 'client-secret') {
    return [
      {
        limit: isReading ? 'addressSecretReadsPerMinute' : 'addressSecretWritesPerMinute',
        key: network(),
      },
      { limit: isReading ? 'secretReadsPerMinute' : 'secretWritesPerMinute', key: actor.orderId },
    ]
  }
  return [
    {
      limit: isReading ? 'addressReadsPerMinute' : 'addressWritesPerMinute',
      key: `${actor.projectId}:${network()}`,
    },
    {
      limit: isReading ? 'clientReadsPerMinute' : 'clientWritesPerMinute',
      key: actor.projectId,
      isShared: true,
    },
  ]
}

/**
 * Counts a request against the caller's allowance. A server key has its project's. Client keys are public, so
 * they share a second allowance of the project, of which one network has a part, and a refused request counts
 * against the network alone. A client secret counts against its order and its network. The answer shows the
 * allowance with the least left.
 */
export const rateLimit = (limits: RateLimits, isBehindProxy: boolean) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const counts = countsOf(c.get('actor'), isRead(c.req.method), () => callerNetwork(c, isBehindProxy))
    let least: Allowance | undefined
    for (const { limit, key } of counts) {
      const allowance = await limits.count(limit, key)
      if (!least || allowance.remaining < least.remaining || !allowance.isAllowed) least = allowance
      tellAllowance(c, least)
      if (!allowance.isAllowed) {
        throw new ServiceError('rate-limited', 'Too many requests: wait before the next one', {
          retryAfterSeconds: allowance.resetSeconds,
        })
      }
    }
    await next()
    if (c.res.status < 400 || c.res.status >= 500) return
    for (const { limit, key, isShared } of counts) if (isShared) await limits.giveBack(limit, key)
  })
