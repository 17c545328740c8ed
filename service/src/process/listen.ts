import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'

type Fetch = Parameters<typeof createAdaptorServer>[0]['fetch']

const sweepMs = 50
/** Longer than proxies keep a connection that nobody uses: one that we closed first would fail their next request. */
const keepAliveTimeout = 75_000

/**
 * Listens for requests.
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
  const server = createAdaptorServer({
    fetch,
    serverOptions: { keepAliveTimeout, headersTimeout: keepAliveTimeout + 5_000 },
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    const isBusy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    throw isBusy ? new Error(`port ${port} on ${host} is in use: set ${variable} to another`) : error
  })
  return async (patienceMs) => {
    const closed = once(server, 'close')
    server.close()
    // A connection that is kept for another request would keep us too.
    const sweeping = setInterval(() => {
      if ('closeIdleConnections' in server) server.closeIdleConnections()
    }, sweepMs)
    await Promise.race([closed, sleep(patienceMs)])
    clearInterval(sweeping)
    if ('closeAllConnections' in server) server.closeAllConnections()
  }
}
