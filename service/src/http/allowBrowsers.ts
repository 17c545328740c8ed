import { cors } from 'hono/cors'

/**
 * Allows web pages of any origin to call. A page's permissions come from its key or its client secret, never
 * from a cookie. Other paths answer no cross-origin request.
 */
export const allowBrowsers = () =>
  cors({
    origin: '*',
    allowMethods: ['GET', 'POST', 'PATCH'],
    allowHeaders: ['Authorization', 'X-API-KEY', 'Content-Type', 'x-idempotency-key', 'If-None-Match'],
    exposeHeaders: [
      // A quote ends by the service's clock, and a browser's clock may be minutes off.
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
