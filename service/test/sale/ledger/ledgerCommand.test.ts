import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClient, type Hex, http, parseTransaction, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import { parseConfig } from '#base/config/parseConfig.js'
import { ledgerCounts, ledgerEntries } from '#base/db/tables/index.js'
import { createLog } from '#entry/createLog.js'
import { openChain } from '#entry/openChain.js'
import { createOrderWorld } from '../../helpers/createOrderWorld.js'
import { fillDataDir } from '../../helpers/createTestDatabase.js'
import { runCommand } from '../../helpers/runCommand.js'

let env: Record<string, string>
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kassa-ledger-'))
  env = { KASSA_SANDBOX: '1', KASSA_DATA_DIR: dataDir, KASSA_CHAINS: 'base-sepolia' }
  await fillDataDir(dataDir)
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (...args: string[]) => runCommand(env, 'ledger', ...args)

/** The service's database and chain, for as long as the work takes. */
const withService = async <Result>(
  work: (world: Awaited<ReturnType<typeof createOrderWorld>>, rpcUrl: string) => Promise<Result>,
): Promise<Result> => {
  const config = parseConfig(env)
  const database = await openDatabase(config, () => {})
  const { port, node } = openChain(
    { config, db: database.db, log: createLog(config, { write: () => {} }) },
    'base-sepolia',
  )
  try {
    const world = await createOrderWorld({ db: database.db, chains: [port], now: Date.now })
    await world.createCollection({ id: 'tea' })
    return await work(world, (await node?.rpcUrl()) ?? '')
  } finally {
    await port.close()
    await database.close()
  }
}

const pay = async (rpcUrl: string, account: ReturnType<typeof privateKeyToAccount>, prepared: string) => {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl), account })
    .extend(publicActions)
    .extend(walletActions)
  const { to, value, data } = parseTransaction(prepared as `0x02${string}`)
  const call = { to: to as Hex, value: value ?? 0n, data: data ?? '0x', gas: 300_000n }
  const hash = await client.sendTransaction({ chain: null, ...call })
  await client.waitForTransactionReceipt({ hash })
}

test('default: stopped, started, settled; then paid unseen', async () => {
  expect(await run()).toEqual({ status: 0, out: 'No payments received yet.\n', err: '' })

  const account = privateKeyToAccount(generatePrivateKey())
  const orderId = await withService(async (world, rpcUrl) => {
    const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
    await client.setBalance({ address: account.address, value: 10n ** 18n })
    const { order } = await world.create({
      lineItems: { collectionLocator: 'kassa:tea' },
      payment: { method: 'base-sepolia', currency: 'eth', payerAddress: account.address },
    })
    const prepared = order.payment.preparation?.serializedTransaction ?? ''
    await pay(rpcUrl, account, prepared)
    await world.look()
    await world.drain()
    // The second payment is mined, and the service stops before it looks.
    await pay(rpcUrl, account, prepared)
    expect((await run()).err).toMatch(/in use by process \d+; stop it/)
    return order.orderId
  })

  // The totals know only what was recorded.
  const recorded = await run()
  expect(recorded).toMatchObject({ status: 0, err: '' })
  expect(recorded.out).toMatch(/^base-sepolia +eth +0\.01 +0\.01 +0 +0 +0 +0 +0$/m)
  const unseen = await run('--chains')
  expect(unseen).toMatchObject({ status: 1, err: '' })
  expect(unseen.out).toMatch(/^base-sepolia +eth +0\.01 +0\.01 +0 +0 +0 +0 +0\.01 +0\.01 +0\.01$/m)
  expect(unseen.out).toContain(`\n${orderId}  base-sepolia eth`)

  await withService(async (world) => {
    await world.look()
    await world.drain()
  })
  const amounts = {
    chain: 'base-sepolia',
    currency: 'eth',
    received: '0.02',
    delivered: '0.01',
    open: '0',
    refunded: '0.01',
    claimable: '0',
    owed: '0',
    swept: '0.01',
    held: '0',
    difference: '0',
  }
  for (const filter of [['--chains'], ['--order', orderId]]) {
    const { status, out } = await run('--json', ...filter)
    expect(JSON.parse(out)).toEqual({
      isBalanced: true,
      totals: [amounts],
      differing: [],
      unattributedFunds: [],
      sentBack: [],
      refused: [],
      lost: [],
    })
    expect(status).toBe(0)
  }

  const { swept: _, held: __, ...recordedAmounts } = amounts
  for (const filter of [[], ['--recount']]) {
    const { status, out, err } = await run('--json', ...filter)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out)).toEqual({ isBalanced: true, totals: [recordedAmounts] })
  }

  await withService((world) => world.deps.db.insert(ledgerEntries).values(planted(world.projectId)))
  expect(await run()).toMatchObject({ status: 1, err: '' })
  const corrected = await run('--recount')
  expect(corrected.status).toBe(1)
  expect(corrected.err).toMatch(/^base-sepolia +eth +received +0\.01 +0$/m)
  expect(await run('--recount')).toMatchObject({ status: 0, err: '' })

  await withService((world) => world.deps.db.delete(ledgerCounts))
  expect((await run()).err).toContain('with --recount')
  expect(await run('--recount')).toMatchObject({ status: 0, err: '' })
})

/** An entry that no order made. */
const planted = (projectId: string) => ({
  projectId,
  chain: 'base-sepolia',
  currency: 'eth',
  received: 10n ** 16n,
  delivered: 0n,
  open: 0n,
  refunded: 0n,
  claimable: 0n,
  owed: 0n,
})

test.each([
  ['there is no project nobody', ['--project', 'nobody']],
  ['x is not an order id', ['--order', 'x']],
  ['--colour', ['--colour', 'red']],
  ['--recount', ['--recount', '--chains']],
])('error: %s', async (message, args) => {
  const { status, out, err } = await run(...args)
  expect({ status, out }).toEqual({ status: err.includes('See: kassa-service help') ? 2 : 1, out: '' })
  expect(err).toContain(message)
})
