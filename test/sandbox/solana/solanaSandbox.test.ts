import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { getSandboxSolana, registerSolanaSandboxWallet } from 'kassa/sandbox'
import { solana } from 'kassa/solana'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { accountAddress } from '../../../service/src/adapters/chains/solana/connection/accountAddress.js'
import { parseConfig } from '../../../service/src/base/config/parseConfig.js'
import { openChain } from '../../../service/src/entry/openChain.js'
import { toSandboxChains } from '../../../service/src/entry/process/toSandboxChains.js'
import { createSandbox } from '../../../service/src/entry/sandbox/createSandbox.js'
import type { ServiceEnv } from '../../../service/src/interface/http/context.js'
import { createTestService } from '../../../service/test/helpers/createTestService.js'
import { createMemoryStorage } from '../../../src/chain/index.js'
import {
  fromBase64,
  readTransaction,
  toBase64,
  writeUnsigned,
} from '../../../src/chain/solana/transaction.js'
import { encodeBase58 } from '../../../src/engine/solana/base58.js'
import { openNode } from '../../../src/pay/solana/node.js'
import type { StandardWallet } from '../../../src/pay/solana/walletStandard.js'
import { watchWallets } from '../../../src/pay/solana/walletStandard.js'
import { limits } from '../../limits.js'

const contracts = { router: '0x', depositFactory: '0x' }
let baseUrl: string
let close: () => Promise<void>
let operator: string
let chain: ReturnType<typeof openChain>

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kassa-sandbox-'))
  const config = { ...parseConfig({ KASSA_SANDBOX: '1', KASSA_CHAINS: 'solana' }), dataDir }
  const service = await createTestService({ config })
  chain = openChain({ config, db: service.deps.db, log: service.deps.log }, 'solana')
  operator = accountAddress(config.solanaOperatorKey ?? new Uint8Array(32))
  const app = new Hono<ServiceEnv>()
  app.route(
    '/',
    createSandbox(service.deps, service.projectId, toSandboxChains([chain], { contracts, operator })),
  )
  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  close = async () => {
    server.close()
    await chain.port.close()
    await service.close()
    rmSync(dataDir, { recursive: true })
  }
})
afterAll(() => close())
afterEach(() => void vi.unstubAllGlobals())

type Options = Omit<Parameters<typeof registerSolanaSandboxWallet>[0], 'baseUrl'>

/** Opens a page with a sandbox wallet, as far as wallets need one. */
const openPage = ({ storage = createMemoryStorage(), ...options }: Options = {}) => {
  vi.stubGlobal('window', new EventTarget())
  let found: readonly StandardWallet[] = []
  watchWallets((wallets) => {
    found = wallets
  })
  const remove = registerSolanaSandboxWallet({ baseUrl, storage, ...options })
  const [wallet] = found
  if (!wallet) throw new Error('no wallet')
  const { features } = wallet
  return {
    wallet,
    remove,
    storage,
    getFound: () => found,
    connect: async (input?: { silent?: boolean }) => {
      const { accounts = [] } = (await features['standard:connect']?.connect(input)) ?? {}
      return accounts[0]
    },
    disconnect: () => features['standard:disconnect']?.disconnect(),
  }
}

const openCluster = async () => {
  const { rpcUrl } = await getSandboxSolana({ baseUrl })
  return openNode(rpcUrl)
}

const units = 500_000_000n

/** The transaction that pays an order from an account, as the service prepares it. */
const prepare = async (payer: string, currency = 'sol') => {
  const prepared = await chain.port.preparePayment({
    orderId: crypto.randomUUID(),
    payer,
    currency,
    units,
    deadlineMs: Date.now() + 60_000,
  })
  const message = prepared.status === 'ready' ? fromBase64(prepared.serializedTransaction) : undefined
  if (!message) throw new Error('nothing to sign')
  return { message, transaction: writeUnsigned(message) }
}

/** Connects a wallet, and has it sign and send the payment of an order. */
const pay = async (page: ReturnType<typeof openPage>, currency?: string, cluster = 'solana:localnet') => {
  const account = await page.connect()
  if (!account) throw new Error('no account')
  const { transaction } = await prepare(account.address, currency)
  const send = page.wallet.features['solana:signAndSendTransaction']
  const [sent] = (await send?.signAndSendTransaction({ account, transaction, chain: cluster })) ?? []
  return { account, signature: encodeBase58(sent?.signature ?? new Uint8Array()) }
}

