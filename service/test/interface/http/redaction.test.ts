import { getAddressEncoder, getBase58Decoder } from '@solana/kit'
import { createPublicClient, http } from 'viem'
import { expect, test } from 'vitest'
import { accountAddress } from '#adapters/chains/solana/connection/accountAddress.js'
import { createLog } from '#entry/createLog.js'
import { createShop, orderBody, ordersPath } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { testConfig } from '../../helpers/testConfig.js'

const shop = openBeforeAll(createShop)

test('default', async () => {
  const order = await shop.createOrder()
  await shop.send('POST', ordersPath, { body: orderBody, headers: { 'x-idempotency-key': 'logged' } })
  await shop.send('GET', order.path, {
    key: null,
    headers: { authorization: `Bearer ${order.clientSecret}` },
  })
  await shop.send('GET', `${ordersPath}?cursor=${order.clientSecret}`)
  await shop.send('GET', `/api/2022-06-09/${shop.serverKey}`)
  const log = shop.logged()
  expect(log).toContain(order.orderId)
  expect(log.split('\n').filter(Boolean)).toHaveLength(5)
  for (const secret of [order.clientSecret, shop.serverKey, shop.clientKey]) expect(log).not.toContain(secret)
})

test('behavior: secrets are hidden at any position', () => {
  let written = ''
  const otherMasterKeys = [Uint8Array.from(Buffer.from('5e'.repeat(32), 'hex'))]
  const databaseUrl = 'postgres://kassa:hunter2@db.internal/kassa'
  const config = { ...testConfig, databaseUrl, otherMasterKeys }
  const log = createLog(config, { write: (line) => (written += line) })
  const key = `sk_staging_${'A'.repeat(43)}`
  const secret = `cs_${'B'.repeat(43)}`
  const error = new Error('Failed query: insert into t values ($1)\nparams: ada@example.com,0xabc')
  Object.assign(error, { query: 'insert', params: ['ada@example.com'] })
  log.info({ config }, 'config')
  log.info({ headers: { authorization: secret, 'x-api-key': key }, clientSecret: secret }, 'request')
  log.info({}, `the key is ${key}, the secret ${secret}, the operator ${config.operatorKey}`)
  const masterKeys = [config.masterKey, ...otherMasterKeys].map((bytes) => Buffer.from(bytes).toString('hex'))
  log.info({ encryptedKey: 'v2.id.wrapped.sealed' }, `the master keys are ${masterKeys.join(' and ')}`)
  log.error(
    { err: new Error(`could not reach ${config.databaseUrl} or https://u:hunter2@rpc.example/x`) },
    'away',
  )
  log.error({ err: error }, 'failed')
  expect(written.split('\n').filter(Boolean)).toHaveLength(6)
  expect(written).toContain('Failed query: insert into t')
  for (const hidden of [...masterKeys, '94,94', 'v2.id.wrapped.sealed']) expect(written).not.toContain(hidden)
  for (const hidden of ['hunter2', key, secret, config.operatorKey.slice(2), 'ada@example.com'])
    expect(written).not.toContain(hidden)
})

test('behavior: fields that hold secrets are hidden three levels deep, in errors and lists too', () => {
  let written = ''
  const log = createLog(testConfig, { write: (line) => (written += line) })
  const err = Object.assign(new Error('failed'), { password: 'hidden-1' })
  const own = { at: new Date(0), list: [{ cookie: 'hidden-2' }], inner: { secret: 'hidden-3', shown: 1 } }
  log.error({ err, own, smtp: { url: 'hidden-4' } }, 'failed')
  expect(written).not.toContain('hidden')
  expect(written).toContain('"at":"1970-01-01T00:00:00.000Z"')
  expect(written).toContain('"list":[{"cookie":"[redacted]"}],"inner":{"secret":"[redacted]","shown":1}')
  expect(own.inner.secret).toBe('hidden-3')
})

