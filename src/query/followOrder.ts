import { readEventStream, type StreamEvent } from '../api/eventStream.js'
import type { Client } from '../api/index.js'
import type { Order } from '../schema/index.js'
import type { Reader } from '../schema/read.js'
import type { OrderQuery } from './keys.js'
import type { Wire } from './wire.js'

/**
 * What following an order needs. What the first chunk of a page has is passed in: an import of it would make that a
 * chunk apart.
 */
export type FollowOrderParameters = {
  client: Client
  url: string
  headers: Readonly<Record<string, string>>
  query: OrderQuery
  wire: Wire
  read: Reader<Order>
  isTerminal(order: Order): boolean
}

/**
 * How often to check whether the order is still shown. A component that unmounts and mounts again at once keeps its
 * stream.
 */
const checkMs = 1_000
/** How often to check whether the buyer's own change was answered. */
const changeMs = 50
/** Longer than a look at a wallet in another tab. */
const longestHiddenMs = 10_000
const longestWaitMs = 60_000
/** After so many failures, a network that has never let a stream through is polled only. */
const maxAttempts = 3

/** How many streams a site's tabs keep open together: HTTP/1.1 gives a host six connections, and requests need some. */
const maxStreams = 3

/**
 * Takes one of the places for streams that all tabs of a site share. A tab that crashes gives its place back.
 *
 * @returns A function that gives it back, or `undefined` if all are taken.
 */
const takePlace = async ({ baseUrl }: Client): Promise<(() => void) | undefined> => {
  // Browsers limit connections, Node.js does not. Pages without TLS have no locks.
  const locks = globalThis.document && globalThis.navigator?.locks
  const take = (name: string): Promise<(() => void) | undefined> =>
    new Promise((resolve) => {
      const hold = (lock: Lock | null) =>
        lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined)
      // A sandboxed frame must not use them.
      locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(() => {}))
    })
  if (!locks) return () => {}
  for (let place = 0; place < maxStreams; place++) {
    const release = await take(`kassa.stream ${baseUrl} ${place}`)
    if (release) return release
  }
  return undefined
}

const transient: readonly number[] = [429, 502, 503, 504]

const isSame = (one: Order | undefined, other: Order | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** What following an order needs, and what its connections have shown so far. */
type Following = FollowOrderParameters & {
  hiddenFromMs: number | undefined
  /** Whether the network has let a stream through. */
  isProven: boolean
  failures: number
  retryMs: number
}

const poll = ({ query }: Following): void => void query.fetch().catch(() => undefined)

/** Whether the order is shown and may still change. */
const isWanted = (following: Following): boolean => {
  const { query, isTerminal } = following
  const isHidden = globalThis.document?.visibilityState === 'hidden'
  following.hiddenFromMs = isHidden ? (following.hiddenFromMs ?? Date.now()) : undefined
  const { hiddenFromMs } = following
  const isHiddenLong = hiddenFromMs !== undefined && Date.now() - hiddenFromMs >= longestHiddenMs
  const shown = query.state.data
  return query.isActive() && !isHiddenLong && shown !== undefined && !isTerminal(shown)
}

const backOff = ({ retryMs, failures }: Following, askedMs = 0): number => {
  const backOffMs = Math.min(longestWaitMs, retryMs * 2 ** Math.min(failures, 10))
  return Math.max(askedMs, backOffMs * (0.5 + Math.random() / 2))
}

/** Writes the states of one stream into the query. */
const createWriter = (following: Following) => {
  const { query, wire, read } = following
  let last = query.state.data
  let waiting: ReturnType<typeof setTimeout> | undefined

  const keep = (order: Order, etag: string): void => {
    // The buyer agrees to the price of their own change with its answer.
    if (wire.changes) {
      waiting = setTimeout(keep, changeMs, order, etag)
      return
    }
    const isNewer = isSame(last, query.state.data)
    last = order
    if (wire.isHeld) return
    if (isNewer || isSame(order, query.state.data)) {
      wire.known = { etag, order }
      wire.writes += 1
      query.setData(order, { manual: true })
    } else poll(following)
  }
  return {
    onEvent: ({ id, event, data }: StreamEvent): void => {
      if (event !== 'order') return
      const answer = read(parse(data))
      if (answer.fault !== undefined) throw new TypeError(answer.fault)
      wire.streamed = id
      clearTimeout(waiting)
      keep(answer.data, id)
    },
    stop: () => clearTimeout(waiting),
  }
}

/**
 * Reads one stream to its end.
 *
 * @returns How long to wait before the next connection; undefined if there should be none.
 */
const connect = async (following: Following): Promise<number | undefined> => {
  const { client, url, headers, query, wire } = following
  const controller = new AbortController()
  const checking = setInterval(() => {
    if (!isWanted(following)) controller.abort()
  }, checkMs)
  const { known } = wire
  // The last answer may have been cancelled as it arrived. Then the query holds an older one.
  const lastEventId = known && isSame(known.order, query.state.data) ? known.etag : undefined
  const writer = createWriter(following)
  following.failures += 1
  try {
    const end = await readEventStream({
      open: (signal) =>
        client.fetch(url, {
          headers: {
            ...headers,
            accept: 'text/event-stream',
            ...(lastEventId && { 'last-event-id': lastEventId }),
          },
          signal,
        }),
      signal: controller.signal,
      timeoutMs: client.timeoutMs,
      onAlive: (askedMs) => {
        following.isProven = true
        following.failures = 0
        following.retryMs = askedMs ?? following.retryMs
        wire.streamed ??= lastEventId
      },
      onEvent: writer.onEvent,
    })
    if (end.status !== 'refused') return end.status === 'ended' ? following.retryMs : backOff(following)
    if (!transient.includes(end.response.status)) return undefined
    return backOff(following, Number(end.response.headers.get('retry-after') ?? 0) * 1_000)
  } catch {
    return backOff(following)
  } finally {
    clearInterval(checking)
    writer.stop()
    wire.streamed = undefined
  }
}

/**
 * Writes the states of an order that the service streams into its query, while the query has observers and the page is
 * not hidden for longer than ten seconds. After an interruption it polls at once, and connects again. While other tabs
 * have all the streams that a site may have, the order is polled, and each poll tries again.
 *
 * A state of the stream replaces the one that the stream sent before, because the service sends them in order. If
 * another answer was written in between, either may be the newer one. Then the order is read, and it is polled as if
 * there were no stream until the service answers what it has streamed last.
 */
export const followOrder = async (parameters: FollowOrderParameters): Promise<void> => {
  const following: Following = {
    ...parameters,
    hiddenFromMs: undefined,
    isProven: false,
    failures: 0,
    retryMs: checkMs,
  }
  const giveBack = await takePlace(parameters.client)
  while (giveBack && isWanted(following)) {
    const waitMs = await connect(following)
    if (waitMs === undefined || (!following.isProven && following.failures >= maxAttempts)) return giveBack()
    if (!isWanted(following)) break
    // The stream may have missed changes.
    if (following.isProven) poll(following)
    await wait(waitMs)
  }
  giveBack?.()
  parameters.wire.isFollowed = false
}
