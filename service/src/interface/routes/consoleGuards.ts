import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createSessionFinder, type SessionActor } from '#identity/console/sessions.js'
import { readCaller } from '../http/authenticate.js'
import { callerNetwork } from '../http/callerAddress.js'
import type { ServiceEnv } from '../http/context.js'
import type { Limit, RateLimits } from '../http/rateLimit.js'
import { assertSameOrigin, readSession } from '../http/sessionCookie.js'

/** What guards the requests of the console's pages. */
export type ConsoleGuards = {
  /** Counts an attempt. @throws `rate-limited` if there were too many. */
  count(limit: Limit, key: string): Promise<void>
  /** Attempts to sign in. They need the same origin too, or another site could sign a person in to its own account. */
  attempt: MiddlewareHandler<ServiceEnv>
  /** Requests of a person who has signed in. */
  signedIn: MiddlewareHandler<ServiceEnv>
}

/** Returns the session of a request that {@link ConsoleGuards.signedIn} has let through. */
export const sessionOf = (actor: ServiceEnv['Variables']['actor']): SessionActor => {
  if (actor.kind !== 'session') throw new Error('a request of the console has no session')
  return actor
}

/** Creates the guards of the console. */
export const createConsoleGuards = (deps: Deps, limits: RateLimits): ConsoleGuards => {
  const { config } = deps
  const findSession = createSessionFinder(deps)
  const count = async (limit: Limit, key: string): Promise<void> => {
    const { isAllowed, resetSeconds } = await limits.count(limit, key)
    if (isAllowed) return
    throw new ServiceError('rate-limited', 'Too many attempts to sign in: wait a minute', {
      retryAfterSeconds: resetSeconds,
    })
  }
  return {
    count,
    attempt: createMiddleware<ServiceEnv>(async (c, next) => {
      assertSameOrigin(c, config)
      await count('addressSignInsPerMinute', callerNetwork(c, config.isBehindProxy))
      await next()
    }),
    signedIn: createMiddleware<ServiceEnv>(async (c, next) => {
      const token = readSession(c, config)
      if (!token) throw new ServiceError('key-invalid', 'Sign in first')
      assertSameOrigin(c, config)
      const actor = await findSession(token)
      c.set('actor', actor)
      c.set('credential', token)
      c.set('call', { actor, client: readCaller(c, config.isBehindProxy), complete: async () => {} })
      await next()
    }),
  }
}
