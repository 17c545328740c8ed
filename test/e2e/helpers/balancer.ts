import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer }

const ask = (port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, method, path: url, headers, agent: false },
      (answer) =>
        buffer(answer).then(
          (received) =>
            resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: received }),
          reject,
        ),
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * A load balancer as operators use them: it gives each request to the next process that is ready, and when that one
 * breaks down in the middle the caller learns so, with 502.
 */
export const startBalancer = async (ports: readonly number[]) => {
  let turn = 0
  const counts = new Map(ports.map((port) => [port, 0]))
  const choose = async (): Promise<number | undefined> => {
    for (const _ of ports) {
      const port = ports[turn++ % ports.length]
      if (port !== undefined && (await isReady(port))) return port
    }
    return undefined
  }
  const pass = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const body = await buffer(incoming)
    const port = await choose()
    const given = port === undefined ? undefined : await ask(port, incoming, body).catch(() => undefined)
    if (port !== undefined && given) counts.set(port, (counts.get(port) ?? 0) + 1)
    answer.writeHead(given?.status ?? 502, given?.headers ?? {}).end(given?.body)
  }
  const server = createServer((incoming, answer) => void pass(incoming, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the balancer has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** How many requests each process has answered. */
    counts,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
