import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import type { Amount, Order } from '../schema/index.js'
import { orderQueryKey } from './keys.js'

/** What is known about the requests for one order, beside its data. */
export type Wire = {
  /**
   * The last answer that was read, and its name to the service; absent once the cache was written by anything
   * else. Kept as a pair: the cache itself may hold an older answer when a read was cancelled as it came in.
   */
  known?: { etag: string; order: Order } | undefined
  /** Failed requests in a row. */
  failures: number
  /** Spreads the retries of many clients; drawn anew with every failure. */
  jitter: number
  /** Counts what was written by anything but a read. */
  writes: number
  retryAfterMs?: number | undefined
  /** Whether an order shown in place of the real one holds the reads back; what a write answers ends it. */
  isHeld?: boolean | undefined
  /** Whether this buyer is paying right now, whatever the service knows of it yet. */
  isPaying: boolean
  /** The price the buyer has seen and not objected to: another one is not paid before they agree to it. */
  agreed?: Amount | undefined
}

// By the query itself: its data and its wire live and die together, one pair per query client.
const wires = new WeakMap<object, Wire>()

/** The wire of a query. */
export const getWire = (query: object): Wire => {
  const wire = wires.get(query) ?? { failures: 0, jitter: 0, writes: 0, isPaying: false }
  wires.set(query, wire)
  return wire
}

/** The wire of an order's query, if the query client has one. */
export const findWire = (queryClient: QueryClient, client: Client, orderId: string): Wire | undefined => {
  const query = queryClient.getQueryCache().find({ queryKey: orderQueryKey(client, orderId) })
  return query && getWire(query)
}

/** Puts an order that came as the answer to a write where `useOrder` finds it, with no second request. */
export const setOrder = (queryClient: QueryClient, client: Client, order: Order): void => {
  const wire = findWire(queryClient, client, order.orderId)
  if (wire) {
    wire.known = undefined
    wire.writes += 1
    wire.isHeld = false
  }
  queryClient.setQueryData(orderQueryKey(client, order.orderId), order)
}

/** Puts an order that the buyer has just changed or asked anew: the price it comes with is the one they asked for. */
export const setChosenOrder = (queryClient: QueryClient, client: Client, order: Order): void => {
  const agree = (): void => {
    const wire = findWire(queryClient, client, order.orderId)
    if (wire) wire.agreed = order.quote.totalPrice
  }
  // Before, because whoever compares prices hears of the new one at once; and after, for an order that is new here.
  agree()
  setOrder(queryClient, client, order)
  agree()
}
