import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getOrderAccounts } from 'kassa/chain'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { lockDataDir } from '#adapters/postgres/lockDataDir.js'
import { openPglite } from '#adapters/postgres/openPglite.js'
import { parseConfig } from '#base/config/parseConfig.js'
import { openChain } from '#entry/openChain.js'
import { findKey } from '#identity/keys/apiKeys.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld } from '../../helpers/createOrderWorld.js'
import { runCommand as runWith } from '../../helpers/runCommand.js'

let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'kassa-cli-'))
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (...args: string[]) => runWith({ KASSA_SANDBOX: '1', KASSA_DATA_DIR: dataDir }, ...args)

test('default', async () => {
  expect(await run('migrate')).toMatchObject({ status: 0, err: 'The database is up to date.\n' })
  const server = await run('keys', 'create', '--project', 'shop', '--scopes', 'orders.create,orders.read')
  const origins = ['--origin', 'https://shop.example', '--origin', 'https://www.shop.example']
  const client = await run('keys', 'create', '--project', 'shop', '--client', ...origins)
  expect([server.status, client.status]).toEqual([0, 0])
  const isShownOnce = 'This key is shown only once. Store it now.\n'
  expect([server.err, client.err]).toEqual([`Created the project shop.\n${isShownOnce}`, isShownOnce])

  const database = await openPglite(dataDir)
  const found = await findKey(database.db, 'staging', server.out.trim())
  expect(found).toMatchObject({ kind: 'server', scopes: ['orders.create', 'orders.read'] })
  expect(await findKey(database.db, 'staging', client.out.trim())).toMatchObject({
    kind: 'client',
    projectId: found.projectId,
    scopes: ['orders.create'],
    origins: ['https://shop.example', 'https://www.shop.example'],
  })
  const { rows } = await database.executeSql('select id from collections order by id')
  expect(rows).toEqual([{ id: 'default-polygon' }, { id: 'default-solana' }])
  await database.close()
})

test('behavior: a failed refund is queued again', async () => {
  const database = await openPglite(dataDir)
  const chain = createFakeChain({ now: Date.now })
  let nowMs = Date.now()
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
  chain.state.refusals.set('refund', 'Paused')
  const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
  chain.pay({ orderId: order.orderId, currency: 'eth', units: 1n })
  await world.look()
  await world.endQuote(order.orderId)
  for (let attempt = 0; attempt < 4; attempt++) {
    await world.drain()
    nowMs += 15 * 60_000
  }
  await database.close()

  const refundId = `refund:${order.orderId}:0`
  expect(await run('refunds', 'retry', refundId)).toMatchObject({ status: 0 })
  expect(await run('refunds', 'retry', refundId)).toMatchObject({
    status: 1,
    err: expect.stringContaining('is pending'),
  })
  const after = await openPglite(dataDir)
  const { rows } = await after.executeSql('select id, status from refunds')
  expect(rows).toEqual([{ id: refundId, status: 'pending' }])
  const jobs = await after.executeSql(`select data from jobs where name = 'orders.refund'`)
  expect(jobs.rows).toEqual([{ data: { orderId: order.orderId, refundId } }])
  await after.close()
})

test('behavior: the operator captures an order, and voids another', async () => {
  const database = await openPglite(dataDir)
  const chain = createFakeChain({ now: Date.now })
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: Date.now })
  await world.createCollection({ id: 'tea' })
  const hold = async () => {
    const payerAddress = '0x00000000000000000000000000000000000000aa'
    const payment = { method: 'base-sepolia', currency: 'eth', payerAddress, capture: 'manual' }
    const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' }, payment })
    chain.pay({ orderId: order.orderId, currency: 'eth', units: 10n ** 16n })
    await world.look()
    return order.orderId
  }
  const [one, other] = [await hold(), await hold()]
  await database.close()

  expect(await run('orders', 'capture', one)).toEqual({
    status: 0,
    out: '',
    err: `The order ${one} is captured. The service delivers it.\n`,
  })
  expect(await run('orders', 'void', other)).toEqual({
    status: 0,
    out: '',
    err: `The order ${other} is voided. The service sends its payment back to the payer.\n`,
  })
  expect(await run('orders', 'void', one)).toMatchObject({
    status: 1,
    err: expect.stringMatching(
      /^kassa-service: The order was captured on .*: refund it once it is delivered/,
    ),
  })
  expect(await run('orders', 'capture', randomUUID())).toMatchObject({
    status: 1,
    err: expect.stringContaining('there is no order'),
  })
  const after = await openPglite(dataDir)
  const jobs = await after.executeSql(
    `select name, data ->> 'orderId' as id from jobs where name like 'orders.%'`,
  )
  expect(jobs.rows).toEqual(
    expect.arrayContaining([
      { name: 'orders.deliver', id: one },
      { name: 'orders.refund', id: other },
    ]),
  )
  await after.close()
})

