import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RpcTransport } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAskTogether } from '#adapters/chains/solana/connection/askTogether.js'
import { createClusterCheck } from '#adapters/chains/solana/connection/clusterCheck.js'
import { openRpc } from '#adapters/chains/solana/connection/connect.js'
import { createTransport } from '#adapters/chains/solana/connection/createTransport.js'
import { parseSignature } from '#adapters/chains/solana/connection/parseSignature.js'
import { readHead } from '#adapters/chains/solana/connection/readBlock.js'
import { withNode } from '#adapters/chains/solana/connection/withNode.js'
import { startLocalSolana } from '#adapters/chains/solana/local/startLocalSolana.js'

let node: Awaited<ReturnType<typeof startLocalSolana>>
/** Where every copy of `undici` finds the dispatcher. The other tests of this process use Node’s own. */
const place = Symbol.for('undici.globalDispatcher.1')
const before: unknown = Reflect.get(globalThis, place)
beforeAll(async () => {
  node = await startLocalSolana({ port: 0, slotMs: 20 })
  // The service loads `undici`, whose dispatcher then carries what `fetch` sends.
  const { Agent, setGlobalDispatcher } = await import('undici')
  setGlobalDispatcher(new Agent())
})
afterAll(async () => {
  Object.defineProperty(globalThis, place, {
    value: before,
    writable: true,
    enumerable: false,
    configurable: false,
  })
  await node.close()
})

test('default: a node is read in a process whose fetch is carried by undici', async () => {
  const rpc = await openRpc({ rpcUrl: async () => node.rpcUrl })
  expect(await rpc.getBlockHeight({ commitment: 'processed' }).send()).toEqual(expect.any(BigInt))
})

/** Asks a node that answers every request so, and returns what that throws. */
const failAt = async (status: number, body: object): Promise<unknown> => {
  const server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const rpc = await openRpc({ rpcUrl: async () => `http://127.0.0.1:${port}` })
  try {
    return await withNode('solana', () => rpc.getBlockHeight().send()).then(
      () => undefined,
      (error: unknown) => error,
    )
  } finally {
    server.close()
  }
}

test.each([429, 500, 503])('error: chain-unavailable, a node that answers with status %i', async (status) => {
  const server = createServer((_, response) => response.writeHead(status).end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const rpc = await openRpc({ rpcUrl: async () => `http://127.0.0.1:${port}` })
  const answer = withNode('solana', () => rpc.getBlockHeight().send())
  await expect(answer).rejects.toMatchObject({ code: 'chain-unavailable' })
  server.close()
})

test('error: a mistake of the service is no failure of the node', async () => {
  const answer = withNode('solana', async () => (undefined as unknown as { asked: () => number }).asked())
  await expect(answer).rejects.toThrow(TypeError)
})

test.each<[string, number, { code: number; message: string }, boolean]>([
  ['a plan that is used up', 429, { code: 429, message: 'Too Many Requests' }, false],
  ['a code 429 under status 200', 200, { code: 429, message: 'Too Many Requests' }, false],
  ['EIP-1474’s limit', 200, { code: -32005, message: 'limit exceeded' }, false],
  ['QuickNode’s limit', 200, { code: -32007, message: '50/second request limit reached' }, false],
  ['a limit of a node behind proxyd', 200, { code: -32016, message: 'over rate limit' }, false],
  ['words alone', 200, { code: -32000, message: 'Your plan has reached its rate limit' }, false],
  ['an origin that is not listed', 403, { code: 403, message: 'Forbidden' }, true],
  ['a node that is behind', 200, { code: -32005, message: 'Node is behind by 42 slots' }, true],
  ['a slot that was skipped', 200, { code: -32007, message: 'Slot 5 was skipped' }, true],
  [
    'a slot that was not reached',
    200,
    { code: -32016, message: 'Minimum context slot has not been reached' },
    true,
  ],
  ['a code of its own', 200, { code: -32099, message: 'something else' }, false],
  ['a code outside JSON-RPC', 200, { code: 35, message: 'not on your plan' }, false],
  ['a method that it does not have', 200, { code: -32601, message: 'Method not found' }, false],
])('error: chain-unavailable, %s', async (_, status, error, isOutage) => {
  const failed = await failAt(status, { jsonrpc: '2.0', id: '0', error })
  expect(failed).toMatchObject({ code: 'chain-unavailable', isOutage })
})

test.each([
  [
    'a simulation',
    {
      code: -32002,
      message: 'Transaction simulation failed: rate limit of mints',
      data: { err: 'AccountNotFound' },
    },
  ],
  ['a wrong parameter', { code: -32602, message: 'Invalid param: WrongSize' }],
])('behavior: the failure of %s is about the work, not the node', async (_, error) => {
  const failed = await failAt(200, { jsonrpc: '2.0', id: '0', error })
  expect(failed).toBeInstanceOf(Error)
  expect(failed).not.toMatchObject({ code: 'chain-unavailable' })
})

test('error: chain-unavailable, a node that cannot be reached', async () => {
  const rpc = await openRpc({ rpcUrl: async () => 'http://127.0.0.1:1' })
  const answer = withNode('solana', () => rpc.getBlockHeight().send())
  await expect(answer).rejects.toMatchObject({ code: 'chain-unavailable' })
})

test('error: chain-unavailable, a node that does not answer in time', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = withNode('solana', () =>
    fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(20) }),
  )
  await expect(answer).rejects.toMatchObject({ code: 'chain-unavailable' })
  server.close()
})

