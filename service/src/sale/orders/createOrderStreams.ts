import { inArray } from 'drizzle-orm'
import { type Audience, type OrderState, viewOrder } from 'kassa/engine'
import type { Config } from '#base/config/config.js'
import { orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { etagOf } from '#base/lib/etag.js'
import type { OrderStreamParameters, OrderStreams } from '#base/ports/orderStreams.js'

type StreamDeps = Pick<Deps, 'db' | 'notices' | 'log' | 'now' | 'randomBytes'> & {
  config: Pick<Config, 'maxOrderStreams'>
}

type Stream = OrderStreamParameters & {
  openedAtMs: number
  controller: ReadableStreamDefaultController<Uint8Array>
  /** What to send once the caller has read what was sent before. */
  waiting?: Uint8Array | undefined
}

/** An order that has streams. */
type Followed = {
  streams: Set<Stream>
  /** The revision that was last read. */
  revision?: number
}

const maxOfOrder = 20
/** One network has no more than this share of the streams: a shop's server may open them for all its buyers. */
const shareOfNetwork = 0.1
/** A stream ends after an hour, so that a key that was revoked follows no order for longer. */
const maxAgeMs = 60 * 60_000

/** Proxies close connections that are silent for longer, usually after 30 or 60 seconds. */
const heartbeatMs = 15_000
/** Notices may be lost, so the revisions are compared at every second heartbeat. */
const heartbeatsPerLook = 2
const maxRead = 200

/** Reconnecting callers are spread over this time, so that those of a stopped process do not come at once. */
const [minRetryMs, maxRetryMs] = [1_000, 5_000]

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const heartbeat = encode(': heartbeat\n\n')

const refuse = (message: string): ServiceError =>
  new ServiceError('rate-limited', `${message}: close one, or poll the order`, { retryAfterSeconds: 30 })

/** Sends a chunk. If the caller has not read the previous one, only the newest of the later ones follows it. */
const send = (stream: Stream, chunk: Uint8Array): void => {
  if ((stream.controller.desiredSize ?? 0) > 0) stream.controller.enqueue(chunk)
  else stream.waiting = chunk
}

const sendWaiting = (stream: Stream): void => {
  const { waiting } = stream
  stream.waiting = undefined
  if (waiting) stream.controller.enqueue(waiting)
}

/** Creates the streams of a process. One statement reads all orders that changed at about the same time. */
export const createOrderStreams = ({
  db,
  notices,
  log,
  now,
  randomBytes,
  config,
}: StreamDeps): OrderStreams => {
  const followed = new Map<string, Followed>()
  const countByNetwork = new Map<string, number>()
  const changed = new Set<string>()
  let count = 0
  let reading: Promise<void> | undefined
  let hearing: Promise<(() => void) | undefined> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const sendOrder = (order: OrderState, revision: number): void => {
    const found = followed.get(order.orderId)
    if (!found) return
    found.revision = revision
    const events = new Map<Audience, { id: string; chunk: Uint8Array }>()
    const eventFor = (audience: Audience) => {
      const data = JSON.stringify(viewOrder(order, now(), audience))
      const id = etagOf(data)
      return { id, chunk: encode(`id: ${id}\nevent: order\ndata: ${data}\n\n`) }
    }
    for (const stream of found.streams) {
      const event = events.get(stream.audience) ?? eventFor(stream.audience)
      events.set(stream.audience, event)
      if (stream.lastEventId === event.id) continue
      stream.lastEventId = event.id
      send(stream, event.chunk)
    }
  }

  const readChanged = async (): Promise<void> => {
    try {
      // What is told in one go is read in one go.
      await Promise.resolve()
      while (changed.size) {
        const ids = [...changed].slice(0, maxRead)
        for (const id of ids) changed.delete(id)
        const rows = await db
          .select({ order: orders.document, revision: orders.revision })
          .from(orders)
          .where(inArray(orders.id, ids))
        for (const { order, revision } of rows) sendOrder(order, revision)
      }
    } catch (err) {
      // The next look finds them.
      changed.clear()
      log.warn({ err }, 'changed orders were not read, and their streams wait for the next look')
    } finally {
      reading = undefined
    }
  }
  const read = (orderId: string): void => {
    if (!followed.has(orderId)) return
    changed.add(orderId)
    reading ??= readChanged()
  }

  /** Reads the orders again that changed without a notice. */
  const look = async (): Promise<void> => {
    try {
      await reading
      const ids = [...followed.keys()]
      for (let from = 0; from < ids.length; from += maxRead) {
        const rows = await db
          .select({ id: orders.id, revision: orders.revision })
          .from(orders)
          .where(inArray(orders.id, ids.slice(from, from + maxRead)))
        for (const { id, revision } of rows) if (followed.get(id)?.revision !== revision) read(id)
      }
    } catch (err) {
      log.warn({ err }, 'the orders of open streams were not looked at')
    }
  }

  const hear = async (): Promise<(() => void) | undefined> => {
    try {
      const stop = await notices.hear('orders', { onNotice: read, onGap: () => void look() })
      // Earlier notices of other processes were not heard.
      await look()
      return stop
    } catch (err) {
      hearing = undefined
      log.warn({ err }, 'changes of orders by other processes are not heard, and are looked for')
      return undefined
    }
  }

  const remove = (stream: Stream): void => {
    const found = followed.get(stream.orderId)
    if (!found?.streams.delete(stream)) return
    count -= 1
    if (!found.streams.size) followed.delete(stream.orderId)
    const left = (countByNetwork.get(stream.network) ?? 1) - 1
    if (left > 0) countByNetwork.set(stream.network, left)
    else countByNetwork.delete(stream.network)
    if (count > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const end = (stream: Stream): void => {
    remove(stream)
    stream.controller.close()
  }

  let heartbeats = 0
  const beat = (): void => {
    for (const { streams } of [...followed.values()]) {
      for (const stream of [...streams]) {
        if (now() - stream.openedAtMs >= maxAgeMs) end(stream)
        else if (!stream.waiting) send(stream, heartbeat)
      }
    }
    heartbeats += 1
    if (heartbeats % heartbeatsPerLook === 0) void look()
  }

  const add = (stream: Stream): void => {
    const found = followed.get(stream.orderId) ?? { streams: new Set() }
    followed.set(stream.orderId, found)
    found.streams.add(stream)
    count += 1
    countByNetwork.set(stream.network, (countByNetwork.get(stream.network) ?? 0) + 1)
    timer ??= setInterval(beat, heartbeatMs).unref()
    hearing ??= hear()
    read(stream.orderId)
  }
  const assertRoom = ({ orderId, network }: OrderStreamParameters): void => {
    const { maxOrderStreams } = config
    if (count >= maxOrderStreams) throw refuse('The service has too many open streams')
    if ((followed.get(orderId)?.streams.size ?? 0) >= maxOfOrder) {
      throw refuse(`The order has ${maxOfOrder} open streams`)
    }
    const maxOfNetwork = Math.ceil(maxOrderStreams * shareOfNetwork)
    if ((countByNetwork.get(network) ?? 0) >= maxOfNetwork) {
      throw refuse(`Your address has ${maxOfNetwork} open streams`)
    }
  }

  return {
    open: (parameters) => {
      assertRoom(parameters)
      const spread = Buffer.from(randomBytes(2)).readUInt16BE() / 0x1_00_00
      const retryMs = Math.round(minRetryMs + spread * (maxRetryMs - minRetryMs))
      let stream: Stream | undefined
      return new ReadableStream<Uint8Array>({
        start: (controller) => {
          // The caller learns at once that nothing on the way holds the stream back.
          controller.enqueue(encode(`retry: ${retryMs}\n: open\n\n`))
          if (isStopped) return controller.close()
          stream = { ...parameters, openedAtMs: now(), controller }
          add(stream)
        },
        pull: () => stream && sendWaiting(stream),
        cancel: () => stream && remove(stream),
      })
    },
    stop: async () => {
      isStopped = true
      for (const { streams } of [...followed.values()]) for (const stream of [...streams]) end(stream)
      const stopHearing = await hearing
      stopHearing?.()
      await reading
    },
  }
}
