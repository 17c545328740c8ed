import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createHeads } from '#adapters/chains/evm/connection/heads.js'
import { limits } from '../../../../../test/limits.js'
import { createTestChain } from '../../../helpers/createTestChain.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A node that announces blocks when the test says so. */
const openNode = async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  closing.push(() => server.close())
  const sockets: WebSocket[] = []
  const asked: unknown[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('message', (data) => asked.push(JSON.parse(String(data))))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    sockets,
    asked,
    announce: () =>
      sockets.at(-1)?.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: {} })),
  }
}

const listen = (url?: string) => {
  const heads = createHeads()
  closing.push(heads.close)
  let count = 0
  const stop = heads.watch(() => (count += 1))
  if (url) heads.listen(url)
  return { heads, stop, count: () => count }
}

test('default: a local chain announces each of its blocks', async () => {
  const world = await createTestChain()
  closing.push(world.close)
  const { heads, count } = listen((await world.node.rpcUrl()).replace(/^http/, 'ws'))
  await vi.waitFor(async () => {
    await world.client.mine({ blocks: 1 })
    expect(count()).toBeGreaterThan(0)
  }, limits.conditionMs)
  const next = heads.next(60_000)
  await world.client.mine({ blocks: 1 })
  await next
})

test('behavior: answers to the subscription are no blocks', async () => {
  const node = await openNode()
  const { count } = listen(node.url)
  await expect.poll(() => node.asked).toMatchObject([{ method: 'eth_subscribe', params: ['newHeads'] }])
  for (const text of ['{"id":1,"result":"0x1"}', 'no JSON', '{"id":1,"error":{}}'])
    node.sockets[0]?.send(text)
  node.announce()
  await expect.poll(() => count()).toBe(1)
})

test('behavior: after the connection broke it listens again', async () => {
  const node = await openNode()
  const { count } = listen(node.url)
  await expect.poll(() => node.asked).toHaveLength(1)
  node.sockets[0]?.terminate()
  await expect.poll(() => node.asked).toHaveLength(2)
  node.announce()
  await expect.poll(() => count()).toBe(1)
})

test('behavior: a node that moved is listened to at its new URL only', async () => {
  const [first, second] = [await openNode(), await openNode()]
  const { heads, count } = listen(first.url)
  await expect.poll(() => first.asked).toHaveLength(1)
  heads.listen(second.url)
  await expect.poll(() => second.asked).toHaveLength(1)
  first.announce()
  second.announce()
  await expect.poll(() => count()).toBe(1)
})

test('behavior: who watches no more is not called', async () => {
  const node = await openNode()
  const { stop, count } = listen(node.url)
  await expect.poll(() => node.asked).toHaveLength(1)
  stop()
  const { count: countOther } = listen(node.url)
  await expect.poll(() => node.asked).toHaveLength(2)
  for (const socket of node.sockets) socket.send('{"method":"eth_subscription"}')
  await expect.poll(() => countOther()).toBe(1)
  expect(count()).toBe(0)
})

test('behavior: without announcements, a wait ends with its time', async () => {
  const node = await openNode()
  await listen().heads.next(20)
  await listen(node.url).heads.next(20)
  await listen('ws://127.0.0.1:1').heads.next(20)
})

test('behavior: a node announces its blocks once it takes the subscription, until it is silent or gone', async () => {
  const node = await openNode()
  const { heads, count } = listen(node.url)
  await expect.poll(() => node.asked).toHaveLength(1)
  node.sockets[0]?.send('{"id":1,"error":{}}')
  node.announce()
  await expect.poll(() => count()).toBe(1)
  expect(heads.isLive()).toBe(true)
  const silent = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 15_000)
  expect(heads.isLive()).toBe(false)
  silent.mockRestore()
  node.sockets[0]?.send('{"id":1,"result":"0x1"}')
  node.sockets[0]?.terminate()
  await expect.poll(() => heads.isLive()).toBe(false)
  await expect.poll(() => node.asked).toHaveLength(2)
  expect(heads.isLive()).toBe(false)
  node.sockets[1]?.send('{"id":1,"result":"0x1"}')
  await expect.poll(() => heads.isLive()).toBe(true)
})

test('behavior: the number of a block is passed on, if the node names it', async () => {
  const node = await openNode()
  const heads = createHeads()
  closing.push(heads.close)
  const numbers: (bigint | undefined)[] = []
  heads.watch((number) => numbers.push(number))
  heads.listen(node.url)
  await expect.poll(() => node.asked).toHaveLength(1)
  for (const result of ['{"number":"0x1f"}', '{"number":31}', '{}'])
    node.sockets[0]?.send(`{"method":"eth_subscription","params":{"result":${result}}}`)
  await expect.poll(() => numbers).toEqual([31n, undefined, undefined])
})
