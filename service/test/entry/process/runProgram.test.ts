import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseConfig } from '#base/config/parseConfig.js'
import type { Environment } from '#entry/cli/group.js'
import { runProgram } from '#entry/process/runProgram.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kassa-program-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the program with a service that only records how it was started. */
const run = async (args: string[], env: Environment = {}, invite = async () => '/console/link#secret') => {
  const said = { out: '', err: '', started: undefined as Environment | undefined }
  const status = await runProgram(args, {
    env,
    pid: 7,
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    start: async (given, onReady) => {
      said.started = given
      const { publicUrl: url, isSandbox } = parseConfig(given)
      const inviteToConsole = async () => `${url}${await invite()}`
      const sandbox = { serverKey: 'sk_x', clientKey: 'ck_x', inviteToConsole }
      await onReady({ url, sandbox: isSandbox ? sandbox : undefined })
    },
  })
  return { status, ...said }
}

test('default: without an argument the service starts with its environment', async () => {
  const env = { KASSA_SANDBOX: '1', KASSA_PORT: '4321' }
  expect(await run([], env)).toEqual({
    status: undefined,
    out: '{"msg":"ready","url":"http://localhost:4321","pid":7}\n',
    err: '',
    started: env,
  })
})

test('behavior: a sandbox uses only its own data, whatever else the environment is for', async () => {
  const data = join(folder, 'shop')
  const env = {
    DATABASE_URL: 'postgres://shop@localhost/shop',
    KASSA_ENVIRONMENT: 'production',
    KASSA_HOST: '0.0.0.0',
    KASSA_CHAINS: 'base',
    KASSA_RPC_BASE_SEPOLIA: 'https://sepolia.base.org',
    KASSA_TOKENS_BASE: 'usdc:0x1:6',
    KASSA_OPERATOR_KEY: `0x${'ab'.repeat(32)}`,
    KASSA_MASTER_KEY: 'cd'.repeat(32),
    KASSA_SMTP_URL: 'smtps://u:p@mail.example',
    KASSA_MAIL_FROM: 'shop@shop.example',
    KASSA_IPFS_RPC_URL: 'http://ipfs:5001',
    KASSA_PUBLIC_URL: 'https://pay.example',
    KASSA_METRICS_PORT: '9464',
    KASSA_ORIGINS: 'http://192.0.2.1:3000',
    KASSA_LOG_LEVEL: 'debug',
    KASSA_MIGRATE: '0',
  }
  const { started, out, status } = await run(['sandbox', '--port', '4999', '--data', data], env)
  expect(status).toBeUndefined()
  expect(started).toEqual({
    KASSA_SANDBOX: '1',
    KASSA_ENVIRONMENT: 'staging',
    KASSA_PORT: '4999',
    KASSA_DATA_DIR: join(data, 'service'),
    KASSA_ORIGINS: 'http://192.0.2.1:3000',
    KASSA_LOG_LEVEL: 'debug',
  })
  const { chains, host, operatorKey, smtp } = parseConfig(started ?? {})
  expect({ host, smtp }).toEqual({ host: '127.0.0.1', smtp: undefined })
  expect(Object.values(chains).map(({ rpcUrl }) => rpcUrl)).toEqual([undefined, undefined, undefined])
  expect(operatorKey).not.toContain('abab')
  expect(out).toContain('http://localhost:4999/api\n')
  expect(out).toMatch(/server key +sk_x +.*\n +client key +ck_x +.*\n/)
  expect(out).toContain('http://localhost:4999/sandbox/mails,')
  expect(out).toContain('http://localhost:4999/console/link#secret,')
  if (process.platform !== 'win32') expect(statSync(data).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(data, '.gitignore'), 'utf8')).toBe('*\n')
})

test('behavior: version and help', async () => {
  expect(await run(['--version'])).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  })
  for (const args of [['help'], ['--help'], ['sandbox', '--help']]) {
    const { status, out, started } = await run(args)
    expect({ status, started }).toEqual({ status: 0, started: undefined })
    expect(out).toContain(
      'kassa-service sandbox [--port 4000] [--data .kassa] [--chains base-sepolia,solana]',
    )
  }
})

test('behavior: a sandbox whose port is in use takes the next free one, and says so before it starts', async () => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  const { port } = taken.address() as AddressInfo
  const args = ['sandbox', '--port', `${port}`, '--data', join(folder, 'shop')]
  const { out, started, status } = await run(args)
  taken.close()
  expect(status).toBeUndefined()
  const next = Number(started?.KASSA_PORT)
  expect(next).toBeGreaterThan(port)
  expect(out).toMatch(new RegExp(`^Port ${port} is in use: the service takes port ${next}\\.\\nStarting `))
  expect(out).toContain(`http://localhost:${next}/api`)
})

test('behavior: a sandbox that cannot invite to its console is up all the same, and says so', async () => {
  const args = ['sandbox', '--data', join(folder, 'shop')]
  const { status, out, err } = await run(args, {}, () => Promise.reject(new Error('no database')))
  expect({ status, err }).toEqual({ status: undefined, err: '' })
  expect(out).toMatch(/^ {2}console +http:\/\/localhost:\d+\/console, without a link/m)
  expect(out).toContain('Press Ctrl-C to stop.')
})

test('error: a missing variable is named in one line', async () => {
  expect(await run([])).toMatchObject({
    status: 1,
    out: '',
    err: 'kassa-service: KASSA_OPERATOR_KEY: required unless every chain is local\n',
  })
})

test.each([
  ['unknown command fly', ['fly']],
  ["Unknown option '--fly'", ['sandbox', '--fly']],
  ['--port: expected a whole number from 1 to 65535', ['sandbox', '--port', 'x']],
])('error: %s', async (message, args) => {
  const { status, out, err, started } = await run(args)
  expect({ status, out, started }).toEqual({ status: 2, out: '', started: undefined })
  expect(err).toContain(message)
  expect(err).toContain('See: kassa-service help\n')
})
