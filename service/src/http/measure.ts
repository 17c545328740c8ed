import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { ServiceEnv } from './context.js'

/** A request that was answered. */
export type MeasuredRequest = {
  method: string
  /** The pattern of its path, such as `/api/2022-06-09/orders/:orderId`; `none` where nothing is served. */
  route: string
  status: number
  seconds: number
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Tells of each request what it was, in words of which there are few: callers choose paths and methods freely. */
export const measure = (record: (request: MeasuredRequest) => void, nowMs: () => number) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const startedMs = nowMs()
    await next()
    // What stands before every method serves none itself.
    const served = matchedRoutes(c).findLast(({ method }) => method !== 'ALL')
    record({
      method: methods.has(c.req.raw.method) ? c.req.raw.method : 'other',
      route: served?.path ?? 'none',
      status: c.res.status,
      seconds: Math.max(0, nowMs() - startedMs) / 1000,
    })
  })
