import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listContracts } from '#adapters/chains/evm/payments/listContracts.js'
import { commandSocket } from '#adapters/postgres/commandSocket.js'
import { openPglite } from '#adapters/postgres/openPglite.js'
import { runCli } from '#entry/cli/runCli.js'
import { serveCommands } from '#entry/cli/serveCommands.js'
import { findKey } from '#identity/keys/apiKeys.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { fillDataDir } from '../../helpers/createTestDatabase.js'
import { createTestService } from '../../helpers/createTestService.js'
import { runCommand } from '../../helpers/runCommand.js'

let dataDir: string
let cleanUp: (() => Promise<void>)[]
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'kassa-commands-'))
  cleanUp = []
})
afterEach(async () => {
  for (const end of cleanUp) await end()
  rmSync(dataDir, { recursive: true, force: true })
})

const run = (...args: string[]) => runCommand({ KASSA_DATA_DIR: dataDir }, ...args)
const runJson = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out)

/** A service that holds the data folder, in this process. */
const startService = async () => {
  await fillDataDir(dataDir)
  const database = await openPglite(dataDir)
  const chain = createFakeChain({ now: Date.now })
  const service = await createTestService({ database, chains: [chain.port], config: { dataDir } })
  const stop = await serveCommands(dataDir, (args, output) =>
    runCli(args, { env: {}, service: service.deps, ...output }),
  )
  cleanUp.push(stop, service.close, database.close)
  return service
}

test('default: the service that holds the folder runs the command', async () => {
  const { deps } = await startService()
  expect(await run('migrate')).toEqual({ status: 0, out: '', err: 'The database is up to date.\n' })
  expect(await run('projects', 'create', 'shop')).toMatchObject({ status: 0, err: '' })
  const key = await run('keys', 'create', '--project', 'shop', '--scopes', 'orders.read')
  expect(key).toMatchObject({ status: 0, err: 'This key is shown only once. Store it now.\n' })
  expect(await findKey(deps.db, 'staging', key.out.trim())).toMatchObject({ scopes: ['orders.read'] })

  const wanted = ['--url', 'http://localhost:9/hook', '--types', 'all']
  const { id, secret } = await runJson('webhooks', 'create', '--project', 'shop', ...wanted)
  expect((await run('webhooks', 'list')).out).toContain(`${id}  shop     http://localhost:9/hook  all\n`)
  const rotated = (await run('webhooks', 'rotate', id)).out.trim()
  expect((await runJson('webhooks', 'show', id)).secrets).toMatchObject([{ secret: rotated }, { secret }])
  expect(await run('ledger')).toEqual({ status: 0, out: 'No payments received yet.\n', err: '' })
})

test('behavior: contracts are those of the running service, so the command needs no keys', async () => {
  expect(await run('contracts')).toMatchObject({
    status: 1,
    err: expect.stringContaining('KASSA_OPERATOR_KEY'),
  })
  const { deps } = await startService()
  const { status, out, err } = await run('contracts')
  expect({ status, err }).toEqual({ status: 0, err: '' })
  expect(JSON.parse(out)).toEqual(listContracts(deps.config))
})

test('behavior: a refusal has the same words', async () => {
  await startService()
  expect(await run('keys', 'list', '--project', 'nobody')).toEqual({
    status: 2,
    out: '',
    err: expect.stringMatching(
      /^kassa-service keys: --project: there is no project nobody\. .+\nSee: kassa-service help keys\n$/,
    ),
  })
  expect(await run('refunds', 'retry', 'x')).toEqual({
    status: 1,
    out: '',
    err: 'kassa-service: there is no refund x\n',
  })
})

test('behavior: long arguments, and arguments in any language, arrive completely', async () => {
  const long = `${'é🦶'.repeat(50_000)}\n`
  const stop = await serveCommands(dataDir, async (args, { out, err }) => {
    for (const arg of args) out(arg)
    err(long)
    return 7
  })
  cleanUp.push(stop)
  const { status, out, err } = await run('projects', 'create', long)
  const isWhole = out === `projectscreate${long}` && err === long
  expect({ status, isWhole }).toEqual({ status: 7, isWhole: true })
})

test.runIf(process.platform !== 'win32')('behavior: only the owner of the folder may connect', async () => {
  mkdirSync(dirname(commandSocket(dataDir)), { mode: 0o755 })
  cleanUp.push(await serveCommands(dataDir, async () => 0))
  expect(statSync(dirname(commandSocket(dataDir))).mode & 0o777).toBe(0o700)
})

test('behavior: the socket of a killed service blocks no later one', async () => {
  const path = commandSocket(dataDir)
  mkdirSync(dirname(path))
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(path)).toBe(process.platform !== 'win32')
  expect(await run('projects', 'create', 'shop')).toMatchObject({ status: 0 })
  await startService()
  expect((await run('projects', 'list')).out).toContain('shop')
})

test('behavior: stopping waits for the running command, and accepts no other', async () => {
  let finish = (_: number) => {}
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const stop = await serveCommands(dataDir, () => {
    begun()
    return new Promise((resolve) => {
      finish = resolve
    })
  })
  const asked = run('projects', 'list')
  await isBegun
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  expect((await run('projects', 'list')).err).toContain('there is no database')
  expect(isStopped).toBe(false)
  finish(3)
  await stopped
  expect(await asked).toMatchObject({ status: 3 })
})

test('error: the service ends before it answers', async () => {
  cleanUp.push(await serveCommands(dataDir, () => Promise.reject(new Error('a bug'))))
  expect(await run('projects', 'list')).toEqual({
    status: 1,
    out: '',
    err: 'kassa-service: the service ended before it responded\n',
  })
})

test.each(['', '{', '"migrate"', '[1]'])('error: %s is no command', async (sent) => {
  const asked: string[][] = []
  const serve = async (args: string[]) => asked.push(args)
  cleanUp.push(await serveCommands(dataDir, serve))
  const socket = createConnection(commandSocket(dataDir))
  socket.end(sent)
  expect(await text(socket)).toBe('')
  expect(asked).toEqual([])
})

test('error: the folder is held by a process that accepts no commands', async () => {
  await fillDataDir(dataDir)
  const database = await openPglite(dataDir)
  cleanUp.push(database.close)
  expect(await run('projects', 'list')).toMatchObject({
    status: 1,
    err: expect.stringContaining(`in use by process ${process.pid}`),
  })
})
