import type { Context } from 'hono'
import type { ServiceEnv } from './context.js'

/** How long a caller may leave what was sent unread. */
const stallMs = 60_000

const headers = {
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': 'attachment; filename="orders.csv"',
  'cache-control': 'private, no-store',
}

/** Answers with a stream of CSV, as a file. A caller that stops reading does not keep it open. */
export const sendCsv = async (
  c: Context<ServiceEnv>,
  rows: ReadableStream<Uint8Array>,
): Promise<Response> => {
  if (c.req.method === 'HEAD') {
    // The router drops the body of the answer, and would leave the stream open.
    await rows.cancel()
    return c.body(null, 200, headers)
  }
  const outgoing = c.env?.outgoing
  outgoing?.setTimeout(stallMs, () => outgoing.destroy())
  return c.body(rows, 200, headers)
}
