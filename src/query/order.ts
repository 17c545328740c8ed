import {
  type QueryFunctionContext,
  queryOptions,
  type UndefinedInitialDataOptions,
  type UnusedSkipTokenOptions,
} from '@tanstack/react-query'
import { fillPath } from '../api/fillPath.js'
import { orderAnswer, pollOrder } from '../api/getOrder.js'
import type { Client } from '../api/index.js'
import { refuseUnchanged, writeHeaders } from '../api/request.js'
import { type AnyKassaError, isKassaError } from '../errors/KassaError.js'
import { getPollInterval } from '../order/pollInterval.js'
import { isTerminal } from '../order/terminal.js'
import type { Order } from '../schema/index.js'
import { streamOrder } from '../schema/operations.js'
import { type OrderQuery, type OrderQueryKey, orderQueryKey } from './keys.js'
import { findWire, getWire } from './wire.js'

/** The order and the secret that opens it. */
export type OrderParameters = { orderId: string; clientSecret?: string | undefined }

// The secret or the id is wrong, so a retry cannot succeed.
const hopeless: readonly (string | undefined)[] = ['api.unauthorized', 'api.forbidden', 'api.not-found']

const readOrder = async (
  client: Client,
  { orderId, clientSecret }: OrderParameters,
  context: QueryFunctionContext<OrderQueryKey>,
): Promise<Order> => {
  const wire = findWire(context.client, client, orderId) ?? getWire(context)
  const { known, writes, isHeld } = wire
  const held = isHeld && context.client.getQueryData<Order>(context.queryKey)
  if (held) return held
  try {
    const { data, etag } = await pollOrder(
      client,
      { orderId, clientSecret, signal: context.signal, etag: known?.etag },
      (url) => (known ? { data: known.order, etag: known.etag } : refuseUnchanged(url)),
    )
    wire.failures = 0
    wire.retryAfterMs = undefined
    // A write during the request makes the cached order the newer one.
    const written = wire.writes === writes ? undefined : context.client.getQueryData<Order>(context.queryKey)
    if (written) return written
    wire.known = etag ? { etag, order: data } : undefined
    return data
  } catch (error) {
    if (!context.signal.aborted) {
      wire.failures += 1
      wire.jitter = Math.random()
    }
    wire.retryAfterMs =
      isKassaError(error) && 'retryAfterMs' in error.context ? error.context.retryAfterMs : undefined
    throw error
  }
}

const getInterval = (followed: OrderQuery): number | false => {
  const { failures, jitter, retryAfterMs, isPaying, isHeld, known, streamed } = getWire(followed)
  if (isHeld) return false
  return getPollInterval(followed.state.data, {
    failures,
    isHopeless: hopeless.includes(followed.state.error?.code),
    retryAfterMs,
    isPaying,
    isStreamed: streamed !== undefined && streamed === known?.etag,
    random: jitter,
  })
}

/** Follows the stream of an order that is shown. Without a stream, the order is polled. */
const follow = (client: Client, { orderId, clientSecret }: OrderParameters, query: OrderQuery): void => {
  const wire = getWire(query)
  if (wire.isFollowed || wire.failures || !query.state.data || !query.isActive()) return
  wire.isFollowed = true
  const url = `${client.baseUrl}${fillPath(streamOrder.path, { orderId })}`
  const headers = writeHeaders(client, { clientSecret })
  const read = orderAnswer(orderId)
  import('./followOrder.js').then(
    ({ followOrder }) => followOrder({ client, url, headers, query, wire, read, isTerminal }),
    () => undefined,
  )
}

/** {@link OrderParameters}, and TanStack's own options in `query`. */
export type OrderQueryParameters<Selected = Order> = OrderParameters & {
  query?:
    | Omit<UndefinedInitialDataOptions<Order, AnyKassaError, Selected, OrderQueryKey>, 'queryKey' | 'queryFn'>
    | undefined
}

/**
 * The result of {@link orderQueryOptions}. Its tagged key tells `getQueryData` that it holds an {@link
 * Order}.
 */
// Derived from `queryOptions`, so that the declarations use no name that only some versions of TanStack Query
// export.
export type OrderQueryOptions<Selected = Order> = ReturnType<
  typeof queryOptions<Order, AnyKassaError, Selected, OrderQueryKey>
> &
  Pick<UnusedSkipTokenOptions<Order, AnyKassaError, Selected, OrderQueryKey>, 'queryFn'>

/**
 * Returns the options of the query that follows an order, for `useQuery`, prefetching, server rendering and
 * use without React.
 *
 * @param client - The service's client, created by `createClient`.
 * @returns Options that follow the order's stream, and poll according to its state where there is none. While nothing
 * changes, the answer to a poll has no body.
 */
export const orderQueryOptions = <Selected = Order>(
  client: Client,
  { query, ...order }: OrderQueryParameters<Selected>,
): OrderQueryOptions<Selected> =>
  queryOptions<Order, AnyKassaError, Selected, OrderQueryKey>({
    // A failed poll shows at once, and the next poll retries with a back-off.
    retry: false,
    // Fresh until the next poll, so that a prefetched order is not requested at once. Not forever once the
    // order has ended, so that a returning buyer sees its latest state.
    staleTime: (followed) =>
      getInterval(followed) || (getWire(followed).isHeld ? Number.POSITIVE_INFINITY : 15_000),
    // Computed for observers only, so that neither a server nor a prefetch opens a stream.
    refetchInterval: (followed) => {
      const intervalMs = getInterval(followed)
      if (intervalMs) follow(client, order, followed)
      return intervalMs
    },
    ...query,
    queryKey: orderQueryKey(client, order.orderId),
    queryFn: (context) => readOrder(client, order, context),
  })
