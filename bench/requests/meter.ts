import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** One request and its answer, as they went over the wire: lines, headers and bodies. */
export type Exchange = {
  orderId: string
  method: string
  status: number
  /** By the page. */
  sentBytes: number
  receivedBytes: number
}

const path = /\/orders\/([^/?]+)/

/** Counts what goes through a server, by the bytes of its connections. */
export const meterServer = (server: Server): readonly Exchange[] => {
  const exchanges: Exchange[] = []
  const before = new WeakMap<Socket, { read: number; written: number }>()
  server.on('request', ({ socket, method = '', url = '' }: IncomingMessage, response: ServerResponse) => {
    response.on('finish', () => {
      const { read, written } = before.get(socket) ?? { read: 0, written: 0 }
      // A browser asks nothing else on a connection before it has its answer.
      const { bytesRead, bytesWritten } = socket
      before.set(socket, { read: bytesRead, written: bytesWritten })
      exchanges.push({
        orderId: path.exec(url)?.[1] ?? '',
        method,
        status: response.statusCode,
        sentBytes: bytesRead - read,
        receivedBytes: bytesWritten - written,
      })
    })
  })
  return exchanges
}
