import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createTestService } from '../../helpers/createTestService.js'
import { runCommand, runIn } from '../../helpers/runCommand.js'

let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'kassa-doctor-'))
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const linesOf = (out: string) =>
  Object.fromEntries(
    out
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, status = '', name = '', text = ''] = /^(\w+) +(.+?) {2,}(.*)$/.exec(line) ?? []
        return [name, { status, text }]
      }),
  )

test('default: before the first start', async () => {
  const { status, out } = await runCommand({ KASSA_SANDBOX: '1', KASSA_DATA_DIR: dataDir }, 'doctor')
  expect(linesOf(out)).toMatchObject({
    settings: { status: 'ok' },
    database: { status: 'ok', text: expect.stringContaining('the first start creates it') },
    'node of base-sepolia': { status: 'ok', text: expect.stringContaining('starts when it is used') },
    mail: { status: 'ok' },
    storage: { status: 'ok' },
  })
  expect(status).toBe(0)
})

test('error: a wrong setting is a line', async () => {
  const env = { KASSA_PUBLIC_URL: 'https://shop.example/kassa', KASSA_DATA_DIR: dataDir }
  const { status, out } = await runCommand(env, 'doctor')
  expect({ status, lines: linesOf(out) }).toMatchObject({
    status: 1,
    lines: { settings: { status: 'failed', text: expect.stringContaining('KASSA_PUBLIC_URL: expected') } },
  })
})

test('error: a database and a node that do not answer are lines, beside all others', async () => {
  const env = {
    DATABASE_URL: 'postgres://kassa:hunter2@127.0.0.1:1/kassa',
    KASSA_CHAINS: 'base-sepolia',
    KASSA_RPC_BASE_SEPOLIA: 'http://127.0.0.1:1/hunter2hunter2hunter2',
    KASSA_OPERATOR_KEY: `0x${'1'.repeat(64)}`,
    KASSA_MASTER_KEY: '2'.repeat(64),
  }
  const { status, out } = await runCommand(env, 'doctor')
  expect(linesOf(out)).toMatchObject({
    settings: { status: 'ok' },
    database: { status: 'failed' },
    'node of base-sepolia': { status: 'failed', text: expect.stringContaining('KASSA_RPC_BASE_SEPOLIA') },
    mail: { status: 'warning' },
    'public URL': { status: 'warning' },
  })
  expect(status).toBe(1)
  expect(out).not.toContain('hunter2')
})

test('behavior: in a running service, as JSON', async () => {
  const fake = createFakeChain({ now: Date.now })
  fake.state.operator.units = 0n
  const service = await createTestService({ chains: [fake.port] })
  const { status, out } = await runIn({ env: {}, service: service.deps }, ['doctor', '--json'])
  expect(JSON.parse(out)).toContainEqual({
    name: 'operator on base-sepolia',
    status: 'failed',
    text: expect.stringContaining('to 0xoperator on base-sepolia'),
  })
  expect(status).toBe(1)
  await service.close()
})
