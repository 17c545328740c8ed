import { createMiddleware } from 'hono/factory'
import type { ServiceEnv } from './context.js'

/** Creates the id of a request. */
export const newRequestId = (randomBytes: (length: number) => Uint8Array): string =>
  `req_${Buffer.from(randomBytes(12)).toString('hex')}`

/** Gives every request an id, which the answer and the log contain. */
export const requestId = (randomBytes: (length: number) => Uint8Array) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const id = newRequestId(randomBytes)
    c.set('requestId', id)
    await next()
    c.res.headers.set('x-request-id', id)
  })
