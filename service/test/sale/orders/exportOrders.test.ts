import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { exportOrders as exportThere, listOrders as listThere } from 'kassa/api'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Call } from '#base/call.js'
import { exportOrders, writeCell } from '#sale/orders/exportOrders.js'
import { listOrders, type OrderFilters } from '#sale/orders/readOrders.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, payerAddress } from '../../helpers/createOrderWorld.js'
import { createShop } from '../../helpers/createShop.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const email = 'ada@example.com'
let nowMs: number
const database = openBeforeAll(createTestDatabase)
let world: OrderWorld
let chain: FakeChain

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs })
  world = await createOrderWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
})

const create = async (body: Record<string, unknown> = {}) => {
  nowMs += 1_000
  const { order } = await world.create({ lineItems: [{ collectionLocator: 'kassa:tea' }], ...body })
  return order.orderId
}
const read = async (
  filters: OrderFilters & { sort?: 'newest' | 'oldest' } = {},
  call: Call = world.serverCall,
) => {
  const text = await new Response(await exportOrders(world.deps, call, filters)).text()
  expect(text.endsWith('\r\n')).toBe(true)
  const [titles = '', ...rows] = text.slice(0, -2).split('\r\n')
  return { titles, rows, ids: rows.map((row) => row.split(',')[0]) }
}

test('default', async () => {
  const unpaid = await create({ recipient: { email } })
  const sold = await create({ recipient: { email } })
  const createdAt = new Date(nowMs).toISOString()
  chain.pay({ orderId: sold, currency: 'eth', units: 10n ** 16n })
  await world.look()
  await world.drain()
  const { titles, rows } = await read()
  expect(titles).toBe(
    [
      'orderId',
      'createdAt',
      'phase',
      'paymentStatus',
      'lineItems',
      'chain',
      'total',
      'totalCurrency',
      'received',
      'receivedCurrency',
      'refunded',
      'refundedCurrency',
      'transaction',
      'payer',
      'recipientEmail',
      'recipientWallet',
      'receiptEmail',
      'locale',
    ].join(),
  )
  expect(rows).toHaveLength(2)
  const [first, second] = rows
  expect(first).toMatch(
    new RegExp(
      `^${sold},${createdAt},completed,completed,tea × 1,base-sepolia,0.01,eth,0.01,eth,,,0x\\w{64},${payerAddress},${email},0x\\w{40},,en-US$`,
      'i',
    ),
  )
  expect(second).toContain(`${unpaid},`)
  expect(second).toContain(',payment,awaiting-payment,')
})

test('parameters: the filters and the sorting of the list', async () => {
  const first = await create()
  const firstMs = nowMs
  const second = await create({ recipient: { email } })
  const last = await create()
  expect((await read()).ids).toEqual([last, second, first])
  expect((await read({ sort: 'oldest' })).ids).toEqual([first, second, last])
  expect((await read({ search: email })).ids).toEqual([second])
  expect((await read({ phase: 'completed' })).ids).toEqual([])
  expect((await read({ createdFrom: new Date(firstMs + 1), sort: 'oldest' })).ids).toEqual([second, last])
  expect((await read({ createdBefore: new Date(firstMs + 1) })).ids).toEqual([first])
})

