import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../src/api/index.js'
import { editOrderMutationOptions } from '../../src/query/editOrder.js'
// Loaded before any clock runs: the page loads it later.
import '../../src/query/followOrder.js'
import { setOrder } from '../../src/query/setOrder.js'
import { orderQueryOptions } from '../../src/query.js'
import type { Order } from '../../src/schema/index.js'
import { orders } from '../../src/testing/orders.js'

const clientSecret = 'cs_the_secret'
const { orderId } = orders.awaitingPaymentNative

/** The order in one of its states, which its locale names. */
const inState = (locale: string, order: Order = orders.awaitingPaymentNative): Order => ({
  ...order,
  orderId,
  locale,
})
const etagOf = (order: Order): string => `"${order.phase} ${order.locale}"`

type Connection = {
  headers: Headers
  /** Sends a part of the stream. */
  send(text: string): void
  tell(order: Order): void
  end(): void
  fail(): void
  isClosed(): boolean
}

/** Answers in place of a stream. */
type AnswerStream = (signal?: AbortSignal | null) => Response | Promise<Response> | undefined

/** A service whose answers the test writes: `current` for a poll, and what it tells for a stream. */
const createScript = (answerStream?: AnswerStream) => {
  const connections: Connection[] = []
  const urls: string[] = []
  const script = {
    current: inState('en-US'),
    polls: 0,
    streams: 0,
    urls,
    connections,
    /** Delays polls, if set. */
    gate: undefined as Promise<void> | undefined,
  }
  const openStream = (headers: Headers, signal: AbortSignal | null | undefined): Response => {
    let isClosed = false
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const close = (error: unknown): void => {
          if (!isClosed) controller.error(error)
          isClosed = true
        }
        const send = (text: string): void => controller.enqueue(new TextEncoder().encode(text))
        signal?.addEventListener('abort', () => close(signal.reason))
        connections.push({
          headers,
          send,
          tell: (order) => send(`id: ${etagOf(order)}\nevent: order\ndata: ${JSON.stringify(order)}\n\n`),
          end: () => {
            isClosed = true
            controller.close()
          },
          fail: () => close(new TypeError('the connection broke')),
          isClosed: () => isClosed,
        })
        send('retry: 2000\n: open\n\n')
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const client = createClient({
    baseUrl: 'https://kassa.example/api',
    fetch: async (input, init) => {
      const url = String(input)
      const headers = new Headers(init?.headers)
      urls.push(url)
      if (url.endsWith('/events')) {
        script.streams += 1
        return answerStream?.(init?.signal) ?? openStream(headers, init?.signal)
      }
      if (init?.method === 'PATCH') {
        await script.gate
        return Response.json(script.current)
      }
      script.polls += 1
      const answered = script.current
      await script.gate
      const etag = etagOf(answered)
      return headers.get('if-none-match') === etag
        ? new Response(null, { status: 304, headers: { etag } })
        : Response.json(answered, { headers: { etag } })
    },
  })
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { gcTime: Number.POSITIVE_INFINITY },
      mutations: { gcTime: Number.POSITIVE_INFINITY },
    },
  })
  const options = orderQueryOptions(client, { orderId, clientSecret })
  const shown: string[] = []
  const watch = () =>
    new QueryObserver(queryClient, options).subscribe(({ data }) => {
      if (data?.locale && shown.at(-1) !== data.locale) shown.push(data.locale)
    })
  return Object.assign(script, { client, queryClient, options, shown, watch })
}

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const lastOf = ({ connections }: { connections: Connection[] }): Connection => {
  const last = connections.at(-1)
  if (!last) throw new Error('no stream was opened')
  return last
}

const stops: (() => void)[] = []

/** Shows an order, and waits until its stream is open. */
const show = async (answerStream?: AnswerStream) => {
  const script = createScript(answerStream)
  stops.push(script.watch())
  // The code that follows an order is loaded from a file, which no clock drives.
  await import('../../src/query/followOrder.js')
  await settle(10)
  return script
}

