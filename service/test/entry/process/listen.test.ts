import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, createServer, Server } from 'node:net'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listen } from '#entry/process/listen.js'
import { limits } from '../../../../test/limits.js'
import { createShop, orderBody, ordersPath } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const findPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || !address) throw new Error('no port is free')
  return address.port
}

const shop = openBeforeAll(createShop)
let port: number
let stop: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  port = await findPort()
  stop = await listen(shop.app.fetch, { host: '127.0.0.1', port }, 'KASSA_PORT')
})
afterAll(async () => {
  await stop(100)
})

/** Sends bytes on a new connection, and returns everything until it ends. */
const exchange = async (...parts: (string | Buffer)[]): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text
  })
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return answer
}

const headers = (...lines: string[]): string => `${['host: localhost', ...lines].join('\r\n')}\r\n\r\n`
const requestId = /\r\nx-request-id: req_[0-9a-f]{24}\r\n/i

test.each([
  ['no request line', 'nonsense\r\n\r\n', 400],
  ['a header that is none', 'GET /live HTTP/1.1\r\nhost localhost\r\n\r\n', 400],
  ['no host', 'GET /live HTTP/1.1\r\n\r\n', 400],
  ['a host that is none', 'GET /live HTTP/1.1\r\nhost: a b\r\n\r\n', 400],
  ['a backslash in its path', `GET /a\\b HTTP/1.1\r\n${headers()}`, 400],
  ['two lengths', `POST /live HTTP/1.1\r\n${headers('content-length: 1', 'content-length: 2')}`, 400],
  ['headers that are too long', `GET /live HTTP/1.1\r\n${headers(`x: ${'x'.repeat(20_000)}`)}`, 431],
])('error: a request with %s has an id, and names the fault', async (_, text, status) => {
  const answer = await exchange(text)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toMatch(requestId)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  const [, body = ''] = answer.split('\r\n\r\n')
  expect(JSON.parse(body)).toEqual({ error: true, message: expect.stringMatching(/\w/) })
})

test('behavior: an unknown expectation is ignored', async () => {
  const answer = await exchange(`GET /live HTTP/1.1\r\n${headers('expect: nonsense', 'connection: close')}`)
  expect(answer).toMatch(/^HTTP\/1.1 200 /)
  expect(answer).toMatch(requestId)
})

test.each([
  ['too large a body', 413, 10_000_000],
  ['no key', 401, 900_000],
])('behavior: an answer to %s that is not sent completely announces the close', async (_, status, length) => {
  const begun = `POST ${ordersPath} HTTP/1.1\r\n${headers(`content-length: ${length}`)}`
  const answer = await exchange(begun, Buffer.alloc(100_000, 'x'))
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
})

test('behavior: a connection is used again after a refused body that was sent completely', async () => {
  const refused = `POST ${ordersPath} HTTP/1.1\r\n${headers('content-length: 900000')}`
  const last = `GET /live HTTP/1.1\r\n${headers('connection: close')}`
  const answer = await exchange(refused, Buffer.alloc(900_000, 'x'), last)
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
})

test('behavior: a client that keeps its connections gets an answer to every request', async () => {
  const agent = new Agent({ connections: 1, pipelining: 1 })
  const send = async (key: string | undefined, size: number): Promise<number> => {
    const sent = await request(`http://127.0.0.1:${port}${ordersPath}`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) },
      body: JSON.stringify({ ...orderBody, metadata: { text: 'x'.repeat(size) } }),
    })
    await sent.body.dump()
    return sent.statusCode
  }
  const statuses: number[] = []
  for (let round = 0; round < 3; round++) {
    statuses.push(await send(shop.serverKey, 1_500_000))
    statuses.push(await send(undefined, 900_000))
    statuses.push(await send(shop.serverKey, 900_000))
    statuses.push(await send(shop.serverKey, 10))
  }
  await agent.close()
  expect(statuses).toEqual(Array.from({ length: 3 }, () => [413, 401, 400, 201]).flat())
})

test('behavior: a stream that its caller leaves is closed, and open ones do not delay the end', async () => {
  const limited = await createShop({ config: { maxOrderStreams: 1 } })
  const ownPort = await findPort()
  const stopListening = await listen(limited.app.fetch, { host: '127.0.0.1', port: ownPort }, 'KASSA_PORT')
  const order = await limited.createOrder()
  const open = async () => {
    const path = `${order.path}/events`
    // A connection of its own: `fetch` opens spare ones, and leaves them silent.
    const asked = get({ port: ownPort, path, agent: false, headers: { authorization: order.clientSecret } })
    const [response]: IncomingMessage[] = await once(asked, 'response')
    if (!response) throw new Error('no answer')
    let heard = ''
    response.on('data', (bytes: Buffer) => {
      heard += bytes.toString()
    })
    const ended = once(response, 'end').then(
      () => 'ended',
      () => 'left',
    )
    return { status: response.statusCode, ended, heard: () => heard, leave: () => asked.destroy() }
  }
  const first = await open()
  const second = await open()
  expect([first.status, second.status]).toEqual([200, 429])
  first.leave()
  expect(await first.ended).toBe('left')
  // The service learns of it through the connection.
  const third = await vi.waitFor(async () => {
    const opened = await open()
    expect(opened.status).toBe(200)
    return opened
  }, limits.conditionMs)
  await expect.poll(third.heard).toContain(order.orderId)
  // With a time limit that no test has: only the streams' own end lets the listener stop.
  const stopping = stopListening(600_000)
  await limited.deps.orderStreams.stop()
  await stopping
  expect(await third.ended).toBe('ended')
  await limited.close()
})

test.each([
  ['EADDRINUSE', /in use: set KASSA_METRICS_PORT to another/],
  ['EACCES', /may not listen on port 443 of 127\.0\.0\.1 \(EACCES\): set KASSA_METRICS_PORT to 1024 or more/],
  ['EADDRNOTAVAIL', /has no address 127\.0\.0\.1: set KASSA_METRICS_HOST/],
])('error: %s names the setting', async (code, sentence) => {
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    queueMicrotask(() => this.emit('error', Object.assign(new Error(code), { code })))
    return this
  })
  const listening = listen(shop.app.fetch, { host: '127.0.0.1', port: 443 }, 'KASSA_METRICS_PORT')
  await expect(listening).rejects.toThrow(sentence)
  vi.restoreAllMocks()
})

test('error: an address that this machine does not have names the setting', async () => {
  // An address for documents, which no machine has.
  const listening = listen(
    shop.app.fetch,
    { host: '192.0.2.1', port: 4000 },
    'KASSA_PORT (of a sandbox: --port)',
  )
  await expect(listening).rejects.toThrow(/has no address 192\.0\.2\.1: set KASSA_HOST to one/)
})