test('behavior: many orders are read as they are taken, each once', async () => {
  await create()
  await database.db.execute(sql`
    insert into orders (id, project_id, client_secret_hash, phase, chain, document, created_at, updated_at, terms)
    select gen_random_uuid(), project_id, 'hash ' || number, phase, chain, document,
      created_at + (number / 7) * interval '1 ms', updated_at, terms
    from orders, generate_series(1, 1200) as number`)
  const stream = await exportOrders(world.deps, world.serverCall, { sort: 'oldest' })
  const reader = stream
    .pipeThrough<string>(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  const { value: start = '' } = await reader.read()
  expect(start.split('\r\n').length).toBeLessThan(600)
  // What is created while the file arrives, and is sorted behind what has arrived, is in it.
  nowMs += 60_000
  const added = await create()
  let text = start
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value
  const times = text.split('\r\n').flatMap((line) => line.split(',')[1] ?? [])
  expect(times).toHaveLength(1 + 1_202)
  expect(text).toContain(added)
  expect(times.slice(1)).toEqual(times.slice(1).sort())
})

test('behavior: a caller that stops is read for no more', async () => {
  await create()
  const stream = await exportOrders(world.deps, world.serverCall, {})
  const reader = stream.getReader()
  await reader.read()
  await reader.cancel()
  expect(await reader.read()).toEqual({ done: true, value: undefined })
})

test.each([
  ['=1+1', '"\'=1+1"'],
  ['+49', '"\'+49"'],
  ['-1', '"\'-1"'],
  ['@SUM(A1)', '"\'@SUM(A1)"'],
  ['\t=1', '"\'\t\'=1"'],
  [' =1', '"\' =1"'],
  ['\r=1', '"\'\r\'=1"'],
  ['＝1', '"\'＝1"'],
  // A spreadsheet that separates by semicolons or tabs begins a cell inside the text.
  [';=1', '"\';\'=1"'],
  ['a;=1', '"a;\'=1"'],
  ['a; +1;b', '"a;\' +1;b"'],
  ['a\t=1', '"a\t\'=1"'],
  ['a\n@b', '"a\n\'@b"'],
  [';a', '"\';a"'],
  ['a; b - c', '"a; b - c"'],
  // What is not shown before a formula.
  ['\u200b=1', '"\'\u200b=1"'],
  ['\ufeff=1', '"\'\ufeff=1"'],
  ['\u2060\u00ad\u3164+1', '"\'\u2060\u00ad\u3164+1"'],
  ['\u200ba', '\u200ba'],
  ['a "b", c', '"a ""b"", c"'],
  ['two\nlines', '"two\nlines"'],
  ['0.01', '0.01'],
  ['tea × 1', 'tea × 1'],
  [undefined, ''],
])('behavior: %j is written as a text', (text, cell) => {
  expect(writeCell(text)).toBe(cell)
})

test('behavior: the file begins with a byte order mark, once, or Excel misreads its letters', async () => {
  for (let count = 0; count < 2; count++) await create()
  const bytes = await new Response(await exportOrders(world.deps, world.serverCall, {})).arrayBuffer()
  expect([...new Uint8Array(bytes).slice(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 'o'.charCodeAt(0)])
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  expect(text.match(/\uFEFF/g)).toHaveLength(1)
})

test('behavior: a formula that a buyer wrote stays a text', async () => {
  await create({ recipient: { email: '+1@x.example' } })
  expect((await read()).rows[0]).toContain(`,"'+1@x.example",`)
})

describe('access', () => {
  test('error: forbidden, and nothing of another project', async () => {
    await create()
    const { actor } = world.serverCall
    const stranger = { ...world.serverCall, actor: { ...actor, projectId: randomUUID() } }
    expect((await read({}, stranger)).ids).toEqual([])
    for (const other of [
      { ...actor, scopes: [] },
      { ...actor, kind: 'client-key' },
    ]) {
      const call = { ...world.serverCall, actor: other } as Call
      await expect(exportOrders(world.deps, call, {})).rejects.toMatchObject({ code: 'forbidden' })
    }
    await expect(exportOrders(world.deps, world.secretCall('x'), {})).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

test('parameters: sort, in both directions of the list', async () => {
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.push(await create())
  const list = (cursor?: string) =>
    listOrders(world.deps, world.serverCall, { limit: 2, sort: 'oldest', cursor })
  const pages = [await list()]
  for (let next = pages[0]?.nextCursor; next; next = pages.at(-1)?.nextCursor) pages.push(await list(next))
  const idsOf = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ orderId }) => orderId)
  expect(pages.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  expect(pages[0]?.previousCursor).toBeUndefined()
  const middle = await list(pages[2]?.previousCursor)
  expect(idsOf(middle)).toEqual(ids.slice(2, 4))
  const first = await list(middle.previousCursor)
  expect(idsOf(first)).toEqual(ids.slice(0, 2))
  expect(first.previousCursor).toBeUndefined()
})

describe('over HTTP', () => {
  const shop = openBeforeAll(createShop)

  test('default: through the functions of the library', async () => {
    const { orderId } = await shop.createOrder()
    const later = await shop.createOrder()
    const { data } = await listThere(shop.client, { sort: 'oldest' })
    expect(data.map((order) => order.orderId)).toEqual([orderId, later.orderId])
    const [createdAt] = data.map((order) => order.createdAt)
    expect(createdAt).toMatch(/^\d{4}-.*Z$/)
    const text = await new Response(await exportThere(shop.client, { sort: 'oldest' })).text()
    expect(text.split('\r\n')[1]).toContain(`${orderId},${createdAt},`)
    await expect(exportThere(shop.client, { createdFrom: 'yesterday' })).rejects.toMatchObject({
      code: 'api.bad-request',
    })
    const signal = AbortSignal.abort('enough')
    await expect(exportThere(shop.client, { signal })).rejects.toBe('enough')
  })

  test('behavior: the answer is a file', async () => {
    const response = await shop.send('GET', '/api/2022-06-09/orders.csv')
    expect(response.headers.get('content-type')).toContain('text/csv')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    await response.text()
    const head = await shop.send('HEAD', '/api/2022-06-09/orders.csv')
    expect(head.status).toBe(200)
  })
})
