import { createMiddleware } from 'hono/factory'
import type { Log } from '../deps.js'
import type { ServiceEnv } from './context.js'

/** Paths of wallets may name people, by their e-mail addresses and phone numbers. */
const hideUsers = (path: string): string =>
  path.replace(/\/(email|userId|phoneNumber|twitter|x)(?::|%3a)[^/]*/gi, '/$1:…')

/**
 * Writes one line a request: what was asked, what was answered, how long it took. No headers, no bodies, and of users
 * only how they are known.
 */
export const requestLog = (log: Log, nowMs: () => number) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const startedMs = nowMs()
    await next()
    const fields = {
      requestId: c.get('requestId'),
      method: c.req.method,
      path: hideUsers(c.req.path),
      status: c.res.status,
      ms: Math.round(nowMs() - startedMs),
    }
    if (c.res.status >= 500) log.error(fields, 'request failed')
    else log.info(fields, 'request')
  })
