import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { ignoredFieldsHeader } from 'kassa/schema'
import type { ServiceEnv } from './context.js'

/** The headers of an answer that pages may read. */
const exposedHeaders = [
  // A quote ends by the service's clock, and a browser's clock may be minutes off.
  'Date',
  'ETag',
  'Retry-After',
  ignoredFieldsHeader,
  'x-request-id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
]

const preflight = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PATCH'],
  allowHeaders: [
    'Authorization',
    'X-API-KEY',
    'Content-Type',
    'x-idempotency-key',
    'If-None-Match',
    'Last-Event-ID',
    'PAYMENT-SIGNATURE',
    // Clients of x402 send it, though it belongs to answers.
    'Access-Control-Expose-Headers',
  ],
  exposeHeaders: exposedHeaders,
  maxAge: 86_400,
})

/**
 * Allows web pages of any origin to call. A page's permissions come from its key or its client secret, never
 * from a cookie. Other paths answer no cross-origin request.
 */
export const allowBrowsers = (): MiddlewareHandler<ServiceEnv> => {
  const exposed = exposedHeaders.join(',')
  return createMiddleware<ServiceEnv>(async (c, next) => {
    if (c.req.method === 'OPTIONS') return preflight(c, next)
    // Set before the answer: Hono would copy the whole answer to add a header that its `cors` has set.
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Access-Control-Expose-Headers', exposed)
    return next()
  })
}
