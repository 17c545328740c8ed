import { Hono } from 'hono'
import { ServiceError } from '../errors.js'
import { byteRange } from '../http/byteRange.js'
import type { ServiceEnv } from '../http/context.js'
import type { Storage } from '../storage/port.js'

const notFound = () => new ServiceError('not-found', 'Not found')

/**
 * Serves stored contents as an IPFS gateway does, films in pieces too. A CID names one content for ever, so answers
 * may be kept for ever; and because anybody's picture may be among them, none of it may run as a page of this origin.
 */
export const serveFiles = (storage: Storage): Hono<ServiceEnv> =>
  new Hono<ServiceEnv>().get('/:cid', async (c) => {
    const cid = c.req.param('cid')
    const known = await storage.describe(cid)
    if (!known) throw notFound()
    const { size, contentType } = known
    const etag = `"${cid}"`
    const headers = {
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Content-Length, Content-Range, ETag',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'cross-origin-resource-policy': 'cross-origin',
      etag,
      'x-content-type-options': 'nosniff',
    }
    const held =
      c.req
        .header('if-none-match')
        ?.split(',')
        .map((tag) => tag.trim()) ?? []
    if (held.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)) return c.body(null, 304, headers)

    const isHead = c.req.method !== 'GET'
    const isWhole = isHead || (c.req.header('if-range') ?? etag) !== etag
    const range = isWhole ? undefined : byteRange(c.req.header('range'), size)
    if (range === 'unsatisfiable')
      return c.body(null, 416, { ...headers, 'content-range': `bytes */${size}` })
    const { start, end } = range ?? { start: 0, end: size - 1 }
    const described = {
      ...headers,
      'content-length': String(end - start + 1),
      'content-type': contentType,
      ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
    }
    if (isHead) return c.body(null, 200, described)
    const file = await storage.get(cid, range)
    if (!file) throw notFound()
    return c.body(Uint8Array.from(file.bytes), range ? 206 : 200, described)
  })
