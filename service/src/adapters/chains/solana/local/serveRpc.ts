import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod/mini'
import { answerRpc } from './answerRpc.js'
import type { Block } from './blockstore.js'
import type { RpcWorld } from './method.js'
import { RpcError } from './rpcError.js'
import { stringify } from './stringify.js'
import { createSubscriptions } from './subscriptions.js'

const maxBytes = 1_000_000

const Call = z.object({
  id: z.optional(z.union([z.number(), z.string(), z.null()])),
  method: z.string(),
  params: z.optional(z.unknown()),
})

type Reply = { jsonrpc: '2.0'; id: unknown } & ({ result: unknown } | { error: unknown })

const refuse = (id: unknown, error: unknown): Reply => {
  const { code, message, data } = error instanceof RpcError ? error : new RpcError(-32603, String(error))
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
}

const readCall = (value: unknown): z.infer<typeof Call> => {
  const read = z.safeParse(Call, value)
  if (read.success) return read.data
  throw new RpcError(-32600, 'Invalid request')
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new RpcError(-32700, 'Parse error')
  }
}

const answerOne = async (world: RpcWorld, value: unknown): Promise<Reply> => {
  const { id = null } = Object(value) as { id?: unknown }
  try {
    const { method, params } = readCall(value)
    return { jsonrpc: '2.0', id, result: await answerRpc(world, method, params) }
  } catch (error) {
    return refuse(id, error)
  }
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > maxBytes) throw new RpcError(-32600, 'Request too large')
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString()
}

/** Browsers ask first whether a page of another origin may call. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
}

const answerHttp = async (
  world: RpcWorld,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  if (request.method === 'OPTIONS') {
    response.writeHead(204, cors).end()
    return
  }
  if (request.method === 'GET' && request.url === '/health') {
    response.writeHead(200, { ...cors, 'content-type': 'text/plain' }).end('ok')
    return
  }
  let reply: unknown
  try {
    const body = parseJson(await readBody(request))
    reply = Array.isArray(body)
      ? await Promise.all(body.map((each) => answerOne(world, each)))
      : await answerOne(world, body)
  } catch (error) {
    reply = refuse(null, error)
  }
  response.writeHead(200, { ...cors, 'content-type': 'application/json' }).end(stringify(reply))
}

const connect = (world: RpcWorld, socket: WebSocket) => {
  const send = (message: unknown) => socket.send(stringify(message))
  const subscriptions = createSubscriptions(world, send)
  socket.on('message', (data) => {
    let id: unknown = null
    try {
      const value = parseJson(String(data))
      id = (Object(value) as { id?: unknown }).id ?? null
      const { method, params } = readCall(value)
      subscriptions.answer(method, Array.isArray(params) ? params : [], (result) =>
        send({ jsonrpc: '2.0', id, result }),
      )
    } catch (error) {
      send(refuse(id, error))
    }
  })
  return subscriptions
}

const open = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}

const close = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve))

/** How many pairs of ports are tried if any will do. */
const attempts = 50

/** Listens on two ports of this machine that follow each other. */
const listen = async (http: Server, upgrades: Server, wanted: number): Promise<number> => {
  for (let left = wanted ? 1 : attempts; ; left--) {
    const port = await open(http, wanted)
    try {
      await open(upgrades, port + 1)
      return port
    } catch (error) {
      await close(http)
      if (left <= 1) throw error
    }
  }
}

/** Serves the interface of a node on two ports of this machine: HTTP on the first, WebSocket on the second. */
export const serveRpc = async (world: RpcWorld, wantedPort: number) => {
  // Node's default of 5 s may close a connection just as a client on a busy machine sends its next request.
  const http = createServer(
    { keepAliveTimeout: 75_000 },
    (request, response) => void answerHttp(world, request, response),
  )
  const upgrades = createServer((_, response) => response.writeHead(426).end())
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBytes })
  const connections = new Map<WebSocket, ReturnType<typeof connect>>()
  upgrades.on('upgrade', (request, stream, head) => {
    sockets.handleUpgrade(request, stream, head, (socket) => {
      connections.set(socket, connect(world, socket))
      socket.on('close', () => connections.delete(socket))
    })
  })
  const port = await listen(http, upgrades, wantedPort)
  return {
    port,
    /** Tells every connection's subscriptions of a new block. */
    tellAll: (block: Block): void => {
      for (const subscriptions of connections.values()) subscriptions.tellAll(block)
    },
    close: async (): Promise<void> => {
      for (const socket of connections.keys()) socket.terminate()
      const closed = [http, upgrades].map(close)
      http.closeAllConnections()
      await Promise.all(closed)
    },
  }
}
