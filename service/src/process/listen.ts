import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { newRequestId } from '../http/requestId.js'

type Fetch = Parameters<typeof getRequestListener>[0]

const sweepMs = 50
/** Longer than proxies keep a connection that nobody uses: one that we closed first would fail their next request. */
const keepAliveTimeout = 75_000

const malformed = 'The request is malformed: send a valid HTTP/1.1 request'

/** What is answered to a request that the HTTP parser refuses, by the code of its error. */
const refusals: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are over the limit of 16 KiB' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive: send it again' },
}

const headersOf = () => ({
  connection: 'close',
  'content-type': 'application/json',
  'x-request-id': newRequestId(randomBytes),
})

const bodyOf = (message: string): string => JSON.stringify({ error: true, message })

/** Answers what never became a request, on the bare connection. */
const answerParserError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const { status, message } = refusals[error.code ?? ''] ?? { status: 400, message: malformed }
  const body = bodyOf(message)
  const headers = { ...headersOf(), 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
}

/** Answers a request that has no valid URL, or an error that the app left to this server. */
const answerError = (error: unknown): Response =>
  error instanceof RequestError
    ? new Response(bodyOf(malformed), { status: 400, headers: headersOf() })
    : new Response(bodyOf('Something went wrong: please contact support'), {
        status: 500,
        headers: headersOf(),
      })

/**
 * Listens for requests. Every answer has an `x-request-id`, those to malformed requests too.
 *
 * @param variable - What the operator sets to listen elsewhere.
 * @returns What ends it: no request is taken any more, and those at work have so long to finish.
 * @throws Error when the port is taken.
 */
export const listen = async (
  fetch: Fetch,
  { host, port }: { host: string; port: number },
  variable: string,
): Promise<(patienceMs: number) => Promise<void>> => {
  const server = createServer(
    // A request without a host is answered as malformed below, rather than by Node without an id.
    { keepAliveTimeout, headersTimeout: keepAliveTimeout + 5_000, requireHostHeader: false },
    getRequestListener(fetch, { errorHandler: answerError }),
  )
  server.on('clientError', answerParserError)
  // Node would answer 417 without an id; an expectation that is not known may be ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    const isBusy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    throw isBusy ? new Error(`port ${port} on ${host} is in use: set ${variable} to another`) : error
  })
  return async (patienceMs) => {
    const closed = once(server, 'close')
    server.close()
    // A connection that is kept for another request would keep us too.
    const sweeping = setInterval(() => server.closeIdleConnections(), sweepMs)
    await Promise.race([closed, sleep(patienceMs)])
    clearInterval(sweeping)
    server.closeAllConnections()
  }
}
