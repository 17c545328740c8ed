import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** When a connection is cut: before the server gets the client's message, or before the client gets the answer. */
export type CutMoment = 'before' | 'after'

/**
 * Stands between clients and a PostgreSQL server. Cuts a connection in the middle of a statement, or holds back all that
 * passes, as a server does that hangs.
 *
 * @param url - The database's URL at the server.
 */
export const createRelay = async (url: string) => {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let plan: { left: number; moment: CutMoment } | undefined
  let isHeld = false
  const relay = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    let isMute = false
    const end = (): void => {
      for (const socket of [client, server]) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      if (isHeld) socket.pause()
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (bytes) => {
      if (plan && --plan.left < 0) {
        const { moment } = plan
        plan = undefined
        if (moment === 'before') return end()
        isMute = true
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (isMute) end()
      else client.write(bytes)
    })
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const address = relay.address()
  if (typeof address !== 'object' || !address) throw new Error('the relay has no port')
  const own = new URL(url)
  own.port = String(address.port)
  return {
    url: own.href,
    /** Cuts the connection that sends the message after so many others. */
    cutAfter: (count: number, moment: CutMoment): void => {
      plan = { left: count, moment }
    },
    /** Whether the cut has not happened, which is then called off. */
    isLeft: (): boolean => {
      const isLeft = plan !== undefined
      plan = undefined
      return isLeft
    },
    /** Holds back what passes, or lets it go on. */
    hold: (next: boolean): void => {
      isHeld = next
      for (const socket of sockets) isHeld ? socket.pause() : socket.resume()
    },
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy()
      relay.close()
      await once(relay, 'close')
    },
  }
}
