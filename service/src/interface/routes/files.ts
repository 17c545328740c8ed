import { type Context, Hono } from 'hono'
import { isNotModified } from 'kassa/engine'
import type { Config } from '#base/config/config.js'
import { ServiceError } from '#base/errors.js'
import type { Storage } from '#base/ports/storage.js'
import { type ByteRange, byteRange } from '../http/byteRange.js'
import { callerNetwork } from '../http/callerAddress.js'
import type { ServiceEnv } from '../http/context.js'
import type { RateLimits } from '../http/rateLimit.js'

/** How much of a file one transfer holds in memory. */
const partBytes = 64 * 1024
const maxTransfers = 64
const maxTransfersOfNetwork = 8
/** How many parts are read at once, so that other requests find the database and the event loop free. */
const maxReads = 4
/** A transfer that is slower makes room for another, unless it has just begun. It would not bring 20 MiB in its time. */
const minBytesPerSecond = 64 * 1024
const graceMs = 5_000
/** How long a caller may stall a transfer. */
const stallMs = 30_000
const maxTransferMs = 5 * 60_000

const notFound = () => new ServiceError('not-found', 'Not found')

/** A file on its way to a caller. */
type Transfer = {
  readonly network: string
  readonly beganAtMs: number
  /** How many bytes the caller has taken. */
  bytes: number
  isOver: boolean
  /** Ends it with its connection. */
  stop: () => void
}

/** Holds the running transfers, and limits how many there are in total and per network. */
const createTransfers = (now: () => number) => {
  const running = new Set<Transfer>()
  /** Returns the slowest of some transfers, if it is slower than any may be. */
  const findSlow = (some: readonly Transfer[]): Transfer | undefined => {
    const nowMs = now()
    const speedOf = ({ beganAtMs, bytes }: Transfer): number => (bytes * 1000) / (nowMs - beganAtMs)
    return some
      .filter(({ beganAtMs }) => nowMs - beganAtMs >= graceMs)
      .filter((transfer) => speedOf(transfer) < minBytesPerSecond)
      .sort((one, other) => speedOf(one) - speedOf(other))[0]
  }
  const end = (transfer: Transfer): void => {
    transfer.isOver = true
    running.delete(transfer)
  }
  return {
    /** Starts a transfer. A slow one ends for it where there is no room. */
    begin: (network: string): Transfer => {
      const own = [...running].filter((transfer) => transfer.network === network)
      const isFull = running.size >= maxTransfers || own.length >= maxTransfersOfNetwork
      const slow = isFull ? findSlow(own.length >= maxTransfersOfNetwork ? own : [...running]) : undefined
      if (isFull && !slow) {
        throw new ServiceError('rate-limited', 'Too many files are being fetched: try again in a moment', {
          retryAfterSeconds: 1,
        })
      }
      slow?.stop()
      const transfer: Transfer = {
        network,
        beganAtMs: now(),
        bytes: 0,
        isOver: false,
        stop: () => end(transfer),
      }
      running.add(transfer)
      return transfer
    },
    end,
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
 * Ends an answer with its connection, and a connection that is too slow or takes too long.
 *
 * @returns The function that ends the connection, or `undefined` if there is none.
 */
const endWithConnection = ({ env }: Context<ServiceEnv>, end: () => void): (() => void) | undefined => {
  const outgoing = env?.outgoing
  if (!outgoing) return undefined
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
  return stop
}

/** Reads a file part by part, each once the caller has taken the previous one. */
const streamParts = (
  read: (range: ByteRange) => Promise<Uint8Array | undefined>,
  { start, end }: ByteRange,
  transfer: Transfer,
  onEnd: () => void,
): ReadableStream<Uint8Array> => {
  let next = start
  return new ReadableStream(
    {
      pull: async (controller) => {
        const last = Math.min(next + partBytes - 1, end)
        transfer.bytes = next - start
        const part = transfer.isOver
          ? undefined
          : await read({ start: next, end: last }).catch(() => undefined)
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

type FileDeps = { storage: Storage; config: Pick<Config, 'isBehindProxy'>; now: () => number }

/**
 * Serves stored files as an IPFS gateway does, including ranges for videos. A CID's content never changes, so
 * answers may be cached forever. The files may come from strangers, so none of them may run as a page of this
 * origin.
 */
export const serveFiles = ({ storage, config, now }: FileDeps, limits: RateLimits): Hono<ServiceEnv> => {
  const transfers = createTransfers(now)
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
    if (isNotModified(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)

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
    const status = range ? 206 : 200
    const read = async (part: ByteRange) => (await limitReads(() => storage.get(cid, part)))?.bytes
    if (end - start < partBytes) {
      // It is read before the connection counts, and holds no more memory than a part.
      const bytes = await read({ start, end })
      if (!bytes) throw notFound()
      endWithConnection(c, () => {})
      return c.body(Uint8Array.from(bytes), status, described)
    }
    const transfer = transfers.begin(network)
    const finish = () => transfers.end(transfer)
    const stop = endWithConnection(c, finish)
    transfer.stop = stop ?? finish
    // Data that is still in the connection counts until it is sent.
    const onRead = stop ? () => {} : finish
    return c.body(streamParts(read, { start, end }, transfer, onRead), status, described)
  })
}