beforeEach(() => void vi.useFakeTimers())
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  // Streams and pending connections notice within a minute that the order is no longer shown.
  await settle(70_000)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('followOrder', () => {
  test('default', async () => {
    const script = await show()
    const before = script.polls
    lastOf(script).tell(inState('de-DE'))
    await settle()
    expect(script.shown).toEqual(['en-US', 'de-DE'])
    lastOf(script).tell(inState('fr-FR'))
    await settle()
    expect(script.shown).toEqual(['en-US', 'de-DE', 'fr-FR'])
    expect(script.polls).toBe(before)
  })

  test('behavior: a healthy stream is polled behind once a minute', async () => {
    const script = await show()
    lastOf(script).tell(script.current)
    await settle()
    const before = script.polls
    for (let second = 0; second < 59; second += 1) {
      if (second % 15 === 0) lastOf(script).send(': heartbeat\n\n')
      await settle(1_000)
    }
    expect(script.polls - before).toBeLessThanOrEqual(1)
  })

  test('behavior: the secret is in a header, never in an address or a query key', async () => {
    const script = await show()
    expect(lastOf(script).headers.get('authorization')).toBe(clientSecret)
    expect(lastOf(script).headers.get('accept')).toBe('text/event-stream')
    expect(script.urls.join()).not.toContain(clientSecret)
    expect(JSON.stringify(script.options.queryKey)).not.toContain(clientSecret)
  })

  test('behavior: the state that is known already is not sent again', async () => {
    const script = await show()
    expect(lastOf(script).headers.get('last-event-id')).toBe(etagOf(script.current))
  })

  test('behavior: a part of an event waits for the rest', async () => {
    const script = await show()
    const text = `id: "x"\nevent: order\ndata: ${JSON.stringify(inState('de-DE'))}\n\n`
    for (const part of [text.slice(0, 30), text.slice(30, -1), text.slice(-1)]) {
      expect(script.shown).toEqual(['en-US'])
      lastOf(script).send(part)
      await settle()
    }
    expect(script.shown).toEqual(['en-US', 'de-DE'])
  })

  test.each([
    ['404', () => Response.json({ error: true, message: 'Not found' }, { status: 404 })],
    ['405', () => new Response(null, { status: 405 })],
    ['501', () => new Response(null, { status: 501 })],
    ['204', () => new Response(null, { status: 204 })],
    ['a page', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
  ])('behavior: without a stream (%s) the order is polled as before', async (_, answer) => {
    const script = await show(answer)
    const before = script.polls
    script.current = inState('de-DE')
    await settle(60_000)
    expect(script.shown).toEqual(['en-US', 'de-DE'])
    // The buyer decides about the payment: every five seconds.
    expect(script.polls - before).toBeGreaterThanOrEqual(11)
    expect(script.streams).toBe(1)
  })

  test('behavior: where a proxy holds the stream back, the order is polled as before', async () => {
    const script = await show(
      (signal) =>
        new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    )
    const before = script.polls
    script.current = inState('de-DE')
    await settle(6_000)
    expect(script.shown).toEqual(['en-US', 'de-DE'])
    await settle(294_000)
    expect(script.polls - before).toBeGreaterThanOrEqual(55)
    expect(script.streams).toBe(3)
  })

  test('behavior: after a break the order is polled at once, and the stream opened again', async () => {
    const script = await show()
    lastOf(script).tell(inState('de-DE'))
    await settle()
    script.current = inState('fr-FR')
    const before = script.polls
    lastOf(script).fail()
    await settle(10)
    expect(script.polls - before).toBe(1)
    expect(script.shown.at(-1)).toBe('fr-FR')
    await settle(10_000)
    expect(script.streams).toBe(2)
    expect(lastOf(script).headers.get('last-event-id')).toBe(etagOf(script.current))
    lastOf(script).tell(inState('it-IT'))
    await settle()
    expect(script.shown.at(-1)).toBe('it-IT')
  })

  test('behavior: a stream that the service ends is opened again after the time it asked for', async () => {
    const script = await show()
    lastOf(script).end()
    await settle(1_900)
    expect(script.streams).toBe(1)
    await settle(200)
    expect(script.streams).toBe(2)
  })

  test('behavior: a service that is away is asked less and less often, as long as the order is shown', async () => {
    let isAway = false
    const script = createScript(() => (isAway ? new Response(null, { status: 503 }) : undefined))
    stops.push(script.watch())
    await settle(10)
    isAway = true
    lastOf(script).fail()
    await settle(300_000)
    const asked = script.streams
    expect(asked).toBeGreaterThan(5)
    expect(asked).toBeLessThan(20)
    isAway = false
    // Not longer, because a stream that stays silent is given up.
    for (let second = 0; second < 70 && script.streams === asked; second++) await settle(1_000)
    expect(script.streams).toBe(asked + 1)
    lastOf(script).tell(inState('de-DE'))
    await settle()
    expect(script.shown.at(-1)).toBe('de-DE')
  })

  test('behavior: a refusal says when to try again', async () => {
    const script = await show(() => new Response(null, { status: 429, headers: { 'retry-after': '30' } }))
    await settle(29_000)
    expect(script.streams).toBe(1)
    await settle(2_000)
    expect(script.streams).toBe(2)
  })

  test('behavior: a stream that has fallen silent is given up', async () => {
    const script = await show()
    const first = lastOf(script)
    await settle(39_000)
    expect(first.isClosed()).toBe(false)
    await settle(2_000)
    expect(first.isClosed()).toBe(true)
    await settle(10_000)
    expect(script.streams).toBe(2)
  })

  test('behavior: an event that cannot be read ends the stream, and the order is polled', async () => {
    const script = await show()
    const before = script.polls
    lastOf(script).send('id: "x"\nevent: order\ndata: {"orderId":"another"}\n\n')
    await settle(10)
    expect(lastOf(script).isClosed()).toBe(true)
    expect(script.polls - before).toBe(1)
    expect(script.shown).toEqual(['en-US'])
  })

  test('behavior: events of other names are for later versions', async () => {
    const script = await show()
    lastOf(script).send('event: something\ndata: {}\n\n')
    lastOf(script).tell(inState('de-DE'))
    await settle()
    expect(script.shown).toEqual(['en-US', 'de-DE'])
  })
})

describe('the order of states', () => {
  test('behavior: an event that was on its way does not replace the answer to a change', async () => {
    const script = await show()
    script.current = inState('fr-FR')
    setOrder(script.queryClient, script.client, script.current)
    // Sent before the change.
    lastOf(script).tell(inState('de-DE'))
    await settle(10)
    expect(script.shown).toEqual(['en-US', 'fr-FR'])
    lastOf(script).tell(inState('fr-FR'))
    lastOf(script).tell(inState('it-IT'))
    await settle()
    expect(script.shown).toEqual(['en-US', 'fr-FR', 'it-IT'])
  })

  test('behavior: a late answer does not replace an event for longer than the next poll takes', async () => {
    const script = await show()
    lastOf(script).tell(inState('it-IT'))
    await settle()
    script.current = inState('it-IT')
    setOrder(script.queryClient, script.client, inState('de-DE'))
    // The poll is as frequent as without a stream, because the two sources disagree.
    await settle(6_000)
    expect(script.shown.at(-1)).toBe('it-IT')
  })

  test('behavior: a poll that an event overtakes does not replace it', async () => {
    const script = await show()
    let release = (): void => undefined
    script.gate = new Promise((resolve) => {
      release = resolve
    })
    const polling = script.queryClient.refetchQueries({ queryKey: script.options.queryKey })
    await settle()
    lastOf(script).tell(inState('de-DE'))
    await settle()
    release()
    script.gate = undefined
    await polling
    await settle()
    expect(script.shown).toEqual(['en-US', 'de-DE'])
  })

  test('behavior: a state that only a poll has seen is not replaced by an older event', async () => {
    const script = await show()
    script.current = inState('fr-FR')
    await script.queryClient.refetchQueries({ queryKey: script.options.queryKey })
    lastOf(script).tell(inState('de-DE'))
    await settle(10)
    expect(script.shown).toEqual(['en-US', 'fr-FR'])
  })

  test('behavior: an event waits until the buyer’s own change was answered', async () => {
    const script = await show()
    let release = (): void => undefined
    script.gate = new Promise((resolve) => {
      release = resolve
    })
    const edit = editOrderMutationOptions(script.client, { orderId, clientSecret })
    script.current = inState('de-DE')
    const editing = script.queryClient
      .getMutationCache()
      .build(script.queryClient, edit)
      .execute({ locale: 'de-DE' })
    await settle()
    lastOf(script).tell(script.current)
    await settle(500)
    expect(script.shown).toEqual(['en-US'])
    release()
    script.gate = undefined
    await editing
    const before = script.polls
    await settle(100)
    expect(script.shown).toEqual(['en-US', 'de-DE'])
    // The event said what the answer did.
    expect(script.polls).toBe(before)
  })
})

describe('the life of a stream', () => {
  test('behavior: many observers share one stream, which ends with the last of them', async () => {
    const script = await show()
    const [first, second] = [script.watch(), script.watch()]
    await settle(100)
    expect(script.streams).toBe(1)
    for (const stop of stops.splice(0)) stop()
    first()
    await settle(2_000)
    expect(lastOf(script).isClosed()).toBe(false)
    second()
    await settle(1_000)
    expect(lastOf(script).isClosed()).toBe(true)
    // It opens again for the next one.
    stops.push(script.watch())
    await settle(100)
    expect(script.streams).toBe(2)
  })

  test('behavior: a component that mounts again at once keeps the stream', async () => {
    const script = await show()
    for (const stop of stops.splice(0)) stop()
    stops.push(script.watch())
    await settle(5_000)
    expect([script.streams, lastOf(script).isClosed()]).toEqual([1, false])
  })

  test('behavior: an order that has ended needs no stream', async () => {
    const script = await show()
    lastOf(script).tell(inState('en-US', orders.completed))
    await settle(1_000)
    expect(lastOf(script).isClosed()).toBe(true)
    const before = [script.polls, script.streams]
    await settle(120_000)
    expect([script.polls, script.streams]).toEqual(before)
  })

  test('behavior: a page that is hidden for ten seconds closes the stream, and opens it when it is looked at', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get')
    const script = await show()
    visibility.mockReturnValue('hidden')
    await settle(9_000)
    expect(lastOf(script).isClosed()).toBe(false)
    await settle(3_000)
    expect(lastOf(script).isClosed()).toBe(true)
    visibility.mockReturnValue('visible')
    await settle(30_000)
    expect(script.streams).toBe(2)
  })

  test('behavior: the tabs of a site share three streams, and the others poll until one is free', async () => {
    const held = new Set<string>()
    const request = async (name: string, _: LockOptions, work: (lock: object | null) => unknown) => {
      if (held.has(name)) return work(null)
      held.add(name)
      await work({ name })
      held.delete(name)
    }
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'))
    const tabs: Awaited<ReturnType<typeof show>>[] = []
    for (let tab = 0; tab < 7; tab++) tabs.push(await show())
    expect(tabs.map(({ streams }) => streams)).toEqual([1, 1, 1, 0, 0, 0, 0])
    for (const tab of tabs) tab.current = inState('fr-FR')
    await settle(6_000)
    expect(tabs.slice(3).map(({ shown }) => shown.at(-1))).toEqual(new Array(4).fill('fr-FR'))
    stops.shift()?.()
    await settle(8_000)
    expect(tabs[0] && lastOf(tabs[0]).isClosed()).toBe(true)
    expect(tabs.flatMap(({ connections }) => connections).filter(({ isClosed }) => !isClosed())).toHaveLength(
      3,
    )
  })

  test.each([
    ['must not use locks', () => Promise.reject(new DOMException('', 'SecurityError'))],
    ['has none', undefined],
  ])('behavior: a page that %s opens its stream', async (_, request) => {
    Object.defineProperty(navigator, 'locks', { configurable: true, value: request && { request } })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'))
    expect((await show()).streams).toBe(1)
  })

  test('behavior: a prefetch opens no stream', async () => {
    const script = createScript()
    await script.queryClient.fetchQuery(script.options)
    await settle(10_000)
    expect([script.polls, script.streams]).toEqual([1, 0])
  })

  test('behavior: a secret that opens nothing is not tried on the stream', async () => {
    const script = createScript()
    script.gate = Promise.reject(new Error('refused'))
    script.gate.catch(() => undefined)
    stops.push(script.watch())
    await settle(1_000)
    expect(script.streams).toBe(0)
    script.gate = undefined
  })
})
