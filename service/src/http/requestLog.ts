import { createMiddleware } from 'hono/factory'
import type { Log } from '../deps.js'
import type { ServiceEnv } from './context.js'

/** Writes one line a request: what was asked, what was answered, how long it took. No headers, no bodies. */
export const requestLog = (log: Log, nowMs: () => number) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const startedMs = nowMs()
    await next()
    const fields = {
      requestId: c.get('requestId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(nowMs() - startedMs),
    }
    if (c.res.status >= 500) log.error(fields, 'request failed')
    else log.info(fields, 'request')
  })
