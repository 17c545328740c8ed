import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { getDeployments } from '../../src/chains/evm/connection/addresses.js'
import { fundAddress } from '../../src/chains/local/fundAddress.js'
import type { ServiceEnv } from '../../src/http/context.js'
import { onError } from '../../src/http/onError.js'
import { findKey, newApiKey } from '../../src/keys/apiKeys.js'
import { catalog } from '../../src/sandbox/catalog.js'
import { createSandbox } from '../../src/sandbox/createSandbox.js'
import { readSandboxKeys } from '../../src/sandbox/readSandboxKeys.js'
import type { SandboxChain } from '../../src/sandbox/sandboxChain.js'
import { seed } from '../../src/sandbox/seed.js'
import { createTestChain } from '../helpers/createTestChain.js'
import { createTestService } from '../helpers/createTestService.js'
import { openBeforeAll } from '../helpers/openBeforeAll.js'

const chain = openBeforeAll(createTestChain)
const service = openBeforeAll(createTestService)
let app: Hono<ServiceEnv>
let projectId: string
const keys = () => ({
  serverKey: newApiKey('server', 'staging', service.deps.randomBytes),
  clientKey: newApiKey('client', 'staging', service.deps.randomBytes),
  origins: ['http://localhost:3000'],
})
beforeAll(async () => {
  projectId = (await seed(service.deps, keys())).projectId
  const { currencies, chainId } = chain.chain
  const { router, depositFactory } = getDeployments(chain.operator, true)
  const local: SandboxChain = {
    chain: 'base-sepolia',
    chainId,
    currencies,
    contracts: { router: router.address, depositFactory: depositFactory.address },
    rpcUrl: chain.node.rpcUrl,
    fund: async (address) => fundAddress(await chain.node.rpcUrl(), currencies, address),
  }
  app = new Hono<ServiceEnv>()
  app.onError(onError(service.deps.log))
  app.route('/', createSandbox(service.deps, projectId, new Map([[local.chain, local]])))
})

const post = async (path: string, body: unknown) => {
  const response = await app.request(path, { method: 'POST', body: JSON.stringify(body) })
  const json: unknown = await response.json()
  return { status: response.status, headers: response.headers, body: json }
}
const rpc = (body: unknown) => post('/rpc/base-sepolia', body)
const call = (method: string, id: number) => ({ jsonrpc: '2.0', id, method, params: [] })
const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

test('default', async () => {
  const { router, depositFactory } = getDeployments(chain.operator, true)
  const tokenAt = (name: string) => chain.chain.currencies.find(({ currency }) => currency === name)?.address
  const response = await app.request('/sandbox')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toEqual({
    chains: {
      'base-sepolia': {
        rpcPath: '/rpc/base-sepolia',
        chainId: 84532,
        tokens: {
          usdc: { address: tokenAt('usdc'), decimals: 6 },
          usdxm: { address: tokenAt('usdxm'), decimals: 6 },
        },
        contracts: { router: router.address, depositFactory: depositFactory.address },
      },
    },
    collections: catalog.map(({ id, chain, price, currency, name, description, supplyLimit }) => ({
      id,
      locator: `kassa:${id}`,
      chain,
      name,
      description,
      imageUrl: expect.stringMatching(/^ipfs:\/\/bafkrei/),
      price,
      currency,
      supplyLimit,
    })),
  })
})

test('behavior: the pictures are small, made for the sandbox, and served', async () => {
  const { rows } = await service.database.executeSql(
    'select image_url from collections where price is not null',
  )
  expect(rows).toHaveLength(3)
  for (const { image_url } of rows as { image_url: string }[]) {
    const response = await service.app.request(image_url.replace('ipfs://', '/ipfs/'))
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    const svg = await response.text()
    expect(svg.length).toBeLessThan(40_000)
    expect(svg).not.toMatch(/<script|<text|https?:\/\/(?!www\.w3\.org)/)
  }
})

test('behavior: seeding again changes only origins', async () => {
  const given = keys()
  expect((await seed(service.deps, given)).projectId).toBe(projectId)
  const moved = { ...given, origins: ['http://localhost:3001'] }
  expect((await seed(service.deps, moved)).projectId).toBe(projectId)
  expect(await findKey(service.deps.db, 'staging', given.clientKey)).toMatchObject({ origins: moved.origins })
  const { rows } = await service.database.executeSql('select id from collections order by id')
  expect(rows).toHaveLength(5)
})

test('behavior: the faucet adds to the existing balance', async () => {
  const { client } = chain
  await client.setBalance({ address, value: 5n })
  const { headers, ...answer } = await post('/sandbox/fund', { chain: 'base-sepolia', address })
  expect(answer).toEqual({ status: 200, body: { chain: 'base-sepolia', address } })
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(await client.getBalance({ address })).toBe(1_000n * 10n ** 18n + 5n)
  for (const currency of ['usdc', 'usdxm']) {
    expect(await chain.tokensOf(address, currency)).toBe(1_000_000_000n)
  }
})

test('behavior: several addresses may use the faucet at once', async () => {
  const others = ['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`)
  const answers = await Promise.all(
    others.map((other) => post('/sandbox/fund', { chain: 'base-sepolia', address: other })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('behavior: browsers reach the chain, one call or several', async () => {
  expect((await rpc(call('eth_chainId', 7))).body).toMatchObject({ id: 7, result: '0x14a34' })
  const { body, headers } = await rpc([call('eth_chainId', 1), call('anvil_mine', 2), call('net_version', 3)])
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(body).toMatchObject([
    { id: 1, result: '0x14a34' },
    { id: 2, error: { code: -32601 } },
    { id: 3, result: '84532' },
  ])
})

test.each([
  'anvil_setBalance',
  'evm_mine',
  'hardhat_reset',
  'debug_traceTransaction',
  'eth_sendTransaction',
  'eth_sendUnsignedTransaction',
  'eth_sign',
  'eth_signTypedData_v4',
  'eth_accounts',
  'personal_unlockAccount',
])('error: %s is not forwarded', async (method) => {
  expect((await rpc(call(method, 1))).body).toMatchObject({ id: 1, error: { code: -32601 } })
})

test('error: the faucet refuses invalid addresses, and has a limit', async () => {
  expect((await post('/sandbox/fund', { chain: 'nowhere', address })).status).toBe(404)
  expect((await post('/sandbox/fund', { chain: 'base-sepolia', address: 'me' })).body).toEqual({
    error: true,
    message: expect.stringContaining('address: '),
  })
  const greedy = `0x${'9'.repeat(40)}`
  const statuses: number[] = []
  for (let n = 0; n < 21; n++) {
    const { status } = await post('/sandbox/fund', { chain: 'base-sepolia', address: greedy })
    statuses.push(status)
  }
  expect(statuses.at(-2)).toBe(200)
  expect(statuses.at(-1)).toBe(429)
})

test('error: a key of the wrong kind', () => {
  const given = keys()
  const read = (env: Record<string, string>) => () => readSandboxKeys(env, '', service.deps.randomBytes)
  expect(read({ KASSA_SERVER_KEY: given.clientKey })).toThrow('KASSA_SERVER_KEY')
  expect(read({ KASSA_SERVER_KEY: given.serverKey, KASSA_CLIENT_KEY: given.serverKey })).toThrow(
    'KASSA_CLIENT_KEY',
  )
  const env = {
    KASSA_SERVER_KEY: given.serverKey,
    KASSA_CLIENT_KEY: given.clientKey,
    KASSA_ORIGINS: 'http://localhost:3100',
  }
  expect(read(env)().origins).toEqual(['http://localhost:3100'])
})
