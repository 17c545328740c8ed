import { createMiddleware } from 'hono/factory'

/** Pages run only the service's own files, and no page of another site shows them in a frame. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sets the security headers of the service's own pages. */
export const secureHeaders = createMiddleware(async (c, next) => {
  await next()
  const { headers } = c.res
  headers.set('content-security-policy', contentPolicy)
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('cross-origin-resource-policy', 'same-origin')
  headers.set('referrer-policy', 'no-referrer')
  headers.set('x-content-type-options', 'nosniff')
  headers.set('x-frame-options', 'DENY')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
})
