import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got. */
export type Received = { path: string; headers: Record<string, string>; body: string }

const toHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`]))

/** Starts a webhook receiver on a free port. It answers with 200 until the test sets another answer. */
export const startReceiver = async () => {
  const received: Received[] = []
  const state = {
    answer: (response: ServerResponse): unknown => response.writeHead(200).end(),
  }
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url = '', headers } = request
    received.push({ path: url, headers: toHeaders(headers), body: Buffer.concat(chunks).toString() })
    state.answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    state,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