test('behavior: the operator ships an order, takes it back, and lists the shipments', async () => {
  const database = await openPglite(dataDir)
  const chain = createFakeChain({ now: Date.now })
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: Date.now })
  await world.createCollection({ id: 'tea' })
  const physicalAddress = { name: 'Ada', line1: 'Sand 1', city: 'Dunes', postalCode: '12345', country: 'DE' }
  const recipient = { email: 'ada@example.com', physicalAddress }
  const { order } = await world.create({ recipient, lineItems: { collectionLocator: 'kassa:tea' } })
  const { orderId } = order
  chain.pay({ orderId, currency: 'eth', units: 10n ** 16n })
  await world.look()
  await database.close()

  expect(await run('orders', 'shipments', orderId)).toMatchObject({ out: 'The order has no shipments.\n' })
  const shipped = await run('orders', 'ship', orderId, '--carrier', 'DHL', '--number', '42', '--items', '0')
  expect(shipped).toMatchObject({ status: 0, out: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
  const shipmentId = shipped.out.trim()
  const refusals = [
    await run('orders', 'ship', orderId, '--carrier', 'DHL'),
    await run('orders', 'ship', orderId),
    await run('orders', 'ship', orderId, '--carrier', 'DHL', '--items', 'x'),
    await run('orders', 'ship', orderId, '--carrier', 'DHL', '--url', 'http://carrier.example'),
    await run('orders', 'ship', randomUUID(), '--carrier', 'DHL'),
    await run('orders', 'unship', orderId, '--shipment', randomUUID()),
  ]
  expect(refusals.map(({ err }) => err)).toEqual([
    expect.stringContaining('Every line item of this order is shipped'),
    expect.stringContaining('carrier: required'),
    expect.stringContaining('lineItems[0].index: expected a whole number'),
    expect.stringContaining('trackingUrl: expected an https:// URL'),
    expect.stringContaining('there is no order'),
    expect.stringContaining('has no shipment'),
  ])
  expect(await run('orders', 'unship', orderId, '--shipment', shipmentId, '--reason', 'Oops')).toMatchObject({
    status: 0,
    err: expect.stringContaining('is cancelled'),
  })
  expect((await run('orders', 'shipments', orderId)).out).toMatch(/cancelled +DHL +42 +0 +\d{4}-/)
  expect(JSON.parse((await run('orders', 'shipments', orderId, '--json')).out)).toMatchObject([
    { shipmentId, status: 'cancelled', reason: 'Oops' },
  ])
})

test('behavior: the operator refunds an order, and lists its refunds', async () => {
  const database = await openPglite(dataDir)
  const chain = createFakeChain({ now: Date.now })
  const world = await createOrderWorld({ db: database.db, chains: [chain.port], now: Date.now })
  await world.createCollection({ id: 'tea' })
  const { order } = await world.create({ lineItems: { collectionLocator: 'kassa:tea' } })
  const { orderId } = order
  chain.pay({ orderId, currency: 'eth', units: 10n ** 16n })
  await world.look()
  await world.drain()
  await database.close()

  expect(await run('orders', 'refunds', orderId)).toMatchObject({ out: 'The order has no refunds.\n' })
  const refundId = `refund:${orderId}:0`
  const payer = '0x00000000000000000000000000000000000000aa'
  expect(await run('orders', 'refund', orderId, '--amount', '0.004', '--reason', 'Broken')).toEqual({
    status: 0,
    out: `${refundId}\n`,
    err: `The service will send 0.004 eth on base-sepolia to ${payer}. The delivered tokens stay with their holder.\n`,
  })
  const [over, odd, unknown] = [
    await run('orders', 'refund', orderId, '--amount', '0.007'),
    await run('orders', 'refund', orderId, '--amount', '1,5'),
    await run('orders', 'refund', randomUUID()),
  ]
  expect(over).toMatchObject({
    status: 1,
    err: 'kassa-service: amount: 0.007 is too much: 0.006 eth can be refunded now\n',
  })
  expect(odd).toMatchObject({ status: 2, err: expect.stringContaining('--amount: expected a decimal') })
  expect(unknown).toMatchObject({ status: 1, err: expect.stringContaining('there is no order') })
  expect(await run('orders', 'refund', orderId)).toMatchObject({ status: 0, out: `refund:${orderId}:1\n` })
  const { out } = await run('orders', 'refunds', orderId)
  expect(out.split('\n')[1]).toMatch(
    new RegExp(`^${refundId} +pending +requested +0\\.004 +eth +base-sepolia +${payer} +\\d{4}-`),
  )
  const json = await run('orders', 'refunds', orderId, '--json')
  expect(JSON.parse(json.out)).toMatchObject([
    { refundId, amount: '0.004', reason: 'Broken' },
    { amount: '0.006', lineItems: [{ index: 0 }] },
  ])
  const after = await openPglite(dataDir)
  const jobs = await after.executeSql(
    `select data->>'refundId' as id from jobs where data->>'orderId' = $1 and name = 'orders.refund' order by 1`,
    [orderId],
  )
  await after.close()
  expect(jobs.rows).toEqual([{ id: refundId }, { id: `refund:${orderId}:1` }])
})

