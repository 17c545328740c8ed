import { createHash } from 'node:crypto'
import type { Hono, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Deps } from '../deps.js'
import { authenticate } from '../http/authenticate.js'
import type { ServiceEnv } from '../http/context.js'
import { deadline } from '../http/deadline.js'
import { idempotency } from '../http/idempotency.js'
import { orderIdOf } from '../http/orderIdOf.js'
import { type RateLimits, rateLimit } from '../http/rateLimit.js'
import { readBody } from '../http/readBody.js'
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

const names = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/** Adds a strong `ETag` to an answer, and answers 304 to a caller that has the same one. */
const revalidate = () =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    await next()
    if (c.res.status !== 200) return
    const body = await c.res.clone().text()
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    c.res.headers.set('etag', etag)
    c.res.headers.set('cache-control', 'private, no-cache')
    c.res.headers.set('vary', 'Authorization, X-API-KEY')
    const held = names(c.req.header('if-none-match') ?? '')
    if (!held.includes(etag) && !held.includes('*')) return
    const headers = new Headers(c.res.headers)
    headers.delete('content-type')
    headers.delete('content-length')
    c.res = undefined
    c.res = new Response(null, { status: 304, headers })
  })
