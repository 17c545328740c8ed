import { Hono } from 'hono'
import { ServiceError } from '../errors.js'
import type { ServiceEnv } from '../http/context.js'
import type { Storage } from '../storage/port.js'

/**
 * Serves stored contents. A CID names one content for ever, so answers may be kept for ever; and because anybody's
 * picture may be among them, none of it may run as a page of this origin.
 */
export const serveFiles = (storage: Storage): Hono<ServiceEnv> =>
  new Hono<ServiceEnv>().get('/:cid', async (c) => {
    const cid = c.req.param('cid')
    const file = await storage.get(cid)
    if (!file) throw new ServiceError('not-found', 'Not found')
    const headers = {
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'content-type': file.contentType,
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${cid}"`,
      'x-content-type-options': 'nosniff',
    }
    if (c.req.header('if-none-match') === headers.etag) return c.body(null, 304, headers)
    return c.body(Uint8Array.from(file.bytes), 200, headers)
  })
