import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.js'

/** What was allowed, what is left, and when there is more. */
export type Allowance = { isAllowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** Counts one request of `key` against one of the deployment's limits. */
export type RateLimits = (limit: keyof Config['limits'], key: string) => Promise<Allowance>

const windowSeconds = 60

/** Counts requests a minute: in memory, or in PostgreSQL where other processes serve the same callers. */
export const createRateLimits = (limits: Config['limits'], pool: Pool | undefined): RateLimits => {
  const create = (limit: keyof Config['limits']) => {
    const options = { keyPrefix: limit, points: limits[limit], duration: windowSeconds }
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
    secretReadsPerMinute: create('secretReadsPerMinute'),
  }
  const describe = (limit: keyof Config['limits'], isAllowed: boolean, used: RateLimiterRes): Allowance => ({
    isAllowed,
    limit: limits[limit],
    remaining: Math.max(0, used.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(used.msBeforeNext / 1000)),
  })
  return async (limit, key) => {
    try {
      return describe(limit, true, await limiters[limit].consume(key))
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return describe(limit, false, refusal)
      throw refusal
    }
  }
}