test('behavior: the key of the operator on Solana is hidden in each of its forms', () => {
  let written = ''
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => 200 - at)
  const log = createLog({ ...testConfig, solanaOperatorKey: bytes }, { write: (line) => (written += line) })
  const pair = Uint8Array.from([...bytes, ...getAddressEncoder().encode(accountAddress(bytes))])
  const base58 = getBase58Decoder()
  const hex = (form: Uint8Array) => Buffer.from(form).toString('hex')
  for (const form of [bytes, pair]) {
    log.info(
      { given: [...form] },
      `${hex(form)} [${form.join(',')}] [${form.join(', ')}] ${base58.decode(form)}`,
    )
  }
  for (const secret of [
    hex(bytes),
    bytes.join(','),
    bytes.join(', '),
    base58.decode(bytes),
    base58.decode(pair),
  ])
    expect(written).not.toContain(secret)
  expect(written.match(/\[redacted\]/g)).toHaveLength(10)
})

test.each([
  'https://127.0.0.1:1/v2/hunter2-hunter2-hunter2',
  'HTTPS://127.0.0.1:1/v2/hunter2',
  'https://ada:hunter2@127.0.0.1:1/v2/hunter2?dkey=hunter2',
])('behavior: the key in the RPC URL %s is hidden', async (rpcUrl) => {
  let written = ''
  const chains = { 'base-sepolia': { rpcUrl, confirmations: 1, nftContracts: [], tokens: [] } }
  const log = createLog({ ...testConfig, chains }, { write: (line) => (written += line) })
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) })
  const error: unknown = await client.getBlockNumber().catch((err) => err)
  expect(String(error)).toContain('hunter2')
  log.error({ err: error }, 'away')
  log.error({ err: new Error('away', { cause: error }), chains }, `${rpcUrl} is away`)
  expect(written).toContain('HTTP request failed')
  expect(written).not.toContain('hunter2')
})

test('behavior: the key in the URL of the IPFS node is hidden', () => {
  let written = ''
  const ipfsRpcUrl = 'https://ada:hunter2@ipfs.example/hunter2-hunter2-hunter2/'
  const log = createLog({ ...testConfig, ipfsRpcUrl }, { write: (line) => (written += line) })
  log.info({ config: { ipfsRpcUrl } }, `${ipfsRpcUrl} is away`)
  log.warn({ err: new Error('no route /hunter2-hunter2-hunter2/api/v0/add') }, 'away')
  expect(written).toContain('no route /[redacted]/api/v0/add')
  expect(written).not.toContain('hunter2')
})

test.each(['base-sepolia', 'solana'])(
  'behavior: a key is hidden where a provider of %s repeats it without the URL',
  (chain) => {
    let written = ''
    const rpcUrl = 'https://rpc.example/v2/hunter2-hunter2-hunter2'
    const headsUrl = 'wss://ws.example/v2/hunter3-hunter3-hunter3'
    const fallbackUrl = 'https://second.example/v2/hunter4-hunter4-hunter4'
    const urls = { rpcUrl, fallbackUrl, headsUrl }
    const chains = { [chain]: { ...urls, confirmations: 1, nftContracts: [], tokens: [] } }
    const log = createLog({ ...testConfig, chains }, { write: (line) => (written += line) })
    log.error({ err: new Error('Details: rpc.example knows no app hunter2-hunter2-hunter2') }, 'away')
    expect(written).toContain('rpc.example knows no app [redacted]')
    log.error({ err: new Error('Details: ws.example knows no app hunter3-hunter3-hunter3') }, 'away')
    expect(written).toContain('ws.example knows no app [redacted]')
    log.error({ err: new Error('Details: second.example knows no app hunter4-hunter4-hunter4') }, 'away')
    expect(written).toContain('second.example knows no app [redacted]')
  },
)

test('behavior: error texts and paths are cut, without leaving half a secret', () => {
  let written = ''
  const log = createLog(testConfig, { write: (line) => (written += line) })
  const key = `sk_staging_${'A'.repeat(43)}`
  const text = `${'x'.repeat(1_990)} ${key}${' x'.repeat(500_000)}`
  const stackOf = { stack: `Error: ${text}\n    at here` }
  log.error({ err: Object.assign(new Error(text), stackOf, { details: text }), path: `/${text}` }, 'failed')
  expect(written.length).toBeLessThan(16_000)
  expect(written).not.toContain('AAAA')
  const { err, path } = JSON.parse(written)
  expect([err.message.length, err.details.length, err.stack.length, path.length].map((n) => n > 500)).toEqual(
    [true, true, true, true],
  )
  expect(path).toMatch(/^\/x{499}… \(\d+ characters\)$/)
})

