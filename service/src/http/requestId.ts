import { createMiddleware } from 'hono/factory'
import type { ServiceEnv } from './context.js'

/** Gives every request an id, which the answer carries and the log repeats. */
export const requestId = (randomBytes: (length: number) => Uint8Array) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const id = `req_${Buffer.from(randomBytes(12)).toString('hex')}`
    c.set('requestId', id)
    await next()
    c.res.headers.set('x-request-id', id)
  })
