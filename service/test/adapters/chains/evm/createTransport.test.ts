import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { createPublicClient } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { createTransport, type TransportOptions } from '#adapters/chains/evm/connection/createTransport.js'

type Call = { id: number; method: string }
type Request = { body: string; headers: IncomingMessage['headers'] }

const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  for (const close of closing.splice(0).reverse()) await close()
})

/** Starts a node, and counts its requests and connections. */
const startNode = async (answer: (request: Request, response: ServerResponse) => void) => {
  const requests: Request[] = []
  let connections = 0
  const server = createServer(async (message, response) => {
    const parts: Buffer[] = []
    for await (const part of message) parts.push(part as Buffer)
    const request = { body: Buffer.concat(parts).toString(), headers: message.headers }
    requests.push(request)
    answer(request, response)
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}`, requests, countConnections: () => connections }
}

const resultOf = ({ id }: Call) => ({ jsonrpc: '2.0', id, result: `0x${id.toString(16)}` })

const json = { 'content-type': 'application/json' }

const answerAll = ({ body }: Request, response: ServerResponse): void => {
  const asked = JSON.parse(body) as Call | Call[]
  const answer = Array.isArray(asked) ? asked.map(resultOf).reverse() : resultOf(asked)
  response.writeHead(200, json).end(JSON.stringify(answer))
}

const open = (url: string, options: TransportOptions = { retryCount: 0 }) =>
  createPublicClient({ transport: createTransport(url, options) })
const ask = (client: ReturnType<typeof open>) => client.request({ method: 'eth_blockNumber' })

test('default: requests share connections, without the streams of fetch', async () => {
  const { url, requests, countConnections } = await startNode(answerAll)
  for (const name of ['fetch', 'Request', 'Response', 'ReadableStream']) {
    vi.stubGlobal(name, () => {
      throw new Error(`${name} was used`)
    })
  }
  const client = open(url)
  for (let count = 0; count < 10; count++) expect(await ask(client)).toBe('0x1')
  expect(requests).toHaveLength(10)
  // One may still be ending its answer when the next request begins.
  expect(countConnections()).toBeLessThanOrEqual(2)
})

test('behavior: the calls of a moment share a request, up to its size, and each has its own answer', async () => {
  const { url, requests } = await startNode(answerAll)
  const client = open(url, { retryCount: 0, batchSize: 3 })
  const answers = await Promise.all(Array.from({ length: 7 }, () => ask(client)))
  expect(answers).toEqual([1, 2, 3, 1, 2, 3, 1].map((id) => `0x${id}`))
  expect(requests.map(({ body }) => (JSON.parse(body) as Call[]).length).sort()).toEqual([1, 3, 3])
})

test('error: one error for a list is the error of each of its calls', async () => {
  const error = { code: -32005, message: 'limit exceeded' }
  const { url } = await startNode((_, response) =>
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id: null, error })),
  )
  const client = open(url, { retryCount: 0, batchSize: 20 })
  const settled = await Promise.allSettled([ask(client), ask(client)])
  expect(settled).toMatchObject([1, 2].map(() => ({ reason: { details: 'limit exceeded' } })))
})

test('error: a call that a list of answers leaves out', async () => {
  const { url } = await startNode(({ body }, response) =>
    response.end(JSON.stringify([null, ...(JSON.parse(body) as Call[]).slice(1).map(resultOf)])),
  )
  const client = open(url, { retryCount: 0, batchSize: 20 })
  const settled = await Promise.allSettled([ask(client), ask(client)])
  expect(settled).toMatchObject([
    { reason: { details: 'the answer has no result' } },
    { status: 'fulfilled', value: '0x2' },
  ])
})

test('behavior: a password is a header, which no error and no other place gets', async () => {
  const other = await startNode(answerAll)
  const node = await startNode((_, response) =>
    response.writeHead(307, { location: `${other.url}/rpc` }).end(),
  )
  expect(await ask(open(`http://ada:p%40ss@${node.host}`))).toBe('0x1')
  const authorization = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`
  expect(node.requests).toMatchObject([{ headers: { authorization } }])
  expect(other.requests.map(({ body, headers }) => [body, headers.authorization])).toEqual([
    [node.requests[0]?.body, undefined],
  ])
  const failing = await startNode((_, response) => response.writeHead(500).end())
  const error = await ask(open(`http://ada:p%40ss@${failing.host}`)).catch((reason: Error) => reason)
  expect(`${(error as Error).stack}`).not.toMatch(/p(?:%40|@)ss/)
})

test('error: a node that sends requests from place to place', async () => {
  const { url, requests } = await startNode((_, response) => response.writeHead(308, { location: '/' }).end())
  await expect(ask(open(url))).rejects.toMatchObject({ name: 'HttpRequestError', status: 308 })
  expect(requests).toHaveLength(6)
})

test('behavior: an answer may be compressed, and is no longer than 10 MiB', async () => {
  const long = JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${'0'.repeat(11 * 1024 * 1024)}` })
  const bodies = [Buffer.from(JSON.stringify(resultOf({ id: 1, method: '' }))), Buffer.from(long)]
  for (const isZipped of [true, false]) {
    const [short, tooLong] = await Promise.all(
      bodies.map(async (body) => {
        const headers = { ...json, ...(isZipped && { 'content-encoding': 'gzip' }) }
        const { url } = await startNode((_, response) =>
          response.writeHead(200, headers).end(isZipped ? gzipSync(body) : body),
        )
        return ask(open(url)).catch((error: Error) => error)
      }),
    )
    expect(short).toBe('0x1')
    expect(tooLong).toBeInstanceOf(Error)
  }
})

test('error: a node that does not begin to answer within 8 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { url, requests } = await startNode(() => {})
  const asked = ask(open(url)).catch((error: Error) => error)
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  await vi.advanceTimersByTimeAsync(8_000)
  expect(await asked).toMatchObject({ name: 'TimeoutError' })
})

test('behavior: requests go by the dispatcher of the process, such as a proxy', async () => {
  const { url } = await startNode(answerAll)
  const before = getGlobalDispatcher()
  const asked: unknown[] = []
  const agent = new Agent()
  closing.push(
    () => setGlobalDispatcher(before),
    () => agent.close(),
  )
  setGlobalDispatcher(
    agent.compose((dispatch) => (options, handler) => {
      asked.push(options.path)
      return dispatch(options, handler)
    }),
  )
  expect(await ask(open(`${url}/key`))).toBe('0x1')
  expect(asked).toEqual(['/key'])
})
