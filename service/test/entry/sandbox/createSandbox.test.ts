import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { getDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { fundAddress } from '#adapters/chains/evm/local/fundAddress.js'
import { parseConfig } from '#base/config/parseConfig.js'
import { faucetGift } from '#base/lib/faucetGift.js'
import { catalog } from '#entry/sandbox/catalog.js'
import { createSandbox } from '#entry/sandbox/createSandbox.js'
import { readSandboxKeys } from '#entry/sandbox/readSandboxKeys.js'
import type { SandboxChain } from '#entry/sandbox/sandboxChain.js'
import { seed } from '#entry/sandbox/seed.js'
import { findKey, newApiKey } from '#identity/keys/apiKeys.js'
import type { ServiceEnv } from '#interface/http/context.js'
import { onError } from '#interface/http/onError.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const chain = openBeforeAll(createTestChain)
const { chains } = parseConfig({
  KASSA_SANDBOX: '1',
  KASSA_CHAINS: 'base-sepolia,polygon-amoy,ethereum-sepolia,solana',
})
const service = openBeforeAll(() => createTestService({ config: { chains } }))
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
    parseAddress: chain.chain.parseAddress,
    rpcUrl: chain.node.rpcUrl,
    fund: async (address, least) =>
      fundAddress(await chain.node.rpcUrl(), currencies, {
        address,
        give: (currency) => faucetGift(currency, least),
      }),
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

/** The list prices at the test's rates. */
const inDollars: Record<string, string> = {
  'dunes-at-dusk': '36.00',
  'coral-lattice': '18.50',
  'quiet-orbit': '42.00',
  'night-ferry': '22.50',
}

test('default', async () => {
  const { router, depositFactory } = getDeployments(chain.operator, true)
  const tokenAt = (name: string) => chain.chain.currencies.find(({ currency }) => currency === name)?.address
  const response = await app.request('/sandbox')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toEqual({
    chains: {
      'base-sepolia': {
        rpcPath: '/rpc/base-sepolia',
        explorerPath: '/sandbox/explorer/base-sepolia',
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
      standard: chain === 'solana' ? 'token-2022' : 'erc-721',
      name,
      description,
      imageUrl: expect.stringMatching(/^ipfs:\/\/bafkrei/),
      price,
      currency,
      fiat: { amount: inDollars[id], currency: 'usd' },
      supplyLimit,
      available: supplyLimit,
    })),
  })
})

test('behavior: the pictures are small, made for the sandbox, and served', async () => {
  const { rows } = await service.database.executeSql(
    'select image_url from collections where price is not null',
  )
  expect(rows).toHaveLength(4)
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
  expect(rows).toHaveLength(6)
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

test('behavior: the faucet gives at least what an order costs', async () => {
  const buyer = `0x${'7'.repeat(40)}` as const
  const fund = async (least: unknown) =>
    post('/sandbox/fund', { chain: 'base-sepolia', address: buyer, least })
  expect((await fund({ amount: '2520.5', currency: 'usdc' })).status).toBe(200)
  expect(await chain.tokensOf(buyer, 'usdc')).toBe(2_521_000_000n)
  expect(await chain.tokensOf(buyer, 'usdxm')).toBe(1_000_000_000n)
  expect((await fund({ amount: '12', currency: 'usdc' })).status).toBe(200)
  expect(await chain.tokensOf(buyer, 'usdc')).toBe(3_521_000_000n)
  expect(await fund({ amount: '1000000', currency: 'usdc' })).toMatchObject({ status: 400 })
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

test('behavior: a transaction has a page: what moved, and from whom to whom', async () => {
  const buyer = `0x${'5'.repeat(40)}`
  await post('/sandbox/fund', { chain: 'base-sepolia', address: buyer })
  const { transactions, number } = await chain.client.getBlock()
  const response = await app.request(`/sandbox/explorer/base-sepolia/tx/${transactions[0]}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const page = await response.text()
  for (const text of ['Base Sepolia', 'Succeeded', `<dd>${number}</dd>`, buyer, `${transactions[0]}`])
    expect(page).toContain(text)
  expect(page).toMatch(/<strong>1000 USDX?[CM]<\/strong>/)
  const unknown = await app.request(`/sandbox/explorer/base-sepolia/tx/0x${'e'.repeat(64)}`)
  expect(unknown.status).toBe(404)
  expect(await unknown.text()).toContain('Base Sepolia has no transaction')
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
