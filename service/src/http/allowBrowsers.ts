import { cors } from 'hono/cors'

/**
 * Lets web pages call, from any origin: what a page may do is decided by its key or its client secret, never by a
 * cookie. Paths without this answer no cross-origin request.
 */
export const allowBrowsers = () =>
  cors({
    origin: '*',
    allowMethods: ['GET', 'POST', 'PATCH'],
    allowHeaders: ['Authorization', 'X-API-KEY', 'Content-Type', 'x-idempotency-key', 'If-None-Match'],
    exposeHeaders: [
      // A quote ends by the service's clock; a browser's may be minutes off.
      'Date',
      'ETag',
      'Retry-After',
      'x-request-id',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
    ],
    maxAge: 86_400,
  })