test('behavior: requests of a list are answered in their order, or none is', async () => {
  const calls = ['getGenesisHash', 'getFirstAvailableBlock'].map((method) => ({ method, params: [] }))
  const ask = createAskTogether(createTransport(node.rpcUrl), undefined)
  expect(await ask(calls)).toEqual([expect.any(String), expect.any(BigInt)])
  expect(await ask([...calls, { method: 'unknown', params: [] }])).toBeUndefined()
  const answers = [
    { jsonrpc: '2.0', id: '1', result: 'second' },
    { jsonrpc: '2.0', id: '0', result: 'first' },
  ]
  const answer = (value: unknown) => createAskTogether((async () => value) as RpcTransport, undefined)(calls)
  expect(await answer(answers)).toEqual(['first', 'second'])
  expect(
    await answer({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no lists' } }),
  ).toBeUndefined()
})

test('error: chain-unavailable, a list that a node of another cluster answers', async () => {
  const check = createClusterCheck({ chain: 'solana', isLocal: false, isTestnet: false })
  const ask = createAskTogether(createTransport(node.rpcUrl), check)
  await expect(ask([{ method: 'getFirstAvailableBlock', params: [] }])).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('KASSA_RPC_SOLANA'),
  })
})

/** A node that has lost its newest block each time before it shows it. */
const openForking = async (times: number) => {
  const rpc = await openRpc({ rpcUrl: async () => node.rpcUrl })
  let left = times
  const getBlocks = (...input: Parameters<typeof rpc.getBlocks>) => ({
    send: async () => {
      const slots = await rpc.getBlocks(...input).send()
      return left-- > 0 ? [...slots, (slots.at(-1) ?? 0n) + 1_000n] : slots
    },
  })
  return new Proxy(rpc, {
    get: (target, name) => (name === 'getBlocks' ? getBlocks : Reflect.get(target, name)),
  })
}

test('behavior: a block that is replaced while it is read is read again', async () => {
  expect(await readHead(await openForking(2))).toMatchObject({ hash: expect.any(String) })
})

test('error: chain-unavailable, blocks that are replaced each time they are read', async () => {
  const answer = withNode('solana', async () => readHead(await openForking(3)))
  await expect(answer).rejects.toMatchObject({ code: 'chain-unavailable' })
})

test.each([
  ['an EVM chain’s hash', `0x${'a'.repeat(64)}`],
  ['words', 'not a signature'],
  ['the empty text', ''],
])('param: a reported transaction, %s is no signature', (_, text) => {
  expect(parseSignature(text)).toBeUndefined()
})
