import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import { accountAddress } from '#adapters/chains/solana/connection/accountAddress.js'
import { parseConfig } from '#base/config/parseConfig.js'
import { openChain } from '#entry/openChain.js'
import { toSandboxChains } from '#entry/process/toSandboxChains.js'
import { createSandbox } from '#entry/sandbox/createSandbox.js'
import type { ServiceEnv } from '#interface/http/context.js'
import { onError } from '#interface/http/onError.js'
import { createTestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const contracts = { router: '0x', depositFactory: '0x' }
const recipient = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g'

const openCluster = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kassa-sandbox-'))
  const config = { ...parseConfig({ KASSA_SANDBOX: '1', KASSA_CHAINS: 'solana' }), dataDir }
  const service = await createTestService({ config })
  const chain = openChain({ config, db: service.deps.db, log: service.deps.log }, 'solana')
  return {
    config,
    service,
    chain,
    close: async () => {
      await chain.port.close()
      await service.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

const opened = openBeforeAll(openCluster)
let app: Hono<ServiceEnv>
let operator: string
beforeAll(() => {
  const { config, service, chain } = opened
  operator = accountAddress(config.solanaOperatorKey ?? new Uint8Array(32))
  app = new Hono<ServiceEnv>()
  app.onError(onError(service.deps.log))
  const chains = toSandboxChains([chain], { contracts, operator })
  app.route('/', createSandbox(service.deps, service.projectId, chains))
})

const post = async (path: string, body: unknown) => {
  const response = await app.request(path, { method: 'POST', body: JSON.stringify(body) })
  const answer: unknown = await response.json()
  return { status: response.status, headers: response.headers, answer }
}
const rpc = async (method: string, ...params: unknown[]) => {
  const { answer, headers } = await post('/rpc/solana', { jsonrpc: '2.0', id: 1, method, params })
  expect(headers.get('access-control-allow-origin')).toBe('*')
  return answer
}

const mintOf = (currency: string) =>
  opened.chain.port.currencies.find((known) => known.currency === currency)?.address

test('default: it says how to reach the cluster and where it takes payments', async () => {
  const response = await app.request('/sandbox')
  expect(await response.json()).toMatchObject({
    chains: {
      solana: {
        rpcPath: '/rpc/solana',
        explorerPath: '/sandbox/explorer/solana',
        tokens: {
          usdc: { address: mintOf('usdc'), decimals: 6 },
          usdxm: { address: mintOf('usdxm'), decimals: 6 },
        },
        operator,
      },
    },
  })
})

test('behavior: other programs find the node, over HTTP and WebSocket', async () => {
  const { rpcUrl, wsUrl } = Object(await (await app.request('/sandbox/nodes/solana')).json())
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' })
  expect(await (await fetch(rpcUrl, { ...asked, body })).json()).toMatchObject({ result: 'ok' })
  const socket = new WebSocket(wsUrl)
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'slotSubscribe' }))
  const [answer] = await once(socket, 'message')
  expect(JSON.parse(String(answer))).toMatchObject({ id: 1, result: expect.any(Number) })
  socket.terminate()
})

test('behavior: the faucet gives SOL and each test token', async () => {
  expect(await post('/sandbox/fund', { chain: 'solana', address: recipient })).toMatchObject({ status: 200 })
  expect(await rpc('getBalance', recipient, { commitment: 'confirmed' })).toMatchObject({
    result: { value: 1_000_000_000_000 },
  })
  for (const currency of ['usdc', 'usdxm']) {
    const options = { commitment: 'confirmed', encoding: 'base64' }
    const filter = { mint: mintOf(currency) }
    expect(await rpc('getTokenAccountsByOwner', recipient, filter, options)).toMatchObject({
      result: { value: [expect.anything()] },
    })
  }
})

const Signatures = z.object({ result: z.array(z.object({ signature: z.string() })) })

test('behavior: a transaction has a page: whose balances it changed', async () => {
  expect(await post('/sandbox/fund', { chain: 'solana', address: recipient })).toMatchObject({ status: 200 })
  const found = Signatures.parse(await rpc('getSignaturesForAddress', recipient, { commitment: 'confirmed' }))
  const pages = await Promise.all(
    found.result.map(async ({ signature }) => {
      const response = await app.request(`/sandbox/explorer/solana/tx/${signature}`)
      return response.text()
    }),
  )
  expect(pages.join()).toContain('<strong>1000 SOL</strong>')
  for (const page of pages) {
    expect(page).toContain('Succeeded')
    expect(page).toContain('Fee payer')
  }
  const unknown = await app.request(`/sandbox/explorer/solana/tx/${'2'.repeat(88)}`)
  expect(unknown.status).toBe(404)
})

test.each(['sendTransaction', 'simulateTransaction'])('behavior: browsers may call %s', async (method) => {
  expect(await rpc(method, 'AA==', { encoding: 'base64' })).toMatchObject({
    error: { message: expect.not.stringContaining('is not available here') },
  })
})

test.each(['requestAirdrop', 'minimumLedgerSlot'])('error: %s is not forwarded', async (method) => {
  expect(await rpc(method, recipient, 1)).toMatchObject({ error: { code: -32601 } })
})

test('error: the faucet refuses an EVM address', async () => {
  const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  expect(await post('/sandbox/fund', { chain: 'solana', address })).toMatchObject({ status: 400 })
})