test('default: the wallet connects with funds of the faucet, and keeps its account', async () => {
  const page = openPage()
  const account = await page.connect()
  const node = await openCluster()
  expect(await node.getBalance(account?.address ?? '')).toBe(1_000_000_000_000n)
  const reopened = openPage({ storage: page.storage })
  expect((await reopened.connect({ silent: true }))?.address).toBe(account?.address)
})

test('behavior: it does not connect by itself before the owner has connected it, or after they disconnected', async () => {
  const page = openPage()
  expect(await page.connect({ silent: true })).toBe(undefined)
  await page.connect()
  await page.disconnect()
  expect(page.wallet.accounts).toEqual([])
  expect(await page.connect({ silent: true })).toBe(undefined)
})

test.each([
  ['sol', '0.5'],
  ['usdc', '500'],
])('behavior: it asks its owner, signs and sends a payment in %s', async (currency, amount) => {
  const confirm = vi.fn(() => true)
  const { account, signature } = await pay(openPage({ confirm }), currency)
  expect(confirm).toHaveBeenCalledExactlyOnceWith({
    chain: 'solana',
    from: account.address,
    to: expect.any(String),
    amount,
    currency,
  })
  const node = await openCluster()
  await vi.waitFor(
    async () => expect(await node.getStatus(signature)).toMatchObject({ err: null }),
    limits.conditionMs,
  )
})

test('behavior: it signs without sending', async () => {
  const page = openPage()
  const account = await page.connect()
  if (!account) throw new Error('no account')
  const { message, transaction } = await prepare(account.address)
  const sign = page.wallet.features['solana:signTransaction']
  const [signed] = (await sign?.signTransaction({ account, transaction, chain: 'solana:localnet' })) ?? []
  const wire = signed && readTransaction(signed.signedTransaction)
  expect(wire?.message).toEqual(message)
  const node = await openCluster()
  await node.send(toBase64(signed?.signedTransaction ?? new Uint8Array()))
})

test('error: 4001 when its owner declines', async () => {
  await expect(pay(openPage({ confirm: () => false }))).rejects.toMatchObject({ code: 4001 })
})

test('error: 4901 on another cluster', async () => {
  await expect(pay(openPage(), 'sol', 'solana:mainnet')).rejects.toMatchObject({ code: 4901 })
})

test('error: 4100 for another account, and after disconnecting', async () => {
  const page = openPage()
  const account = await page.connect()
  if (!account) throw new Error('no account')
  const { transaction } = await prepare(account.address)
  const send = page.wallet.features['solana:signAndSendTransaction']
  const ask = (address: string) =>
    send?.signAndSendTransaction({ account: { ...account, address }, transaction, chain: 'solana:localnet' })
  await expect(ask(operator)).rejects.toMatchObject({ code: 4100 })
  await page.disconnect()
  await expect(ask(account.address)).rejects.toMatchObject({ code: 4100 })
})

test('error: 4200 for anything that is no payment from its account', async () => {
  const page = openPage()
  const account = await page.connect()
  if (!account) throw new Error('no account')
  const other = await openPage().connect()
  const { message } = await prepare(other?.address ?? '')
  const send = page.wallet.features['solana:signAndSendTransaction']
  for (const transaction of [writeUnsigned(message), new Uint8Array(80), new Uint8Array()]) {
    await expect(
      send?.signAndSendTransaction({ account, transaction, chain: 'solana:localnet' }),
    ).rejects.toMatchObject({ code: 4200 })
  }
})

test('behavior: a wallet that is removed is not found any more', () => {
  const page = openPage()
  page.remove()
  expect(page.getFound()).toEqual([])
})

test('default: the parameters of a checkout on the cluster', async () => {
  const parameters = await getSandboxSolana({ baseUrl })
  expect(parameters).toMatchObject({ cluster: 'localnet', operator, tokens: { usdc: { decimals: 6 } } })
  expect(solana(parameters).currencies).toEqual(['sol', 'usdc', 'usdxm'])
})

test('error: 4902 for a sandbox without Solana', async () => {
  const server = createAdaptorServer({ fetch: () => Response.json({ chains: {} }) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(getSandboxSolana({ baseUrl: `http://127.0.0.1:${port}/api` })).rejects.toMatchObject({
    code: 4902,
  })
  server.close()
})

test('behavior: on a server, which has no page, nothing is registered', () => {
  vi.unstubAllGlobals()
  registerSolanaSandboxWallet({ baseUrl, storage: createMemoryStorage() })()
})
