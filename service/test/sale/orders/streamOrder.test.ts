import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { CreateOrderAnswer, type Order } from 'kassa/schema'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createNotices } from '#base/db/notices.js'
import type { OrderStreams } from '#base/ports/orderStreams.js'
import { createOrderStreams } from '#sale/orders/createOrderStreams.js'
import { updateOrder } from '#sale/orders/updateOrder.js'
import { createShop, orderBody, ordersPath, type Shop } from '../../helpers/createShop.js'
import { createTestService } from '../../helpers/createTestService.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

type Event = { id: string; order: Order }

/** Reads an open stream: its events so far, its comments, and whether it has ended. */
const follow = (response: Response) => {
  const events: Event[] = []
  const comments: string[] = []
  let retryMs: number | undefined
  let hasEnded = false
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const readBlock = (block: string): void => {
    const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line) ?? [])
    const field = (name: string) => fields.find(([, found]) => found === name)?.[2]
    if (field('') !== undefined) comments.push(field('') ?? '')
    if (field('retry') !== undefined) retryMs = Number(field('retry'))
    const [id, data] = [field('id'), field('data')]
    if (id !== undefined && data !== undefined) events.push({ id, order: JSON.parse(data) })
  }
  const read = async (): Promise<void> => {
    let text = ''
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) break
      text += part.value
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      blocks.forEach(readBlock)
    }
    hasEnded = true
  }
  read().catch(() => undefined)
  return {
    events,
    comments,
    retryMs: () => retryMs,
    hasEnded: () => hasEnded,
    close: () => reader?.cancel(),
  }
}

/** Opens a stream with the order's client secret. */
const open = (
  { app }: Pick<Shop, 'app'>,
  { path, clientSecret }: { path: string; clientSecret: string },
  headers: Record<string, string> = {},
) => app.request(`${path}/events`, { headers: { authorization: clientSecret, ...headers } })

const setLocale = async (shop: Shop, path: string, locale: string): Promise<void> => {
  const response = await shop.send('PATCH', path, { body: { locale } })
  expect(response.status).toBe(200)
}

const localesOf = ({ events }: { events: Event[] }) => events.map(({ order }) => order.locale)

afterEach(() => void vi.useRealTimers())

for (const { name, open: openDatabase } of databaseKinds) {
  describe(`the stream of an order, on ${name}`, () => {
    const shop = openBeforeAll(async () => {
      const database = await openDatabase()
      const opened = await createShop({ database })
      return {
        ...opened,
        close: async () => {
          await opened.close()
          await database.close()
        },
      }
    })

    test('default', async () => {
      const order = await shop.createOrder()
      const got = await shop.app.request(order.path, { headers: { authorization: order.clientSecret } })
      const response = await open(shop, order)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(response.headers.get('cache-control')).toBe('private, no-store, no-transform')
      const stream = follow(response)
      await expect.poll(() => stream.events).toHaveLength(1)
      expect(stream.events).toEqual([{ id: got.headers.get('etag'), order: await got.json() }])
      expect(stream.retryMs()).toBeGreaterThanOrEqual(1_000)

      await setLocale(shop, order.path, 'de-DE')
      await expect.poll(() => localesOf(stream)).toEqual(['en-US', 'de-DE'])
      const changed = await shop.app.request(order.path, { headers: { authorization: order.clientSecret } })
      expect(stream.events[1]).toEqual({ id: changed.headers.get('etag'), order: await changed.json() })
      await stream.close()
    })

    test('behavior: a caller who has the order gets it after its next change only', async () => {
      const order = await shop.createOrder()
      const first = follow(await open(shop, order))
      await expect.poll(() => first.events).toHaveLength(1)
      const { id } = first.events[0] as Event
      const again = follow(await open(shop, order, { 'last-event-id': id }))
      await expect.poll(() => again.comments).toEqual(['open'])
      await setLocale(shop, order.path, 'fr-FR')
      await expect.poll(() => localesOf(again)).toEqual(['fr-FR'])
      // What the caller missed, it gets at once.
      const late = follow(await open(shop, order, { 'last-event-id': id }))
      await expect.poll(() => localesOf(late)).toEqual(['fr-FR'])
      await Promise.all([first, again, late].map(({ close }) => close()))
    })

    test('behavior: a change that is rolled back is told to no one', async () => {
      const order = await shop.createOrder()
      const told: string[] = []
      const stop = await shop.deps.notices.hear('orders', { onNotice: (id) => told.push(id) })
      const report = (isKept: boolean) =>
        shop.deps.db.transaction(async (tx) => {
          const event = { type: 'payment-reported', txId: `0x${'1'.repeat(64)}` } as const
          await updateOrder(shop.deps, tx, order.orderId, event)
          if (!isKept) throw new Error('rolled back')
        })
      await expect(report(false)).rejects.toThrow('rolled back')
      expect(told).toEqual([])
      await report(true)
      expect(told).toEqual([order.orderId])
      stop()
    })
  })
}

