import type { Context } from 'hono'
import type { ServiceEnv } from './context.js'

/** How long a caller may leave what was sent unread. Heartbeats come more often. */
const stallMs = 60_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy that compresses would also hold events back.
  'cache-control': 'private, no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** Answers with a stream of server-sent events, until either side ends it. */
export const sendEvents = async (
  c: Context<ServiceEnv>,
  events: ReadableStream<Uint8Array>,
): Promise<Response> => {
  if (c.req.method === 'HEAD') {
    // The router drops the body of the answer, and would leave the stream open.
    await events.cancel()
    return c.body(null, 200, headers)
  }
  const outgoing = c.env?.outgoing
  outgoing?.setTimeout(stallMs, () => outgoing.destroy())
  return c.body(events, 200, headers)
}
