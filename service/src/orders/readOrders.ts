import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { transition, viewOrder } from 'kassa/engine'
import type { Order, OrderList } from 'kassa/schema'
import { audienceOf, requireOrderAccess, requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { orders } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/uuid.js'
import { readOrder } from './store.js'
import { updateOrder } from './updateOrder.js'

/**
 * Gets an order. The first read after a quote has run out records it as expired.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source interface.md "Get order"
 */
export const getOrder = async (deps: Deps, call: Call, input: { orderId: string }): Promise<Order> => {
  requireOrderAccess(call.actor, 'orders.read', input.orderId)
  const stored = await readOrder(deps.db, input.orderId, call.actor.projectId)
  if (!stored) throw new ServiceError('not-found', 'Not found')
  const { order } = stored
  const audience = audienceOf(call.actor)
  const event = { type: 'time-passed' } as const
  if (transition(order, event, deps.now()).order === order) return viewOrder(order, deps.now(), audience)
  const current = await deps.db.transaction((tx) => updateOrder(deps, tx, order.orderId, event))
  return viewOrder(current ?? order, deps.now(), audience)
}

/** A position in the list of a project's orders, and the direction in which to continue. */
type OrderCursor = { direction: 'older' | 'newer'; createdAtMs: number; orderId: string }

/** Encodes the position after (or before) an order. */
const writeCursor = (
  direction: OrderCursor['direction'],
  { createdAt, orderId }: { createdAt: Date; orderId: string },
): string => Buffer.from(`${direction}:${createdAt.getTime()}:${orderId}`).toString('base64url')

/**
 * Decodes a cursor from a client.
 *
 * @throws {@link ServiceError} `input-invalid` if the text is not one of the service's cursors.
 */
const parseCursor = (text: string): OrderCursor => {
  const [direction, createdAt, orderId] = Buffer.from(text, 'base64url').toString().split(':')
  const isDirection = direction === 'older' || direction === 'newer'
  if (!isDirection || !createdAt || !/^\d{1,13}$/.test(createdAt) || !orderId || !isUuid(orderId)) {
    throw new ServiceError('input-invalid', 'cursor: expected a nextCursor or previousCursor of this list')
  }
  return { direction, createdAtMs: Number(createdAt), orderId }
}

const beyond = ({ direction, createdAtMs, orderId }: OrderCursor): SQL => {
  const sign = direction === 'older' ? sql`<` : sql`>`
  return sql`(${orders.createdAt}, ${orders.id}) ${sign} (${new Date(createdAtMs).toISOString()}::timestamptz, ${orderId}::uuid)`
}

/**
 * Lists a project's orders, newest first, in pages of `limit`.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`.
 * @source answers.md "Create order, edit order"
 */
export const listOrders = async (
  deps: Deps,
  call: Call,
  input: { limit: number; cursor?: string | undefined },
): Promise<OrderList> => {
  requireServerScope(call.actor, 'orders.read')
  const { limit } = input
  const cursor = input.cursor === undefined ? undefined : parseCursor(input.cursor)
  const isBack = cursor?.direction === 'newer'
  const sort = isBack ? asc : desc

  const rows = await deps.db
    .select({ order: orders.document, createdAt: orders.createdAt, orderId: orders.id })
    .from(orders)
    .where(and(eq(orders.projectId, call.actor.projectId), cursor && beyond(cursor)))
    .orderBy(sort(orders.createdAt), sort(orders.id))
    .limit(limit + 1)
  const page = isBack ? rows.slice(0, limit).reverse() : rows.slice(0, limit)
  const isMore = rows.length > limit
  const [first, last] = [page.at(0), page.at(-1)]
  return {
    data: page.map(({ order }) => viewOrder(order, deps.now(), 'merchant')),
    ...(last && (isMore || isBack) && { nextCursor: writeCursor('older', last) }),
    ...(first && (isBack ? isMore : cursor) && { previousCursor: writeCursor('newer', first) }),
  }
}
