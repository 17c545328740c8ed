import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient } from 'viem'
import { describe, expect, test } from 'vitest'
import { createTransport } from '#adapters/chains/evm/connection/createTransport.js'
import { classifyNodeError, withNode } from '#adapters/chains/evm/connection/rpc.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { openBeforeAll } from '../../../helpers/openBeforeAll.js'
import { startRelay } from '../../../helpers/startRelay.js'

const answer = (code: number, message: string) => ({ jsonrpc: '2.0', id: 1, error: { code, message } })

/** Returns what a client throws at a node that answers every request so. */
const failAt = async (status: number, body: object | string): Promise<unknown> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createPublicClient({ transport: createTransport(url, { retryCount: 0 }) })
  try {
    return await client.getBlockNumber({ cacheTime: 0 }).then(
      () => undefined,
      (error: unknown) => error,
    )
  } finally {
    server.close()
  }
}

test.each<[string, number, object | string, string]>([
  ['Alchemy, compute units', 429, answer(429, 'Your app has exceeded its compute units'), 'limited'],
  ['a code 429 under status 200', 200, answer(429, 'Too Many Requests'), 'limited'],
  ['Infura, project', 429, answer(-32005, 'daily request count exceeded, request rate limited'), 'limited'],
  ['EIP-1474', 200, answer(-32005, 'limit exceeded'), 'limited'],
  ['QuickNode', 200, answer(-32007, '50/second request limit reached'), 'limited'],
  ['a public node behind proxyd', 200, answer(-32016, 'over rate limit'), 'limited'],
  ['the same, with its status', 429, answer(-32016, 'over rate limit'), 'limited'],
  ['proxyd without back ends', 503, answer(-32011, 'no backends available for method'), 'away'],
  ['proxyd, its time', 504, answer(-32015, 'gateway timeout'), 'away'],
  ['a provider of many chains', 200, answer(-32090, 'Too many requests, retry in 10s'), 'limited'],
  ['BlockVision', 200, answer(-32605, 'Too many requests were made'), 'limited'],
  ['words alone', 200, answer(-32000, 'Your plan has reached its rate limit'), 'limited'],
  ['a status without a body', 429, '', 'limited'],
  ['a plan that has ended', 402, answer(-32000, 'plan'), 'refused'],
  ['an origin that is not listed', 403, answer(-32000, 'Origin not on the list'), 'refused'],
  ['a key that is wrong', 401, 'invalid key', 'refused'],
  ['Ankr without a key', 200, answer(-32051, 'API key is not provided'), 'refused'],
  [
    'words about a key',
    200,
    answer(-32000, 'Unauthorized: you must authenticate with an API key'),
    'refused',
  ],
  ['a proxy in front', 502, '<html>Bad Gateway</html>', 'away'],
  ['no JSON', 200, '<html>', 'away'],
  ['an internal error', 200, answer(-32603, 'internal error'), 'away'],
  ['a block that it does not have yet', 200, answer(-32602, 'invalid block'), 'away'],
  ['a resource', 200, answer(-32002, 'resource unavailable'), 'away'],
  ['a status that only one proxy uses', 529, answer(-32000, 'overloaded'), 'away'],
  ['its time, in words', 200, answer(-32000, 'request timed out'), 'away'],
  ['an account without credits', 200, answer(-32000, 'out of credits'), 'limited'],
  ['a state that was pruned', 200, answer(-32000, 'missing trie node'), 'unserved'],
  ['a block that it lost', 200, answer(-32000, 'header not found'), 'unserved'],
  ['a method that it does not have', 200, answer(-32601, 'method not found'), 'unserved'],
  ['Alchemy, a network of another plan', 200, answer(-32600, 'not enabled for this app'), 'unserved'],
  ['dRPC, a plan', 200, answer(35, 'ranges over 10000 blocks are not supported on freetier'), 'unserved'],
  ['an error with status 404', 404, answer(-32000, 'unknown chain'), 'unserved'],
])('default: %s', async (_, status, body, failure) => {
  const error = await failAt(status, body)
  expect(classifyNodeError(error)).toBe(failure)
  await expect(withNode('base', () => Promise.reject(error))).rejects.toMatchObject({
    code: 'chain-unavailable',
    isOutage: failure === 'away' || failure === 'refused',
    retryAfterSeconds: expect.any(Number),
  })
})

test.each<[string, object]>([
  ['a revert', answer(3, 'execution reverted: rate limit of mints reached')],
  ['a revert under the code of everything', answer(-32000, 'execution reverted: quota')],
  ['a halt', answer(-32015, 'VM execution error.')],
  ['a nonce that is used', answer(-32000, 'nonce too low')],
  ['too little gas money', answer(-32000, 'insufficient funds for gas * price + value')],
  ['a full pool', answer(-32000, 'txpool is full')],
  ['gas over the limit of a block', answer(-32000, 'exceeds block gas limit')],
])('behavior: %s is about the work, not the node', async (_, body) => {
  const error = await failAt(200, body)
  expect(error).toBeInstanceOf(Error)
  expect(classifyNodeError(error)).toBeUndefined()
  await expect(withNode('base', () => Promise.reject(error))).rejects.toBe(error)
})

describe('on a chain', () => {
  const world = openBeforeAll(createTestChain)

  test('behavior: a node that limits fails what it is asked, and is asked no more for that', async () => {
    let isLimiting = false
    const asked: string[] = []
    const relay = await startRelay(
      await world.node.rpcUrl(),
      async () => {},
      (body) => {
        if (!isLimiting) return undefined
        asked.push(body)
        return { code: -32016, message: 'over rate limit' }
      },
    )
    const port = world.open({ rpcUrl: async () => relay.url, finality: 'safe' })
    await port.ready()
    isLimiting = true
    const refused = { code: 'chain-unavailable', retryAfterSeconds: 10 }
    await expect(port.getHead()).rejects.toMatchObject(refused)
    // Counting confirmations instead could call a payment final that is not.
    await expect(port.getFinalBlock()).rejects.toMatchObject(refused)
    const before = asked.length
    await expect(port.getHead()).rejects.toMatchObject(refused)
    // It is not connected anew.
    expect(asked.slice(before).every((body) => !body.includes('eth_chainId'))).toBe(true)
    isLimiting = false
    expect(await port.getHead()).toMatchObject({ hash: expect.any(String) })
    await relay.close()
  })
})
