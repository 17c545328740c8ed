import type { Config } from '#base/config/config.js'
import type { Deps } from '#base/deps.js'
import type { OrderStreams } from '#base/ports/orderStreams.js'
import { createOrderReader } from './createOrderReader.js'
import { createOpenStreams } from './openStreams.js'
import { type OrderStream, sendHeartbeat, sendOpening, sendOrder, sendWaiting } from './orderStream.js'

type StreamDeps = Pick<Deps, 'db' | 'notices' | 'log' | 'now' | 'randomBytes'> & {
  config: Pick<Config, 'maxOrderStreams'>
}

/** A stream ends after an hour, so that a key that was revoked follows no order for longer. */
const maxAgeMs = 60 * 60_000

/** Proxies close connections that are silent for longer, usually after 30 or 60 seconds. */
const heartbeatMs = 15_000
/** Notices may be lost, so the revisions are compared at every second heartbeat. */
const heartbeatsPerLook = 2

/** Reconnecting callers are spread over this time, so that those of a stopped process do not come at once. */
const [minRetryMs, maxRetryMs] = [1_000, 5_000]

/** Creates the streams of a process. */
export const createOrderStreams = (deps: StreamDeps): OrderStreams => {
  const { notices, log, now, randomBytes, config } = deps
  const streams = createOpenStreams(config.maxOrderStreams)
  const reader = createOrderReader(deps, streams.followed, (found, order) =>
    sendOrder(found.streams, order, now()),
  )
  let hearing: Promise<(() => void) | undefined> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const hear = async (): Promise<(() => void) | undefined> => {
    try {
      const stop = await notices.hear('orders', { onNotice: reader.read, onGap: () => void reader.look() })
      // Earlier notices of other processes were not heard.
      await reader.look()
      return stop
    } catch (err) {
      hearing = undefined
      log.warn({ err }, 'changes of orders by other processes are not heard, and are looked for')
      return undefined
    }
  }

  const remove = (stream: OrderStream): void => {
    streams.remove(stream)
    if (streams.count > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const end = (stream: OrderStream): void => {
    remove(stream)
    stream.controller.close()
  }

  let heartbeats = 0
  const beat = (): void => {
    for (const stream of streams.list()) {
      if (now() - stream.openedAtMs >= maxAgeMs) end(stream)
      else sendHeartbeat(stream)
    }
    heartbeats += 1
    if (heartbeats % heartbeatsPerLook === 0) void reader.look()
  }
  const add = (stream: OrderStream): void => {
    streams.add(stream)
    timer ??= setInterval(beat, heartbeatMs).unref()
    hearing ??= hear()
    reader.read(stream.orderId)
  }

  return {
    open: (parameters) => {
      streams.assertRoom(parameters)
      const spread = Buffer.from(randomBytes(2)).readUInt16BE() / 0x1_00_00
      const retryMs = Math.round(minRetryMs + spread * (maxRetryMs - minRetryMs))
      let stream: OrderStream | undefined
      return new ReadableStream<Uint8Array>({
        start: (controller) => {
          sendOpening({ controller }, retryMs)
          if (isStopped) return controller.close()
          stream = { ...parameters, openedAtMs: now(), controller }
          add(stream)
        },
        pull: () => stream && sendWaiting(stream),
        cancel: () => stream && remove(stream),
      })
    },
    listFollowed: () => [...streams.followed.keys()],
    stop: async () => {
      isStopped = true
      for (const stream of streams.list()) end(stream)
      const stopHearing = await hearing
      stopHearing?.()
      await reader.settle()
    },
  }
}
