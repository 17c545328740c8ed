import { expect, test, vi } from 'vitest'
import { measureFlood } from '../../bench/flood/measureFlood.js'

const stopped: string[] = []
const stop = (what: string) => async () => {
  stopped.push(what)
}

vi.mock('../../service/test/helpers/startPostgres.js', () => ({
  startPostgres: async () => ({ createDatabase: async () => 'postgres://', stop: stop('PostgreSQL') }),
}))
vi.mock('../../service/src/adapters/chains/evm/local/localNode.js', () => ({
  createLocalNode: () => ({ rpcUrl: async () => 'http://127.0.0.1:1', stop: stop('node') }),
}))
vi.mock('../../service/test/helpers/startRelay.js', () => ({
  startRelay: async () => ({ url: 'http://127.0.0.1:2', close: stop('relay') }),
}))
vi.mock('../../scripts/lib/sandbox.mjs', () => ({
  openSandbox: () => ({ operatorKey: `0x${'11'.repeat(32)}` }),
}))
vi.mock('../../scripts/lib/stack.mjs', () => ({
  startService: () => Promise.reject(new Error('the service ended')),
}))

test('error: if the service does not start, what was started before it is stopped', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () =>
    Response.json({ jsonrpc: '2.0', id: 1, result: null }),
  )
  await expect(measureFlood()).rejects.toThrow('the service ended')
  vi.restoreAllMocks()
  expect(stopped).toEqual(['relay', 'node', 'PostgreSQL'])
})
