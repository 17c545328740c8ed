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
  const { client, url, headers, query, wire, read, isTerminal } = parameters
  let hiddenFromMs: number | undefined
  let isProven = false
  let failures = 0
  let retryMs = checkMs

  const getShown = (): Order | undefined => query.state.data
  const poll = (): void => void query.fetch().catch(() => undefined)
  const isWanted = (): boolean => {
    const isHidden = globalThis.document?.visibilityState === 'hidden'
    hiddenFromMs = isHidden ? (hiddenFromMs ?? Date.now()) : undefined
    const isHiddenLong = hiddenFromMs !== undefined && Date.now() - hiddenFromMs >= longestHiddenMs
    const shown = getShown()
    return query.isActive() && !isHiddenLong && shown !== undefined && !isTerminal(shown)
  }

  /** Returns how long to wait before the next connection; undefined if there should be none. */
  const connect = async (): Promise<number | undefined> => {
    const controller = new AbortController()
    const checking = setInterval(() => {
      if (!isWanted()) controller.abort()
    }, checkMs)
    const { known } = wire
    // The last answer may have been cancelled as it arrived. Then the query holds an older one.
    const lastEventId = known && isSame(known.order, getShown()) ? known.etag : undefined
    let last = getShown()
    let waiting: ReturnType<typeof setTimeout> | undefined

    const keep = (order: Order, etag: string): void => {
      // The buyer agrees to the price of their own change with its answer.
      if (wire.changes) {
        waiting = setTimeout(keep, changeMs, order, etag)
        return
      }
      const isNewer = isSame(last, getShown())
      last = order
      if (wire.isHeld) return
      if (isNewer || isSame(order, getShown())) {
        wire.known = { etag, order }
        wire.writes += 1
        query.setData(order, { manual: true })
      } else poll()
    }
    const onEvent = ({ id, event, data }: StreamEvent): void => {
      if (event !== 'order') return
      const answer = read(parse(data))
      if (answer.fault !== undefined) throw new TypeError(answer.fault)
      wire.streamed = id
      clearTimeout(waiting)
      keep(answer.data, id)
    }
    const backOff = (askedMs = 0): number => {
      const backOffMs = Math.min(longestWaitMs, retryMs * 2 ** Math.min(failures, 10))
      return Math.max(askedMs, backOffMs * (0.5 + Math.random() / 2))
    }

    failures += 1
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
          isProven = true
          failures = 0
          retryMs = askedMs ?? retryMs
          wire.streamed ??= lastEventId
        },
        onEvent,
      })
      if (end.status !== 'refused') return end.status === 'ended' ? retryMs : backOff()
      if (!transient.includes(end.response.status)) return undefined
      return backOff(Number(end.response.headers.get('retry-after') ?? 0) * 1_000)
    } catch {
      return backOff()
    } finally {
      clearInterval(checking)
      clearTimeout(waiting)
      wire.streamed = undefined
    }
  }

  const giveBack = await takePlace(client)
  while (giveBack && isWanted()) {
    const waitMs = await connect()
    if (waitMs === undefined || (!isProven && failures >= maxAttempts)) return giveBack()
    if (!isWanted()) break
    // The stream may have missed changes.
    if (isProven) poll()
    await wait(waitMs)
  }
  giveBack?.()
  wire.isFollowed = false
}
