import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { QueryClient } from '@tanstack/react-query'
import { Hono } from 'hono'
import { erc20Abi, formatEther, type Hex, numberToHex, recoverTypedDataAddress } from 'viem'
import { baseSepolia, polygonAmoy } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConfig, http } from 'wagmi'
import {
  connect,
  disconnect,
  getBalance,
  getConnection,
  readContract,
  reconnect,
  switchChain,
} from 'wagmi/actions'
import { fundAddress } from '../../../service/src/adapters/chains/evm/local/fundAddress.js'
import { faucetGift } from '../../../service/src/base/lib/faucetGift.js'
import { createSandbox } from '../../../service/src/entry/sandbox/createSandbox.js'
import type { SandboxChain } from '../../../service/src/entry/sandbox/sandboxChain.js'
import type { ServiceEnv } from '../../../service/src/interface/http/context.js'
import { createClient, createOrder, getOrder } from '../../../src/api/index.js'
import { createMemoryStorage, createPaymentAttemptStore, type WebStorage } from '../../../src/chain/index.js'
import {
  type ProposedTerms,
  permit2Address,
  writeAuthorization,
} from '../../../src/engine/evm/authorization.js'
import { getPayment } from '../../../src/query.js'
import { type SandboxWalletParameters, sandboxWallet } from '../../../src/sandbox/evm/sandboxWallet.js'
import type { SandboxPayment } from '../../../src/sandbox/sandboxPayment.js'
import { forbidStorage, prohibitionKinds } from '../../helpers/forbidStorage.js'
import { useShop } from '../../helpers/useShop.js'

const shop = useShop()
let baseUrl: string
let faucetCalls = 0
let requests = 0
let server: ReturnType<typeof createAdaptorServer>
beforeAll(async () => {
  const { deps, projectId, app } = shop.service
  const { currencies, chainId, parseAddress } = shop.world.chain
  const { rpcUrl } = shop.world.node
  const local = {
    chain: 'base-sepolia',
    chainId,
    currencies,
    contracts: shop.address.rules.contracts as { router: string; depositFactory: string },
    parseAddress,
    rpcUrl,
    fund: async (address: string, least?: Parameters<SandboxChain['fund']>[1]) => {
      faucetCalls++
      await fundAddress(await rpcUrl(), currencies, {
        address,
        give: (currency) => faucetGift(currency, least),
      })
    },
  }
  const all = new Hono<ServiceEnv>()
  all.use(async (_c, next) => {
    requests++
    await next()
  })
  all.route('/', createSandbox(deps, projectId, new Map([[local.chain, local]])))
  all.mount('/', app.fetch)
  server = createAdaptorServer({ fetch: all.fetch })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
})
afterAll(() => void server.close())

