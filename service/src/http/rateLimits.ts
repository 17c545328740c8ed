import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config/config.js'

/** The allowed and remaining requests, and when the allowance is reset. */
export type Allowance = { isAllowed: boolean; limit: number; remaining: number; resetSeconds: number }

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
