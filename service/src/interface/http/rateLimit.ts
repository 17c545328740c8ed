import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import type { Actor } from '#base/call.js'
import { networkPart } from '#base/config/advances.js'
import type { Config } from '#base/config/config.js'
import { ServiceError } from '#base/errors.js'
import { callerNetwork } from './callerAddress.js'
import type { ServiceEnv } from './context.js'
import {
  type Allowance,
  createMemoryCounts,
  createPostgresCounts,
  createRateLeases,
  type RateLeases,
} from './rateLeases.js'

const tellAllowance = (c: Context, { limit, remaining, resetSeconds }: Allowance) => {
  c.header('RateLimit-Limit', String(limit))
  c.header('RateLimit-Remaining', String(remaining))
  c.header('RateLimit-Reset', String(resetSeconds))
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** What a request counts against. */
export type Count = {
  limit: Limit
  key: string
  /** Whether a refused request is given back, because others share the allowance. */
  isShared?: boolean
}

const countsOf = (actor: Actor, isReading: boolean, network: () => string): Count[] => {
  if (actor.kind === 'server-key') {
    return [{ limit: isReading ? 'readsPerMinute' : 'writesPerMinute', key: actor.projectId }]
  }
  if (actor.kind === 'session') {
    return [{ limit: isReading ? 'readsPerMinute' : 'writesPerMinute', key: `account:${actor.accountId}` }]
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
 * Counts a request against each of its allowances. The answer shows the one with the least left.
 *
 * @throws {@link ServiceError} `rate-limited`.
 */
export const countRequest = async (
  c: Context<ServiceEnv>,
  limits: RateLimits,
  counts: readonly Count[],
): Promise<void> => {
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
}

/**
 * Counts a request against the caller's allowance. A server key has its project's, and a
 * session its account's, so that neither takes from the other. Client keys are public, so
 * they share a second allowance of the project, of which one network has a part, and a refused request counts
 * against the network alone. A client secret counts against its order and its network. The answer shows the
 * allowance with the least left.
 */
export const rateLimit = (limits: RateLimits, isBehindProxy: boolean) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const counts = countsOf(c.get('actor'), isRead(c.req.method), () => callerNetwork(c, isBehindProxy))
    await countRequest(c, limits, counts)
    await next()
    if (c.res.status < 400 || c.res.status >= 500) return
    for (const { limit, key, isShared } of counts) if (isShared) await limits.giveBack(limit, key)
  })

/** The limits on requests: a setting of the deployment, or one address's part of it. */
export type Limit =
  | keyof Config['limits']
  | 'addressWritesPerMinute'
  | 'addressReadsPerMinute'
  | 'addressSignInsPerMinute'
  | 'accountSignInsPerMinute'
  | 'addressLinkOrdersPerMinute'
  | 'linkOrdersPerMinute'

/** Attempts to sign in to the console: of one network, and of one e-mail address or passkey from one network. */
const signIns = { addressSignInsPerMinute: 20, accountSignInsPerMinute: 5 }

/** Orders of a payment link: from one network, and from all. */
const linkOrders = { addressLinkOrdersPerMinute: 10, linkOrdersPerMinute: 60 }

/** The counts of requests, by limit and by the key they count against. */
export type RateLimits = {
  /** Counts one request of `key` against one of the limits. */
  count(limit: Limit, key: string): Promise<Allowance>
  /** Takes back one counted request. */
  giveBack(limit: Limit, key: string): Promise<void>
}

/** Counts requests per minute: in memory, or in PostgreSQL if other processes serve the same callers. */
export const createRateLimits = (
  limits: Config['limits'],
  pool: Pool | undefined,
  now: () => number = Date.now,
): RateLimits => {
  const points: Record<Limit, number> = {
    ...limits,
    ...signIns,
    ...linkOrders,
    addressWritesPerMinute: networkPart(limits.clientWritesPerMinute),
    addressReadsPerMinute: networkPart(limits.clientReadsPerMinute),
  }
  const store = pool ? createPostgresCounts(pool) : createMemoryCounts()
  const leases = new Map(
    Object.entries(points).map(([name, limit]) => [name, createRateLeases({ name, limit, store }, now)]),
  )
  const leasesOf = (limit: Limit): RateLeases => {
    const found = leases.get(limit)
    if (!found) throw new Error(`there is no limit ${limit}`)
    return found
  }
  return {
    count: (limit, key) => leasesOf(limit).count(key),
    giveBack: (limit, key) => leasesOf(limit).giveBack(key),
  }
}