test('behavior: parameters of a statement stay hidden when one of them looks like a stack', () => {
  let written = ''
  const log = createLog(testConfig, { write: (line) => (written += line) })
  const cause = new Error('connection lost')
  log.error(
    { err: new Error('Failed query: insert\nparams: a,\n  at b,ada@example.com', { cause }) },
    'failed',
  )
  expect(written).not.toContain('ada@example.com')
  expect(JSON.parse(written).err.message).toBe('Failed query: insert: connection lost')
})

test('behavior: an error is logged with its plain fields and its nested errors', () => {
  let written = ''
  const log = createLog(testConfig, { write: (line) => (written += line) })
  const inner = [new Error('connect ECONNREFUSED ::1'), new Error('connect ECONNREFUSED 127.0.0.1')]
  const err = Object.assign(new AggregateError(inner), { code: 'ECONNREFUSED', request: { body: 'x' } })
  log.error({ err }, 'away')
  const logged = JSON.parse(written).err
  expect(logged).toMatchObject({ type: 'AggregateError', code: 'ECONNREFUSED' })
  expect(logged.aggregateErrors.map(({ message }: Error) => message)).toEqual(
    inner.map(({ message }) => message),
  )
  expect(logged).not.toHaveProperty('request')
})

test('behavior: of causes in one another, the first ten are written', () => {
  let written = ''
  const log = createLog(testConfig, { write: (line) => (written += line) })
  let error = new Error('cause 0 of all')
  for (let level = 1; level <= 2_000; level++) error = new Error(`cause ${level} of all`, { cause: error })
  log.error({ err: error }, 'many causes')
  const { err } = JSON.parse(written) as { err: { type: string; message: string; stack: string } }
  expect(err.type).toBe('Error')
  for (const level of [2_000, 1_999, 1_990]) expect(err.message).toContain(`cause ${level} of all`)
  expect(written).not.toContain('cause 1989 of all')
})

test('behavior: of errors aggregated in one another, five of each are written, three levels deep', () => {
  let written = ''
  const log = createLog(testConfig, { write: (line) => (written += line) })
  const nest = (level: number): Error =>
    level === 0
      ? new Error('the innermost')
      : new AggregateError(Array(6).fill(nest(level - 1)), `aggregate of level ${level}`)
  log.error({ err: nest(20) }, 'many errors')
  const levels = [...written.matchAll(/"message":"aggregate of level (\d+)/g)].map(([, level]) =>
    Number(level),
  )
  expect([20, 19, 18, 17, 16].map((level) => levels.filter((each) => each === level).length)).toEqual([
    1, 5, 25, 125, 0,
  ])
})

test('behavior: a line has no bytecode, and is bounded', () => {
  const lines: string[] = []
  const log = createLog(testConfig, { write: (line) => void lines.push(line) })
  const bytecode = `0x6080604052${'5b'.repeat(20_000)}`
  const txId = `0x${'ab'.repeat(32)}`
  const cause = Object.assign(new Error(`Request body: {"params":["${bytecode}"]}`), { data: bytecode })
  const errors = Array.from(
    { length: 5 },
    (_, at) => new Error(`${at} ${'words of a node '.repeat(1_000)}`, { cause }),
  )
  const err = new AggregateError([...errors, new AggregateError(errors, 'inner')], `refused: ${bytecode}`, {
    cause,
  })
  log.warn({ chain: 'base-sepolia', txId, reason: bytecode, err }, `the node refused ${bytecode}`)
  log.warn({ err: new Error('x'.repeat(100_000)) }, 'long')
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line.length).toBeLessThanOrEqual(16_001)
    expect(line.endsWith('\n')).toBe(true)
    expect(line).not.toMatch(/[0-9a-f]{200}/i)
    expect(JSON.parse(line)).toMatchObject({ level: 40, err: { message: expect.any(String) } })
  }
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ chain: 'base-sepolia', txId })
})
