import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import type { Amount, Order } from '../schema/index.js'
import { orderQueryKey } from './keys.js'

/** The state of the requests for one order, beside its data. */
export type Wire = {
  /**
   * The last answer that was read and its ETag; absent once another source has written the cache. They are
   * stored as a pair, because the cache may hold an older answer when a read was cancelled as it arrived.
   */
  known?: { etag: string; order: Order } | undefined
  /** Whether the code that follows the order's stream was started, or has given up. */
  isFollowed?: boolean | undefined
  /** The ETag of the state that an open stream sent last. */
  streamed?: string | undefined
  /** Failed requests in a row. */
  failures: number
  /** Spreads the retries of many clients; drawn again with every failure. */
  jitter: number
  /** How many changes by this buyer are waiting for their answers. */
  changes: number
  /** Counts writes to the cache by anything but a read. */
  writes: number
  retryAfterMs?: number | undefined
  /**
   * Whether an order shown in place of the real one pauses the reads. The answer to a write ends the pause.
   */
  isHeld?: boolean | undefined
  /** Whether this buyer is paying now, even if the service does not know it yet. */
  isPaying: boolean
  /** The price the buyer has seen without objection. Another price needs their consent before it is paid. */
  agreed?: Amount | undefined
  /**
   * Whether the wallet cannot sign payments, or the service has refused one that was signed. This page then pays the order
   * by a transaction.
   */
  isSignatureRefused?: boolean | undefined
}

// Keyed by the query itself, so that its data and its wire have one lifetime, one pair per query client.
const wires = new WeakMap<object, Wire>()

/** Returns the wire of a query. */
export const getWire = (query: object): Wire => {
  const wire = wires.get(query) ?? { failures: 0, jitter: 0, changes: 0, writes: 0, isPaying: false }
  wires.set(query, wire)
  return wire
}

/** Returns the wire of an order's query, if the query client has one. */
export const findWire = (queryClient: QueryClient, client: Client, orderId: string): Wire | undefined => {
  const query = queryClient.getQueryCache().find({ queryKey: orderQueryKey(client, orderId) })
  return query && getWire(query)
}
