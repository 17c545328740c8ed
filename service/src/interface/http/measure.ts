import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { ServiceEnv } from './context.js'

/** An answered request. */
export type MeasuredRequest = {
  method: string
  /** The pattern of its path, such as `/api/2022-06-09/orders/:orderId`; `none` if no route serves it. */
  route: string
  status: number
  seconds: number
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Records each request under a limited set of labels, because callers choose paths and methods freely. */
export const measure = (record: (request: MeasuredRequest) => void, nowMs: () => number) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const startedMs = nowMs()
    await next()
    // Middleware for all methods serves none of them.
    const served = matchedRoutes(c).findLast(({ method }) => method !== 'ALL')
    record({
      method: methods.has(c.req.raw.method) ? c.req.raw.method : 'other',
      route: served?.path ?? 'none',
      status: c.res.status,
      seconds: Math.max(0, nowMs() - startedMs) / 1000,
    })
  })
