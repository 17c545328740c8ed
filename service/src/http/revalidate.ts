import { createHash } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { ServiceEnv } from './context.js'

const names = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/** Adds a strong `ETag` to an answer, and answers 304 to a caller that has the same one. */
export const revalidate = () =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    await next()
    if (c.res.status !== 200) return
    const body = await c.res.clone().text()
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    c.res.headers.set('etag', etag)
    c.res.headers.set('cache-control', 'private, no-cache')
    c.res.headers.set('vary', 'Authorization, X-API-KEY')
    const held = names(c.req.header('if-none-match') ?? '')
    if (!held.includes(etag) && !held.includes('*')) return
    const headers = new Headers(c.res.headers)
    headers.delete('content-type')
    headers.delete('content-length')
    c.res = undefined
    c.res = new Response(null, { status: 304, headers })
  })
