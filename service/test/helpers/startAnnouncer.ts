import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** Starts the WebSocket side of a node: it takes subscriptions, and announces blocks when the test says so. */
export const startAnnouncer = async () => {
  let isRefusing = false
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: () => !isRefusing,
  })
  await once(server, 'listening')
  const subscribed = new Set<WebSocket>()
  server.on('connection', (socket) => {
    socket.on('message', () => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' }))
      subscribed.add(socket)
    })
    socket.on('close', () => subscribed.delete(socket))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    /** How many subscriptions it has now. */
    count: (): number => subscribed.size,
    announce: (number: bigint): void => {
      const params = { subscription: '0x1', result: { number: `0x${number.toString(16)}` } }
      for (const socket of subscribed) {
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
      }
    },
    /** Ends all connections, and takes new ones only if told to. */
    drop: (refuses: boolean): void => {
      isRefusing = refuses
      for (const socket of server.clients) socket.terminate()
    },
    allow: (): void => {
      isRefusing = false
    },
    close: (): void => {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}
