import { type Context, Hono } from 'hono'
import type { Config } from '../config/config.js'
import { ServiceError } from '../errors.js'
import { type ByteRange, byteRange } from '../http/byteRange.js'
import { callerNetwork } from '../http/callerAddress.js'
import type { ServiceEnv } from '../http/context.js'
import type { RateLimits } from '../http/rateLimit.js'
import type { Storage } from '../ports/storage.js'

/** How much of a file one transfer holds in memory. */
const partBytes = 64 * 1024
const maxTransfers = 64
const maxTransfersOfNetwork = 8
/** How many parts are read at once, so that other requests find the database and the event loop free. */
const maxReads = 4
/** How long a caller may stall a transfer. */
const stallMs = 30_000
const maxTransferMs = 5 * 60_000

const notFound = () => new ServiceError('not-found', 'Not found')

/** Counts the running transfers, in total and per network. */
const createTransfers = () => {
  const ofNetwork = new Map<string, number>()
  let total = 0
  return {
    /** Starts a transfer and returns the function that ends it. */
    begin: (network: string): (() => void) => {
      const own = ofNetwork.get(network) ?? 0
      if (total >= maxTransfers || own >= maxTransfersOfNetwork) {
        throw new ServiceError('rate-limited', 'Too many files are being fetched: try again in a moment', {
          retryAfterSeconds: 1,
        })
      }
      total += 1
      ofNetwork.set(network, own + 1)
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        total -= 1
        const left = (ofNetwork.get(network) ?? 1) - 1
        if (left > 0) ofNetwork.set(network, left)
        else ofNetwork.delete(network)
      }
    },
  }
}

type Limit = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Limits how many tasks run at once. The others wait, in the order in which they came. */
const createLimit = (maxTasks: number): Limit => {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running < maxTasks) running += 1
    else await new Promise<void>((admit) => waiting.push(admit))
    try {
      return await task()
    } finally {
      const admit = waiting.shift()
      if (admit) admit()
      else running -= 1
    }
  }
}

/**
 * Ends a transfer with its connection, and a connection that is too slow or takes too long.
 *
 * @returns A function to call once everything was read. Data still in the connection counts until it is sent.
 */
const endWithConnection = ({ env }: Context<ServiceEnv>, end: () => void): (() => void) => {
  const outgoing = env?.outgoing
  if (!outgoing) return end
  const stop = (): void => {
    clearTimeout(timer)
    end()
    outgoing.destroy()
  }
  const timer = setTimeout(stop, maxTransferMs)
  timer.unref()
  outgoing.setTimeout(stallMs, stop)
  // A caller who left while the file was looked up closed the connection already: no event follows.
  if (outgoing.destroyed) stop()
  else outgoing.once('close', stop)
  return () => {}
}

/** Reads a file part by part, each once the caller has taken the previous one. */
const streamParts = (
  read: (range: ByteRange) => Promise<Uint8Array | undefined>,
  { start, end }: ByteRange,
  onEnd: () => void,
): ReadableStream<Uint8Array> => {
  let next = start
  return new ReadableStream(
    {
      pull: async (controller) => {
        const last = Math.min(next + partBytes - 1, end)
        const part = await read({ start: next, end: last }).catch(() => undefined)
        if (!part) {
          onEnd()
          controller.error(new Error('a file could not be read to its end'))
          return
        }
        next = last + 1
        controller.enqueue(part)
        if (next <= end) return
        onEnd()
        controller.close()
      },
      cancel: onEnd,
    },
    { highWaterMark: 0 },
  )
}

type FileDeps = { storage: Storage; config: Pick<Config, 'isBehindProxy'> }

/**
 * Serves stored files as an IPFS gateway does, including ranges for videos. A CID's content never changes, so
 * answers may be cached forever. The files may come from strangers, so none of them may run as a page of this
 * origin.
 */
export const serveFiles = ({ storage, config }: FileDeps, limits: RateLimits): Hono<ServiceEnv> => {
  const transfers = createTransfers()
  const limitReads = createLimit(maxReads)
  return new Hono<ServiceEnv>().get('/:cid', async (c) => {
    const network = callerNetwork(c, config.isBehindProxy)
    const { isAllowed, resetSeconds } = await limits.count('filesPerMinute', network)
    if (!isAllowed) {
      throw new ServiceError('rate-limited', 'Too many requests: wait before the next one', {
        retryAfterSeconds: resetSeconds,
      })
    }
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
    if (isHead || !size) return c.body(null, 200, described)
    const onEnd = endWithConnection(c, transfers.begin(network))
    const read = async (part: ByteRange) => (await limitReads(() => storage.get(cid, part)))?.bytes
    return c.body(streamParts(read, { start, end }, onEnd), range ? 206 : 200, described)
  })
}
