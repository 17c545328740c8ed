import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceProgram } from '../../scripts/lib/programs.mjs'
import { openSandbox } from '../../scripts/lib/sandbox.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { members } from '../../src/schema/index.js'
import { root } from '../helpers/sources.js'
import { freshDataDir } from './helpers/dataDir.js'

const dataDir = freshDataDir('commands')
let stack: RunningService
beforeAll(async () => {
  stack = await startService({ dataDir })
})
afterAll(() => stack?.stop())

type Ended = { status: number | null; out: string; err: string }

const runScript = (script: string, args: string[], settings: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const { env } = serviceProgram(openSandbox(dataDir), dataDir, settings)
    const child = execFile(process.execPath, [join(root, script), ...args], { env }, (_, out, err) =>
      resolve({ status: child.exitCode, out, err }),
    )
  })
const kassa = (...args: string[]) => runScript('service/dist/bin.js', args)

test('default: the command line beside a service on the embedded database', async () => {
  expect(await kassa('projects', 'list')).toMatchObject({
    status: 0,
    err: '',
    out: expect.stringMatching(/ sandbox +Recto\n/),
  })
  const created = await kassa('keys', 'create', '--project', 'sandbox', '--scopes', 'collections.read')
  expect(created).toMatchObject({ status: 0, err: 'This key is shown only once. Store it now.\n' })
  const answer = await fetch(`${stack.serviceUrl}/api/2022-06-09/collections`, {
    headers: { 'x-api-key': created.out.trim() },
  })
  expect(answer.status).toBe(200)

  const wanted = ['--project', 'sandbox', '--url', 'http://localhost:9/hook', '--types', 'all', '--json']
  const { id, secret } = JSON.parse((await kassa('webhooks', 'create', ...wanted)).out)
  const rotated = (await kassa('webhooks', 'rotate', id)).out.trim()
  expect(JSON.parse((await kassa('webhooks', 'show', id, '--json')).out).secrets).toMatchObject([
    { secret: rotated },
    { secret },
  ])
  expect(await kassa('ledger')).toEqual({ status: 0, out: 'No payments received yet.\n', err: '' })
})

test('behavior: npm run kassa prints what the command prints, and nothing else', async () => {
  expect(await runScript('scripts/kassa.mjs', ['webhooks', 'types'])).toEqual({
    status: 0,
    out: `${members.webhookEventTypes.join('\n')}\n`,
    err: '',
  })
  expect(await runScript('scripts/kassa.mjs', ['webhooks', 'fly'])).toMatchObject({
    status: 2,
    out: '',
    err: expect.stringContaining('See: kassa-service help webhooks\n'),
  })
})

test('error: npm run purchase names what can be bought', async () => {
  expect(await runScript('scripts/purchase.mjs', ['tea'])).toEqual({
    status: 1,
    out: '',
    err: '\n"tea" cannot be bought: say "solana", or nothing.\n',
  })
})

test('behavior: once the service is killed, the command line opens the database itself', async () => {
  stack.service.signal('SIGKILL')
  await stack.service.exited
  expect(await kassa('projects', 'list')).toMatchObject({ status: 0, err: '' })
})

test('error: another master key ends the service at once, in one line', async () => {
  const other = { KASSA_MASTER_KEY: '33'.repeat(32) }
  expect(await runScript('service/dist/bin.js', [], other)).toMatchObject({
    status: 1,
    err: expect.stringMatching(
      /^kassa-service: KASSA_MASTER_KEY is not the key this database was written with: .*\n$/,
    ),
  })
  expect(await kassa('projects', 'list')).toMatchObject({ status: 0 })
})
