import type { Audience, OrderState } from 'kassa/engine'
import { etagOf } from '#base/lib/etag.js'
import { printOnce } from '#base/lib/printOnce.js'
import type { OrderStreamParameters } from '#base/ports/orderStreams.js'
import { viewOnce } from './viewOnce.js'

/** An open stream of one order's states to one caller, as server-sent events. */
export type OrderStream = OrderStreamParameters & {
  openedAtMs: number
  controller: ReadableStreamDefaultController<Uint8Array>
  /** What to send once the caller has read what was sent before. */
  waiting?: Uint8Array | undefined
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const heartbeat = encode(': heartbeat\n\n')

/** Sends a chunk. If the caller has not read the previous one, only the newest of the later ones follows it. */
const send = (stream: OrderStream, chunk: Uint8Array): void => {
  if ((stream.controller.desiredSize ?? 0) > 0) stream.controller.enqueue(chunk)
  else stream.waiting = chunk
}

/** Sends what waits for the caller to read. */
export const sendWaiting = (stream: OrderStream): void => {
  const { waiting } = stream
  stream.waiting = undefined
  if (waiting) stream.controller.enqueue(waiting)
}

/** Shows proxies that the stream is alive, unless something else is about to. */
export const sendHeartbeat = (stream: OrderStream): void => {
  if (!stream.waiting) send(stream, heartbeat)
}

/** Opens a stream at once, so that the caller learns that nothing on the way holds it back. */
export const sendOpening = ({ controller }: Pick<OrderStream, 'controller'>, retryMs: number): void =>
  controller.enqueue(encode(`retry: ${retryMs}\n: open\n\n`))

/** Sends an order to its streams as each audience sees it. A caller that has this state already gets nothing. */
export const sendOrder = (streams: Iterable<OrderStream>, order: OrderState, nowMs: number): void => {
  const events = new Map<Audience, { id: string; chunk: Uint8Array }>()
  const eventFor = (audience: Audience) => {
    const data = printOnce(viewOnce(order, nowMs, audience))
    const id = etagOf(data)
    return { id, chunk: encode(`id: ${id}\nevent: order\ndata: ${data}\n\n`) }
  }
  for (const stream of streams) {
    const event = events.get(stream.audience) ?? eventFor(stream.audience)
    events.set(stream.audience, event)
    if (stream.lastEventId === event.id) continue
    stream.lastEventId = event.id
    send(stream, event.chunk)
  }
}
