import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { createRequestIds } from '#interface/http/requestLog.js'

type Fetch = Parameters<typeof getRequestListener>[0]

const createId = createRequestIds(randomBytes)

const sweepMs = 50
/**
 * Longer than proxies keep an idle connection: if this server closed one first, the proxy's next request
 * would fail.
 */
const keepAliveTimeout = 75_000

const malformed = 'The request is malformed: send a valid HTTP/1.1 request'

/** The answers to requests that the HTTP parser refuses, by error code. */
const refusals: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are over the limit of 16 KiB' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive: send it again' },
}

const headersOf = () => ({
  connection: 'close',
  'content-type': 'application/json',
  'x-request-id': createId(),
})

const bodyOf = (message: string): string => JSON.stringify({ error: true, message })

/** Answers a connection whose data never became a request. */
const answerParserError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const { status, message } = refusals[error.code ?? ''] ?? { status: 400, message: malformed }
  const body = bodyOf(message)
  const headers = { ...headersOf(), 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
}

/** Answers a request without a valid URL, or an error that the app left to this server. */
const answerError = (error: unknown): Response =>
  error instanceof RequestError
    ? new Response(bodyOf(malformed), { status: 400, headers: headersOf() })
    : new Response(bodyOf('Something went wrong: please contact support'), {
        status: 500,
        headers: headersOf(),
      })

/**
 * Listens for requests. Every answer has an `x-request-id`, including those to malformed requests.
 *
 * @param variable - The setting with which the operator chooses another port.
 * @returns A function that stops listening: it takes no more requests, and gives the running ones a time
 * limit.
 * @throws Error if the address cannot be listened on, naming the setting.
 */
export const listen = async (
  fetch: Fetch,
  { host, port }: { host: string; port: number },
  variable: string,
): Promise<(patienceMs: number) => Promise<void>> => {
  const server = createServer(
    // A request without a host is answered as malformed below, because Node's answer has no request id.
    { keepAliveTimeout, headersTimeout: keepAliveTimeout + 5_000, requireHostHeader: false },
    getRequestListener(fetch, { errorHandler: answerError }),
  )
  server.on('clientError', answerParserError)
  // Node would answer 417 without a request id. An unknown expectation may be ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const hostVariable = variable.replace(/PORT.*/, 'HOST')
    const sentence = {
      EADDRINUSE: `port ${port} on ${host} is in use: set ${variable} to another`,
      EACCES: `this user may not listen on port ${port} of ${host} (EACCES): set ${variable} to 1024 or more`,
      EADDRNOTAVAIL: `this machine has no address ${host}: set ${hostVariable} to one that it has, such as 127.0.0.1`,
      ENOTFOUND: `this machine has no address ${host}: set ${hostVariable} to one that it has, such as 127.0.0.1`,
    }[code]
    throw sentence ? new Error(sentence, { cause: error }) : error
  })
  return async (patienceMs) => {
    const closed = once(server, 'close')
    server.close()
    // An idle keep-alive connection would keep the process alive too.
    const sweeping = setInterval(() => server.closeIdleConnections(), sweepMs)
    await Promise.race([closed, sleep(patienceMs)])
    clearInterval(sweeping)
    server.closeAllConnections()
  }
}
