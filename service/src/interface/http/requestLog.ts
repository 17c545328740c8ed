import { createMiddleware } from 'hono/factory'
import type { Log } from '#base/deps.js'
import type { ServiceEnv } from './context.js'

/** Hides the users in a path of wallets, which may contain their e-mail addresses and phone numbers. */
const hideUsers = (path: string): string =>
  path.replace(/\/(email|userId|phoneNumber|twitter|x)(?::|%3a)[^/]*/gi, '/$1:…')

/**
 * Logs one line per request: what was asked, what was answered, how long it took. It leaves out headers and
 * bodies, and shows only the kind of a user's locator.
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

/** @units bytes */
const idLength = 12
/** Random bytes are asked for together, because each call of the system costs more than an id. */
const idsTogether = 256

/** Creates the ids of requests. */
export const createRequestIds = (randomBytes: (length: number) => Uint8Array): (() => string) => {
  let bytes = Buffer.alloc(0)
  return () => {
    if (bytes.length < idLength) bytes = Buffer.from(randomBytes(idLength * idsTogether))
    const id = `req_${bytes.toString('hex', 0, idLength)}`
    bytes = bytes.subarray(idLength)
    return id
  }
}

/** Gives every request an id, which the answer and the log contain. */
export const requestId = (randomBytes: (length: number) => Uint8Array) => {
  const createId = createRequestIds(randomBytes)
  return createMiddleware<ServiceEnv>(async (c, next) => {
    const id = createId()
    c.set('requestId', id)
    await next()
    c.res.headers.set('x-request-id', id)
  })
}
