import { arrayContains, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { type Audience, type OrderState, transition, viewOrder } from 'kassa/engine'
import { type Order, type OrderList, type Phase, toAsciiEmail } from 'kassa/schema'
import { audienceOf, requireOrderAccess, requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { type PageRequest, readNewest } from '../db/readNewest.js'
import { orders } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/uuid.js'
import { readRecentOrder } from './store.js'
import { updateOrder } from './updateOrder.js'

/** The views of orders that were not changed since. Only an order that expires has another one later. */
const views = new WeakMap<OrderState, Partial<Record<Audience, Order>>>()

/**
 * Gets an order. The first read after a quote has run out records it as expired.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source interface.md "Get order"
 */
export const getOrder = async (deps: Deps, call: Call, input: { orderId: string }): Promise<Order> => {
  requireOrderAccess(call.actor, 'orders.read', input.orderId)
  const order = await readRecentOrder(deps.db, input.orderId, call.actor.projectId)
  if (!order) throw new ServiceError('not-found', 'Not found')
  const audience = audienceOf(call.actor)
  const event = { type: 'time-passed' } as const
  if (transition(order, event, deps.now()).order === order) {
    const known = views.get(order) ?? {}
    const view = known[audience] ?? viewOrder(order, deps.now(), audience)
    views.set(order, { ...known, [audience]: view })
    return view
  }
  const current = await deps.db.transaction((tx) => updateOrder(deps, tx, order.orderId, event))
  return viewOrder(current ?? order, deps.now(), audience)
}

/** Which orders of a project to list. */
export type OrderFilters = {
  phase?: Phase | undefined
  search?: string | undefined
  createdFrom?: Date | undefined
  createdBefore?: Date | undefined
}

/** Of a term that more orders than this have, the newest are found soon by looking through all. */
const maxListed = 2_000

/**
 * Returns the condition that an order is found by a text: by its id, or by one of its terms as a whole.
 *
 * The few orders of a rare term are looked up first. The database would otherwise look for them among all orders of
 * the project, the newest first. It plans a materialized part of a statement without regard to the limit behind it.
 */
const searchOrders = async ({ db }: Pick<Deps, 'db'>, projectId: string, text: string): Promise<SQL> => {
  const term = toAsciiEmail(text.trim()).toLowerCase()
  if (isUuid(term)) return eq(orders.id, term)
  const hasTerm = arrayContains(orders.terms, [term])
  const found = await db.execute(sql`
    with found as materialized (
      select ${orders.id} from ${orders} where ${hasTerm} and ${eq(orders.projectId, projectId)}
    )
    select id from found limit ${maxListed + 1}`)
  const { rows } = found as unknown as { rows: { id: string }[] }
  if (rows.length > maxListed) return hasTerm
  return inArray(
    orders.id,
    rows.map(({ id }) => id),
  )
}

/** Returns the conditions under which orders of a project are listed. */
export const listConditions = async (
  deps: Pick<Deps, 'db'>,
  projectId: string,
  { phase, search, createdFrom, createdBefore }: OrderFilters,
): Promise<(SQL | undefined)[]> => [
  eq(orders.projectId, projectId),
  phase && eq(orders.phase, phase),
  search === undefined ? undefined : await searchOrders(deps, projectId, search),
  createdFrom && gte(orders.createdAt, createdFrom),
  createdBefore && lt(orders.createdAt, createdBefore),
]

/**
 * Lists a project's orders, in pages of `limit`.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`.
 * @source answers.md "Create order, edit order"
 */
export const listOrders = async (
  deps: Deps,
  call: Call,
  filters: PageRequest & OrderFilters,
): Promise<OrderList> => {
  requireServerScope(call.actor, 'orders.read')
  const found = await listConditions(deps, call.actor.projectId, filters)
  const { rows, ...cursors } = await readNewest(filters, orders, ({ beyond, order, limit }) =>
    deps.db
      .select({ order: orders.document, createdAt: orders.createdAt, id: orders.id })
      .from(orders)
      .where(beyond(...found))
      .orderBy(...order)
      .limit(limit),
  )
  const data = rows.map(({ order, createdAt }) => ({
    ...viewOrder(order, deps.now(), 'merchant'),
    createdAt: createdAt.toISOString(),
  }))
  return { data, ...cursors }
}