test('behavior: contracts: those of the chain adapter, without opening a database', async () => {
  const unlock = await lockDataDir(dataDir)
  const { status, out, err } = await run('contracts')
  unlock()
  expect({ status, err }).toEqual({ status: 0, err: '' })
  const config = parseConfig({ KASSA_SANDBOX: '1', KASSA_DATA_DIR: dataDir })
  const { router, depositFactory } = getDeployments(privateKeyToAddress(config.operatorKey), true)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const tokensOf = (chain: string) =>
    Object.fromEntries(
      openChain({ config, db: undefined as never, log }, chain).port.currencies.flatMap(
        ({ currency, address, decimals }) => (address ? [[currency, { address, decimals }]] : []),
      ),
    )
  const chains = ['base-sepolia', 'polygon-amoy', 'ethereum-sepolia']
  expect(JSON.parse(out)).toEqual({
    contracts: { router: router.address, depositFactory: depositFactory.address },
    tokens: Object.fromEntries(chains.map((chain) => [chain, tokensOf(chain)])),
  })
  expect(Object.keys(tokensOf('polygon-amoy'))).toEqual(['usdc', 'usdxm'])
})

test('behavior: contracts: on Solana, the address of the operator and the tokens', async () => {
  const settings = { KASSA_SANDBOX: '1', KASSA_CHAINS: 'solana', KASSA_DATA_DIR: dataDir }
  const { out } = await runWith(settings, 'contracts')
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const { port } = openChain({ config: parseConfig(settings), db: undefined as never, log }, 'solana')
  const { solana } = JSON.parse(out)
  expect(solana.tokens).toEqual(
    Object.fromEntries(
      port.currencies.flatMap(({ currency, address, decimals }) =>
        address ? [[currency, { address, decimals }]] : [],
      ),
    ),
  )
  expect(getOrderAccounts(solana.operator, 'an-order', undefined).owner).toBe(
    port.paymentTarget({ orderId: 'an-order', currency: 'sol' }),
  )
})

test('behavior: contracts: the tokens of a chain that is not local are the configured ones', async () => {
  const address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  const { out } = await runWith(
    {
      KASSA_CHAINS: 'base-sepolia,polygon-amoy',
      KASSA_OPERATOR_KEY: `0x${'11'.repeat(32)}`,
      KASSA_MASTER_KEY: '22'.repeat(32),
      KASSA_RPC_BASE_SEPOLIA: 'http://127.0.0.1:1',
      KASSA_RPC_POLYGON_AMOY: 'http://127.0.0.1:1',
      KASSA_TOKENS_BASE_SEPOLIA: `usdc:${address}:6`,
    },
    'contracts',
  )
  const operator = privateKeyToAddress(`0x${'11'.repeat(32)}`)
  expect(JSON.parse(out)).toEqual({
    contracts: {
      router: getDeployments(operator, false).router.address,
      depositFactory: getDeployments(operator, false).depositFactory.address,
    },
    tokens: { 'base-sepolia': { usdc: { address, decimals: 6 } } },
  })
})

