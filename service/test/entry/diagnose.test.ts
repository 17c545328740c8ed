import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { Check } from '#base/lib/check.js'
import { diagnose } from '#entry/diagnose.js'
import { checkHealth } from '#interface/http/health.js'
import { createFakeChain } from '../helpers/createFakeChain.js'
import { createTestService } from '../helpers/createTestService.js'
import { openBeforeAll } from '../helpers/openBeforeAll.js'

const service = openBeforeAll(createTestService)

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Serves what a proxy shows at the public URL. */
const serve = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const live: RequestListener = (_, response) => response.setHeader('x-request-id', 'req_1').end('{}')

type Change = { config?: object; isLocal?: boolean; nowMs?: number }

const open = ({ config, isLocal = false, nowMs = 1_800_000_000_000 }: Change = {}) => {
  const fake = createFakeChain({ now: () => nowMs, isLocal })
  const deps = {
    db: service.deps.db,
    config: { ...service.deps.config, ...config },
    chains: { enabled: ['base-sepolia'], get: () => fake.port },
    now: () => nowMs,
  }
  return { fake, deps }
}

const find = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name)

test('default: each line says ok', async () => {
  const nowMs = Date.now()
  const { deps } = open({ nowMs, config: { publicUrl: await serve(live), isSandbox: true, smtp: undefined } })
  const checks = await diagnose(deps)
  expect(checks.map(({ name, status }) => `${name}: ${status}`)).toEqual([
    'settings: ok',
    'database: ok',
    'clock: ok',
    'node of base-sepolia: ok',
    'operator on base-sepolia: ok',
    'mail: ok',
    'storage: ok',
    'public URL: ok',
  ])
  expect(find(checks, 'operator on base-sepolia')?.text).toBe(
    '0xoperator has 1 eth, a sale costs 0.000001 eth',
  )
})

test.each([
  [
    0n,
    10n ** 17n,
    'failed',
    /its contracts cannot be deployed: send 0\.10005 eth to 0xoperator on base-sepolia/,
  ],
  [10n ** 11n, 0n, 'failed', /nothing can be sold: send 0\.0000499 eth to 0xoperator/],
  [10n ** 13n, 0n, 'warning', /enough for 10 sales: send 0\.00004 eth/],
])('error: the operator has %s and needs %s for its contracts', async (units, setUpUnits, status, text) => {
  const { deps, fake } = open()
  Object.assign(fake.state.operator, { units, setUpUnits })
  const found = find(await diagnose(deps), 'operator on base-sepolia')
  expect(found).toMatchObject({ status, text: expect.stringMatching(text) })
})

test('error: a node that does not answer, and a chain that makes no block', async () => {
  const { deps, fake } = open()
  expect(
    find(await diagnose({ ...deps, now: () => deps.now() + 301_000 }), 'node of base-sepolia'),
  ).toMatchObject({
    status: 'failed',
    text: expect.stringMatching(/block 0 is 301 s old.*Set KASSA_RPC_BASE_SEPOLIA to another node/),
  })
  fake.state.isAway = true
  const checks = await diagnose(deps)
  expect(find(checks, 'node of base-sepolia')).toMatchObject({
    status: 'failed',
    text: expect.stringMatching(/check KASSA_RPC_BASE_SEPOLIA/),
  })
  expect(find(checks, 'operator on base-sepolia')).toBeUndefined()
})

test('behavior: a local chain is not expected to make blocks, or started', async () => {
  const { deps, fake } = open({ isLocal: true })
  const later = { ...deps, now: () => deps.now() + 86_400_000 }
  expect(find(await diagnose(later), 'node of base-sepolia')).toMatchObject({ status: 'ok' })
  fake.state.isStarted = false
  expect(find(await diagnose(later), 'node of base-sepolia')?.text).toMatch(/starts when it is used/)
})

test.each([
  [
    'another program',
    ((_, response) => response.end('{}')) as RequestListener,
    'failed',
    /not as this service/,
  ],
  [
    'an error of the proxy',
    ((_, response) => response.writeHead(502).end()) as RequestListener,
    'failed',
    /answers 502/,
  ],
])('error: the public URL shows %s', async (_, answer, status, text) => {
  const { deps } = open({ config: { publicUrl: await serve(answer) } })
  expect(find(await diagnose(deps), 'public URL')).toMatchObject({
    status,
    text: expect.stringMatching(text),
  })
})

test('error: the clock, mail, storage and settings say what to do, without secrets', async () => {
  const { deps } = open({
    nowMs: Date.now() + 120_000,
    config: {
      publicUrl: 'http://127.0.0.1:1',
      ipfsRpcUrl: 'http://kassa:hunter2@127.0.0.1:1',
      smtp: { url: 'smtp://kassa:hunter2@127.0.0.1:1', from: 'shop@shop.example' },
    },
  })
  const checks = await diagnose({ ...deps, chains: { enabled: [], get: () => undefined } })
  expect(checks).toMatchObject([
    { name: 'settings', status: 'warning', text: expect.stringContaining('KASSA_CHAINS') },
    { name: 'database', status: 'ok' },
    { name: 'clock', status: 'failed', text: expect.stringContaining('NTP') },
    { name: 'mail', status: 'failed', text: expect.stringContaining('KASSA_SMTP_URL') },
    { name: 'storage', status: 'failed' },
    { name: 'public URL', status: 'warning', text: expect.stringContaining('cannot reach') },
  ])
  expect(JSON.stringify(checks)).not.toContain('hunter2')
})

test('behavior: health has the same lines, and says which chain is unfunded and that the disk is full', async () => {
  const { deps, fake } = open()
  Object.assign(fake.state.operator, { units: 0n, setUpUnits: 1n })
  const checks = await diagnose(deps)
  const look = (isFull: boolean) =>
    checkHealth(deps, {
      isStarted: () => true,
      isWorking: () => true,
      isDiskFull: async () => isFull,
      readChecks: async () => checks,
    })
  const health = await look(false)
  expect(health).toMatchObject({ status: 'down', database: 'up', chains: { 'base-sepolia': 'unfunded' } })
  expect(health.checks).toEqual(checks)
  expect(await look(true)).toMatchObject({ status: 'down', database: 'full' })
})
