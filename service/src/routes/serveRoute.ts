import type { Hono, MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.js'
import { authenticate } from '../http/authenticate.js'
import type { ServiceEnv } from '../http/context.js'
import { deadline } from '../http/deadline.js'
import { idempotency } from '../http/idempotency.js'
import { orderIdOf } from '../http/orderIdOf.js'
import type { RateLimits } from '../http/rateLimit.js'
import { rateLimit } from '../http/rateLimit.js'
import { readBody } from '../http/readBody.js'
import { revalidate } from '../http/revalidate.js'
import { type Route, servedPath } from './route.js'

/** Serves one route: authentication, rate limit, idempotency, then the verb. */
export const serveRoute = (app: Hono<ServiceEnv>, deps: Deps, limits: RateLimits, route: Route): void => {
  const before: MiddlewareHandler<ServiceEnv>[] = [
    ...(route.deadlineMs ? [deadline(route.deadlineMs)] : []),
    ...(route.isRevalidated ? [revalidate()] : []),
    authenticate(deps, route.auth),
    rateLimit(limits, deps.config.isBehindProxy),
    ...(route.method === 'post' ? [idempotency(deps)] : []),
  ]
  app.on([route.method.toUpperCase()], [servedPath(route)], ...before, async (c) => {
    const params = { ...c.req.param(), ...(route.path.includes('{orderId}') && { orderId: orderIdOf(c) }) }
    const body = route.body ? await readBody(c) : undefined
    const reply = await route.run(deps, c.get('call'), { params, query: c.req.query(), body })
    return c.json(reply.body ?? null, reply.status)
  })
}
