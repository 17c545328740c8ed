import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Actor } from '../call.js'
import type { Config } from '../config/config.js'
import { ServiceError } from '../errors.js'
import { callerNetwork } from './callerAddress.js'
import type { ServiceEnv } from './context.js'

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

/** The allowed and remaining requests, and when the allowance is reset. */
type Allowance = { isAllowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** The limits on requests: a setting of the deployment, or one address's part of it. */
export type Limit = keyof Config['limits'] | 'addressWritesPerMinute' | 'addressReadsPerMinute'

/** The counts of requests, by limit and by the key they count against. */
export type RateLimits = {
  /** Counts one request of `key` against one of the limits. */
  count(limit: Limit, key: string): Promise<Allowance>
  /** Takes back one counted request. */
  giveBack(limit: Limit, key: string): Promise<void>
}

const windowSeconds = 60

/** Limits from which requests are taken back: one that is used up may have room again. */
const givenBack: readonly Limit[] = ['clientWritesPerMinute', 'clientReadsPerMinute']

/**
 * Returns one network's part of the allowance of a project's client keys, so that the others keep the rest.
 */
const quarterOf = (allowance: number): number => Math.max(1, Math.floor(allowance / 4))

/** Counts requests per minute: in memory, or in PostgreSQL if other processes serve the same callers. */
export const createRateLimits = (limits: Config['limits'], pool: Pool | undefined): RateLimits => {
  const points: Record<Limit, number> = {
    ...limits,
    addressWritesPerMinute: quarterOf(limits.clientWritesPerMinute),
    addressReadsPerMinute: quarterOf(limits.clientReadsPerMinute),
  }
  const create = (limit: Limit) => {
    const options = {
      keyPrefix: limit,
      points: points[limit],
      duration: windowSeconds,
      // A caller whose allowance is used up is refused without asking the database again.
      ...(!givenBack.includes(limit) && { inMemoryBlockOnConsumed: points[limit] }),
    }
    return pool
      ? new RateLimiterPostgres({
          ...options,
          storeClient: pool,
          tableName: 'rate_limits',
          tableCreated: true,
        })
      : new RateLimiterMemory(options)
  }
  const limiters = {
    writesPerMinute: create('writesPerMinute'),
    readsPerMinute: create('readsPerMinute'),
    clientWritesPerMinute: create('clientWritesPerMinute'),
    clientReadsPerMinute: create('clientReadsPerMinute'),
    secretWritesPerMinute: create('secretWritesPerMinute'),
    secretReadsPerMinute: create('secretReadsPerMinute'),
    addressSecretWritesPerMinute: create('addressSecretWritesPerMinute'),
    addressSecretReadsPerMinute: create('addressSecretReadsPerMinute'),
    filesPerMinute: create('filesPerMinute'),
    addressWritesPerMinute: create('addressWritesPerMinute'),
    addressReadsPerMinute: create('addressReadsPerMinute'),
  }
  const describe = (limit: Limit, isAllowed: boolean, used: RateLimiterRes): Allowance => ({
    isAllowed,
    limit: points[limit],
    remaining: Math.max(0, used.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(used.msBeforeNext / 1000)),
  })
  return {
    count: async (limit, key) => {
      try {
        return describe(limit, true, await limiters[limit].consume(key))
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return describe(limit, false, refusal)
        throw refusal
      }
    },
    giveBack: async (limit, key) => {
      await limiters[limit].reward(key)
    },
  }
}