/** A page with a sandbox wallet, as far as wagmi makes one. */
const openPage = (options: Partial<SandboxWalletParameters> = {}) => {
  const config = createConfig({
    chains: [baseSepolia, polygonAmoy],
    connectors: [sandboxWallet({ baseUrl, storage: createMemoryStorage(), ...options })],
    transports: {
      [baseSepolia.id]: http(baseUrl.replace(/\/api$/, '/rpc/base-sepolia')),
      [polygonAmoy.id]: http(baseUrl.replace(/\/api$/, '/rpc/polygon-amoy')),
    },
    pollingInterval: 50,
    // A sandbox's chains lack the public contract that reads are bundled through.
    batch: { multicall: false },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  const [connector] = config.connectors
  if (!connector) throw new Error('no connector')
  const ask = async (method: string, params?: unknown): Promise<unknown> => {
    const provider = (await connector.getProvider()) as { request(call: object): Promise<unknown> }
    return provider.request({ method, params })
  }
  return { config, connector, ask, connect: () => connect(config, { connector }) }
}

const order = async (payerAddress: string, currency: string) => {
  const merchant = createClient({ baseUrl, apiKey: shop.service.serverKey })
  return createOrder(merchant, {
    body: {
      recipient: { walletAddress: payerAddress },
      payment: { method: 'base-sepolia', currency, payerAddress },
      lineItems: { collectionLocator: 'kassa:dunes' },
    },
  })
}

const buy = async (page: ReturnType<typeof openPage>, currency: string) => {
  const { accounts } = await page.connect()
  const { order: made, clientSecret } = await order(accounts[0], currency)
  const client = createClient({ baseUrl })
  const queryClient = new QueryClient()
  const { orderId } = made
  const payment = getPayment(queryClient, client, orderId)
  await payment.pay({
    orderId,
    clientSecret,
    config: page.config,
    client,
    queryClient,
    attemptStore: createPaymentAttemptStore(createMemoryStorage()),
    rules: shop.address.rules,
    now: Date.now,
  })
  return { made, payment, read: () => getOrder(client, { orderId, clientSecret }) }
}

test('default', async () => {
  const page = openPage()
  const { accounts, chainId } = await page.connect()
  expect(chainId).toBe(baseSepolia.id)
  const { value } = await getBalance(page.config, { address: accounts[0] })
  expect(formatEther(value)).toBe('1000')
})

test.each(['eth', 'usdc'])(
  'behavior: it pays for an order in %s, and the order is delivered',
  async (currency) => {
    const asked: unknown[] = []
    const page = openPage({ confirm: (payment) => asked.push(payment) > 0 })
    const { made, payment, read } = await buy(page, currency)
    expect(payment.getStep().status).toBe('paid')
    await expect.poll(async () => (await read()).phase).toBe('completed')
    const [item] = (await read()).lineItems
    expect(item?.delivery.status).toBe('completed')
    expect(asked).toEqual([
      {
        chain: 'base-sepolia',
        from: getConnection(page.config).address,
        to: expect.stringMatching(/^0x/),
        amount: made.quote.totalPrice?.amount,
        currency,
      },
    ])
  },
)

test('behavior: a reload keeps the account, and nothing is requested before the page has mounted', async () => {
  const storage = createMemoryStorage()
  const { accounts } = await openPage({ storage }).connect()
  const page = openPage({ storage })
  const before = requests
  expect(await page.connector.isAuthorized()).toBe(true)
  const connecting = reconnect(page.config)
  expect(requests).toBe(before)
  await connecting
  expect(getConnection(page.config)).toMatchObject({ status: 'connected', address: accounts[0] })
  await disconnect(page.config)
  expect(await openPage({ storage }).connector.isAuthorized()).toBe(false)
})

test('behavior: an account with enough funds receives no more', async () => {
  const storage = createMemoryStorage()
  await openPage({ storage }).connect()
  const before = faucetCalls
  await openPage({ storage }).connect()
  expect(faucetCalls).toBe(before)
})

test('behavior: an account that runs out of one token receives more', async () => {
  const page = openPage()
  const { accounts } = await page.connect()
  const usdc = shop.address.rules.tokens?.['base-sepolia']?.usdc
  if (!usdc) throw new Error('no token')
  const held = () =>
    readContract(page.config, {
      abi: erc20Abi,
      address: usdc.address,
      functionName: 'balanceOf',
      args: [accounts[0]],
    })
  const transfer = `0xa9059cbb${'9'.repeat(40).padStart(64, '0')}${950_000_000n.toString(16).padStart(64, '0')}`
  await page.ask('eth_sendTransaction', [{ from: accounts[0], to: usdc.address, data: transfer }])
  await expect.poll(held).toBe(50_000_000n)
  await disconnect(page.config)
  await page.connect()
  expect(await held()).toBe(1_050_000_000n)
})

test('behavior: a declined payment is not sent', async () => {
  const page = openPage({ confirm: async () => false })
  const { payment } = await buy(page, 'eth')
  expect(payment.getStep()).toMatchObject({ status: 'failed', error: { code: 'pay.rejected' } })
})

test.each(prohibitionKinds)('behavior: an order is bought and delivered with %s', async (kind) => {
  forbidStorage(kind)
  const page = openPage({ storage: undefined as WebStorage | undefined })
  const { payment, read } = await buy(page, 'eth')
  expect(await page.connector.isAuthorized()).toBe(true)
  expect(payment.getStep().status).toBe('paid')
  await expect.poll(async () => (await read()).phase).toBe('completed')
})

test('error: a service that is no sandbox', async () => {
  const page = openPage({ baseUrl: `${baseUrl}/2022-06-09/api` })
  await expect(page.connect()).rejects.toThrow('is not a sandbox')
  expect(getConnection(page.config).status).toBe('disconnected')
  expect(await page.connector.isAuthorized()).toBe(false)
})

test('error: a service that is no sandbox any more, after a reload', async () => {
  const storage = createMemoryStorage()
  await openPage({ storage }).connect()
  const page = openPage({ storage, baseUrl: `${baseUrl}/2022-06-09/api` })
  expect(await page.connector.isAuthorized()).toBe(true)
  await reconnect(page.config)
  expect(getConnection(page.config).status).toBe('disconnected')
  expect(await page.connector.isAuthorized()).toBe(false)
})

test('error: a service that is no sandbox, asked for its accounts', async () => {
  const page = openPage({ baseUrl: `${baseUrl}/2022-06-09/api` })
  await expect(page.ask('eth_requestAccounts')).rejects.toThrow('is not a sandbox')
  expect(await page.ask('eth_accounts')).toEqual([])
})

test.each([
  ['does not answer', () => Promise.reject(new TypeError('away'))],
  ['is being restarted', async () => new Response('', { status: 502 })],
])('behavior: a sandbox that %s while a page is reloaded is connected to', async (_, away) => {
  const storage = createMemoryStorage()
  const { accounts } = await openPage({ storage }).connect()
  const real = globalThis.fetch
  const page = openPage({ storage })
  globalThis.fetch = away
  try {
    await reconnect(page.config)
  } finally {
    globalThis.fetch = real
  }
  expect(getConnection(page.config)).toMatchObject({ status: 'connected', address: accounts[0] })
})

test('error: a service that is away, and then is back', async () => {
  const given = { baseUrl: 'http://127.0.0.1:9/api' }
  await expect(openPage(given).connect()).rejects.toThrow('does not answer')
  const real = globalThis.fetch
  const page = openPage()
  globalThis.fetch = () => Promise.reject(new TypeError('away'))
  try {
    await expect(page.connect()).rejects.toThrow('does not answer')
  } finally {
    globalThis.fetch = real
  }
  await page.connect()
  expect(getConnection(page.config).status).toBe('connected')
})

test('error: a chain that the sandbox has not', async () => {
  const page = openPage()
  await page.connect()
  await expect(switchChain(page.config, { chainId: polygonAmoy.id })).rejects.toMatchObject({ code: 4902 })
  expect(await page.ask('eth_chainId')).toBe(numberToHex(baseSepolia.id))
})

describe('a payment that the shop sends', () => {
  const recipient = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

  /** What a wallet signs to pay 1.5 USDC on the sandbox's chain, and what else it may be asked. */
  const open = async (options: Partial<SandboxWalletParameters> = {}) => {
    const page = openPage(options)
    const { accounts } = await page.connect()
    const [payer] = accounts
    const token = shop.address.rules.tokens?.['base-sepolia']?.usdc?.address ?? '0x'
    const terms: ProposedTerms = {
      kind: 'permit',
      chainId: baseSepolia.id,
      token,
      domain: { name: 'USDC', version: '2' },
      spender: recipient,
      payer,
      recipient,
      units: 1_500_000n,
      validBefore: 9n,
      nonce: `0x${'7'.repeat(64)}`,
    }
    const sign = (data: object, signer: string = payer) =>
      page.ask('eth_signTypedData_v4', [signer, JSON.stringify(data)]) as Promise<Hex>
    return { page, payer, terms, sign }
  }

  test.each(['erc3009', 'permit'] as const)('default: %s, after its owner has confirmed it', async (kind) => {
    const asked: SandboxPayment[] = []
    const { payer, terms, sign } = await open({ confirm: (payment) => asked.push(payment) > 0 })
    const { typedData, permit } = writeAuthorization({ ...terms, kind })
    for (const data of permit ? [permit, typedData] : [typedData]) {
      const signature = await sign(data)
      // The cast is deliberate: viem derives the type of a message from types that are literals.
      expect(await recoverTypedDataAddress({ ...data, signature } as never)).toBe(payer)
    }
    const shown = { chain: 'base-sepolia', from: payer, amount: '1.5', currency: 'usdc' }
    expect(asked).toEqual([
      ...(permit ? [{ ...shown, to: permit2Address }] : []),
      { ...shown, to: recipient },
    ])
  })

  test('error: one that its owner declines, of another account or chain, or that is no payment', async () => {
    const { page, terms, sign } = await open({ confirm: async () => false })
    const { typedData } = writeAuthorization({ ...terms, kind: 'erc3009' })
    const codeOf = (signing: Promise<unknown>) => signing.catch(({ code }: { code: number }) => code)
    expect(await codeOf(sign(typedData))).toBe(4001)
    expect(await codeOf(sign(typedData, recipient))).toBe(4100)
    const elsewhere = writeAuthorization({ ...terms, kind: 'erc3009', chainId: 1 }).typedData
    expect(await codeOf(sign(elsewhere))).toBe(4901)
    expect(await codeOf(sign({ ...typedData, primaryType: 'Order' }))).toBe(4200)
    const unknown = writeAuthorization({ ...terms, kind: 'erc3009', token: recipient }).typedData
    expect(await codeOf(sign(unknown))).toBe(4200)
    expect(await codeOf(sign({ ...typedData, message: { ...typedData.message, value: 'all' } }))).toBe(4200)
    expect(await codeOf(page.ask('eth_signTypedData_v4', [recipient, '{']))).toBe(4200)
  })
})

test.each([
  ['personal_sign', ['0x00'], 4200],
  ['eth_signTypedData_v4', [], 4200],
  ['wallet_addEthereumChain', [], 4200],
  [
    'eth_sendTransaction',
    [{ from: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', to: `0x${'1'.repeat(40)}` }],
    4100,
  ],
  ['eth_sendTransaction', [{ data: '0x00' }], -32602],
])('error: %s %j', async (method, params, code) => {
  const page = openPage()
  await page.connect()
  await expect(page.ask(method, params)).rejects.toMatchObject({ code })
})