describe('the streams of a process', () => {
  const shop = openBeforeAll(createShop)

  /** Streams that share the database with the shop, as those of another process would. */
  type Client = { query(statement: unknown, ...values: unknown[]): Promise<unknown> }
  /** Watches what the database is asked outside of transactions. */
  const watchStatements = () => vi.spyOn((shop.deps.db as unknown as { $client: Client }).$client, 'query')
  const textOf = (statement: unknown): string =>
    typeof statement === 'string' ? statement : String(Object(statement).text)

  const createStreams = (maxOrderStreams = 10_000, now = shop.deps.now) =>
    createOrderStreams({ ...shop.deps, now, config: { maxOrderStreams } })
  const openFor = (streams: OrderStreams, orderId: string, network = '192.0.2.1') =>
    new Response(streams.open({ orderId, network, audience: 'buyer' }))

  test('behavior: a merchant sees what a client secret does not open', async () => {
    const created = await shop.send('POST', ordersPath, {
      body: { ...orderBody, gift: { giverName: 'Grace' } },
    })
    const { order, clientSecret } = z.parse(CreateOrderAnswer, await created.json())
    const path = `${ordersPath}/${order.orderId}`
    const [buyer, merchant] = [
      follow(await open(shop, { path, clientSecret })),
      follow(await shop.send('GET', `${path}/events`)),
    ]
    await expect.poll(() => [buyer.events.length, merchant.events.length]).toEqual([1, 1])
    expect(buyer.events[0]?.order.gift).toBeUndefined()
    expect(merchant.events[0]?.order.gift).toEqual({ giverName: 'Grace' })
    await Promise.all([buyer.close(), merchant.close()])
  })

  test('error: who may not get an order may not follow it', async () => {
    const [order, other] = [await shop.createOrder(), await shop.createOrder()]
    const path = `${order.path}/events`
    const asked = async (headers: Record<string, string>, at = path) => {
      const [events, got] = await Promise.all(
        [at, at.replace('/events', '')].map((each) => shop.app.request(each, { headers })),
      )
      expect(await events?.text()).toBe(await got?.text())
      return events?.status
    }
    expect(await asked({ authorization: other.clientSecret })).toBe(401)
    expect(await asked({})).toBe(401)
    expect(await asked({ 'x-api-key': shop.clientKey })).toBe(403)
    expect(await asked({ 'x-api-key': shop.serverKey }, `${ordersPath}/${randomUUID()}/events`)).toBe(404)
    expect(await asked({ 'x-api-key': shop.serverKey }, `${ordersPath}/none/events`)).toBe(404)
  })

  test('behavior: a page of any origin may follow an order with its secret', async () => {
    const order = await shop.createOrder()
    const preflight = await shop.app.request(`${order.path}/events`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://anywhere.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,last-event-id',
      },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Last-Event-ID')
    const response = await open(shop, order, { origin: 'https://anywhere.example' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    await response.body?.cancel()
  })

  test('behavior: several streams and several changes at once share reads', async () => {
    const [order, other] = [await shop.createOrder(), await shop.createOrder()]
    const asked = watchStatements()
    const streams = createStreams()
    const followed = [order, order, order, other].map(({ orderId }) => follow(openFor(streams, orderId)))
    await expect.poll(() => followed.map(({ events }) => events.length)).toEqual([1, 1, 1, 1])
    // The look after the first notices can be heard reads the revisions, and nothing else.
    const reads = () =>
      asked.mock.calls.filter(([statement]) => /"document".* from "orders"/s.test(textOf(statement))).length
    expect(reads()).toBeLessThanOrEqual(2)
    const before = reads()
    for (const _ of Array(20)) shop.deps.notices.tell('orders', order.orderId)
    await expect.poll(() => reads()).toBeGreaterThan(before)
    await streams.stop()
    expect(reads() - before).toBeLessThanOrEqual(2)
    // Nothing had changed.
    expect(followed.map(({ events }) => events.length)).toEqual([1, 1, 1, 1])
    asked.mockRestore()
  })

  test('behavior: a comment every 15 seconds shows that the connection works', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const order = await shop.createOrder()
    const streams = createStreams()
    const stream = follow(openFor(streams, order.orderId))
    await expect.poll(() => stream.events).toHaveLength(1)
    for (const count of [1, 2]) {
      vi.advanceTimersByTime(15_000)
      await expect.poll(() => stream.comments).toEqual(['open', ...Array(count).fill('heartbeat')])
    }
    await stream.close()
    expect(vi.getTimerCount()).toBe(0)
    await streams.stop()
  })

  test('behavior: a change whose notice was lost is found after 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const order = await shop.createOrder()
    const streams = createOrderStreams({ ...shop.deps, notices: createNotices('', undefined) })
    const stream = follow(openFor(streams, order.orderId))
    await expect.poll(() => stream.events).toHaveLength(1)
    await setLocale(shop, order.path, 'de-DE')
    vi.advanceTimersByTime(30_000)
    await expect.poll(() => localesOf(stream)).toEqual(['en-US', 'de-DE'])
    await streams.stop()
  })

  test('behavior: a stream ends after an hour', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const order = await shop.createOrder()
    let skippedMs = 0
    const streams = createStreams(10_000, () => shop.deps.now() + skippedMs)
    const stream = follow(openFor(streams, order.orderId))
    await expect.poll(() => stream.events).toHaveLength(1)
    skippedMs = 3_600_000
    vi.advanceTimersByTime(15_000)
    await expect.poll(() => stream.hasEnded()).toBe(true)
    await streams.stop()
  })

  test('behavior: a caller who reads slowly gets the newest state next, and nothing piles up', async () => {
    const order = await shop.createOrder()
    const streams = createStreams()
    const reader = streams.open({ orderId: order.orderId, network: '', audience: 'buyer' }).getReader()
    const decode = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await decode()).toMatch(/^retry: \d+\n: open\n\n$/)
    const first = await decode()
    const sent = vi.spyOn(ReadableStreamDefaultController.prototype, 'enqueue')
    for (const locale of ['de-DE', 'fr-FR', 'es-ES', 'it-IT']) await setLocale(shop, order.path, locale)
    await streams.stop()
    // One waits in the stream. The others were replaced by the newest one before it was read.
    expect(sent.mock.calls.length).toBeLessThanOrEqual(1)
    sent.mockRestore()
    expect(first).toContain('"locale":"en-US"')
  })

  test('error: rate-limited: an order, an address and a process have so many streams', async () => {
    const [first, second] = await Promise.all([shop.createOrder(), shop.createOrder()])
    const [one, two] = [first.orderId, second.orderId]
    const refusal = (message: string) => expect.objectContaining({ code: 'rate-limited', message })
    const small = createStreams(1)
    openFor(small, one)
    expect(() => openFor(small, two, '192.0.2.2')).toThrow(
      refusal('The service has too many open streams: close one, or poll the order'),
    )
    await small.stop()
    const streams = createStreams(210)
    const [own] = Array.from({ length: 20 }, () => openFor(streams, one))
    expect(() => openFor(streams, one)).toThrow(
      refusal('The order has 20 open streams: close one, or poll the order'),
    )
    openFor(streams, two)
    expect(() => openFor(streams, two)).toThrow(
      refusal('Your address has 21 open streams: close one, or poll the order'),
    )
    openFor(streams, two, '192.0.2.2')
    // A stream that its caller closes leaves its place.
    await own?.body?.cancel()
    openFor(streams, one)
    await streams.stop()
  })

  test('error: rate-limited: the answer says when to try again', async () => {
    const limited = await createShop({ database: shop.database, config: { maxOrderStreams: 0 } })
    const response = await shop.createOrder().then((order) => open(limited, order))
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('30')
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/too many open streams/) })
    await limited.close()
  })

  test('behavior: a HEAD request opens no stream', async () => {
    const limited = await createShop({ database: shop.database, config: { maxOrderStreams: 1 } })
    const order = await shop.createOrder()
    const headers = { authorization: order.clientSecret }
    const head = await limited.app.request(`${order.path}/events`, { method: 'HEAD', headers })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const response = await open(limited, order)
    expect(response.status).toBe(200)
    await response.body?.cancel()
    await limited.close()
  })

  test('behavior: a process that stops ends its streams at once, also one that opens later', async () => {
    const order = await shop.createOrder()
    const streams = createStreams()
    const stream = follow(openFor(streams, order.orderId))
    await expect.poll(() => stream.events).toHaveLength(1)
    await streams.stop()
    await expect.poll(() => stream.hasEnded()).toBe(true)
    const late = follow(openFor(streams, order.orderId))
    await expect.poll(() => late.hasEnded()).toBe(true)
    expect(late.events).toEqual([])
    expect(late.retryMs()).toBeGreaterThanOrEqual(1_000)
  })

  test('behavior: streams stay open while the database is away, and catch up', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const order = await shop.createOrder()
    const streams = createStreams()
    const asked = watchStatements().mockRejectedValue(new Error('Connection terminated'))
    const stream = follow(openFor(streams, order.orderId))
    await expect.poll(() => shop.logged()).toContain('changed orders were not read')
    asked.mockRestore()
    vi.advanceTimersByTime(30_000)
    await expect.poll(() => stream.events).toHaveLength(1)
    await streams.stop()
  })
})

describe('two processes on one PostgreSQL', () => {
  const postgres = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  if (!postgres) throw new Error('no PostgreSQL')

  test('behavior: a change by one is told by the other, also after its connection broke', async () => {
    const first = await postgres.open()
    const second = await postgres.open(first.url)
    const shop = await createShop({ database: first })
    const other = await createTestService({ database: second })
    const order = await shop.createOrder()
    const stream = follow(await open(other, order))
    await expect.poll(() => localesOf(stream)).toEqual(['en-US'])
    await setLocale(shop, order.path, 'de-DE')
    await expect.poll(() => localesOf(stream)).toEqual(['en-US', 'de-DE'])

    // What happens while the connection is away is read when it is back.
    await first.db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kassa-listen'
          and datname = current_database()`,
    )
    await setLocale(shop, order.path, 'fr-FR')
    await expect.poll(() => localesOf(stream).at(-1)).toBe('fr-FR')
    await stream.close()
    await other.close()
    await shop.close()
    await second.close()
    await first.close()
  })
})