test('behavior: help', async () => {
  for (const args of [[], ['help'], ['--help'], ['help', 'keys'], ['keys', '--help']]) {
    const { status, out } = await run(...args)
    expect(status).toBe(0)
    expect(out).toContain('kassa-service keys create')
    expect(out.includes('kassa-service migrate')).toBe(!args.includes('keys'))
  }
})

test('behavior: a command needs only the settings that it uses', async () => {
  const bare = { KASSA_DATA_DIR: dataDir }
  await run('projects', 'create', 'shop')
  expect(await runWith(bare, 'projects', 'list')).toMatchObject({ status: 0, err: '' })
  expect(await runWith(bare, 'keys', 'list', '--project', 'shop')).toMatchObject({ status: 0, err: '' })
  expect(await runWith(bare, 'contracts')).toMatchObject({
    status: 1,
    err: 'kassa-service: KASSA_OPERATOR_KEY: required unless every chain is local\n',
  })
  const create = ['webhooks', 'create', '--project', 'shop', '--types', 'all', '--url', 'http://localhost:9/']
  expect(await runWith(bare, ...create)).toMatchObject({
    status: 1,
    err: 'kassa-service: KASSA_MASTER_KEY: required unless every chain is local\n',
  })
})

test.each([
  ['projects', 'list'],
  ['keys', 'list', '--project', 'shop'],
  ['webhooks', 'list'],
  ['webhooks', 'replay', 'msg_x'],
  ['ledger'],
])('error: there is no database: %s %s', async (...args) => {
  const nowhere = join(dataDir, 'nowhere')
  expect(await runWith({ KASSA_SANDBOX: '1', KASSA_DATA_DIR: nowhere }, ...args)).toEqual({
    status: 1,
    out: '',
    err: `kassa-service: there is no database in ${nowhere}: set KASSA_DATA_DIR or DATABASE_URL to the existing database\n`,
  })
  expect(existsSync(nowhere)).toBe(false)
})

test('error: another master key', async () => {
  const env = { KASSA_SANDBOX: '1', KASSA_DATA_DIR: dataDir }
  const create = ['webhooks', 'create', '--project', 'shop', '--types', 'all', '--url', 'http://localhost:9/']
  expect(await runWith(env, ...create)).toMatchObject({ status: 0 })
  const other = { ...env, KASSA_MASTER_KEY: '33'.repeat(32) }
  expect(await runWith(other, ...create)).toEqual({
    status: 1,
    out: '',
    err: expect.stringMatching(
      /^kassa-service: KASSA_MASTER_KEY is not the key this database was written with: .*\n$/,
    ),
  })
})

test.each([
  ['kassa-service: unknown command fly\nSee: kassa-service help\n', ['fly']],
  ['kassa-service: unknown command fly\nSee: kassa-service help\n', ['help', 'fly']],
  ['kassa-service keys: expected one of create, list, revoke\nSee: kassa-service help keys\n', ['keys']],
  [
    'kassa-service refunds: unknown command fly: expected one of list, send, retry\nSee: kassa-service help refunds\n',
    ['refunds', 'fly'],
  ],
  ['--project: required', ['keys', 'create', '--scopes', 'orders.read']],
  ['--scopes: required', ['keys', 'create', '--project', 'shop']],
  ['--colour', ['contracts', '--colour', 'red']],
  ['--colour', ['keys', 'create', '--project', 'shop', '--colour', 'red']],
  ['there is no scope orders.fly', ['keys', 'create', '--project', 'shop', '--scopes', 'orders.fly']],
  ['expected the id of one refund', ['refunds', 'retry']],
  ['expected the id of one order', ['orders', 'refund']],
  ['x is not an order id', ['orders', 'refunds', 'x']],
  ['there is no refund refund:none:0', ['refunds', 'retry', 'refund:none:0']],
  ['a client key needs at least one', ['keys', 'create', '--project', 'shop', '--client']],
])('error: %s', async (message, args) => {
  const { status, out, err } = await run(...args)
  expect({ status, out }).toEqual({ status: err.includes('See: kassa-service help') ? 2 : 1, out: '' })
  expect(err).toContain(message)
})

test('error: the service is running on the embedded database', async () => {
  const unlock = await lockDataDir(dataDir)
  expect(await run('migrate')).toMatchObject({ status: 1, err: expect.stringContaining('in use by process') })
  unlock()
})
