import { and, arrayContains, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { type OrderState, viewOrder } from 'kassa/engine'
import { type ListedOrder, type Order, type OrderList, type Phase, toAsciiEmail } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { type PageRequest, readNewest } from '#base/db/readNewest.js'
import { orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { printOnce } from '#base/lib/printOnce.js'
import { isUuid } from '#base/lib/uuid.js'
import { audienceOf, requireOrderAccess, requireServerScope } from '#identity/authorize.js'
import { noteRead } from './followedOrders.js'
import { readOrderAt, readRecentOrder } from './store.js'
import { updateOrder } from './updateOrder.js'
import { isShownAsStored, viewOnce } from './viewOnce.js'

/**
 * Gets an order. The first read after a quote has run out records it as expired.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source interface.md "Get order"
 */
export const getOrder = async (deps: Deps, call: Call, input: { orderId: string }): Promise<Order> => {
  requireOrderAccess(call.actor, 'orders.read', input.orderId)
  const { order } = (await readRecentOrder(deps.db, input.orderId, call.actor.projectId)) ?? {}
  if (!order) throw new ServiceError('not-found', 'Not found')
  noteRead(deps, order)
  const audience = audienceOf(call.actor)
  if (isShownAsStored(order, deps.now())) return viewOnce(order, deps.now(), audience)
  const event = { type: 'time-passed' } as const
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
/** How many of the newest orders a part of a term is looked for in: no index has parts. */
const maxRead = 20_000
/** Shorter parts are in nearly every order. */
const shortestPart = 3

const idsOf = (result: unknown): string[] => (result as { rows: { id: string }[] }).rows.map(({ id }) => id)

/** Whether a text is what it looks for as a whole: an id, an address, a transaction, a token. */
const isWhole = (term: string): boolean => {
  const [name, domain] = term.split('@')
  if (name && domain) return /.\../.test(domain)
  return /^0x[0-9a-f]{40,}$|^[^\s:]+:[^\s:]+:\S+$/.test(term)
}

/** Returns the ids that begin with a text, if an id can, as the first and the last of them. */
const readIdRange = (term: string): { from: string; to: string } | undefined => {
  const [, prefix = ''] = /^([0-9a-f-]{8,35})(?:…[0-9a-f-]*)?$/.exec(term) ?? []
  const from = prefix + '00000000-0000-0000-0000-000000000000'.slice(prefix.length)
  const to = prefix + 'ffffffff-ffff-ffff-ffff-ffffffffffff'.slice(prefix.length)
  return prefix && isUuid(from) && isUuid(to) ? { from, to } : undefined
}

/** Returns the pattern of a text that may be shortened, as the console shows ids and addresses. */
const toPattern = (term: string): string =>
  `%${term
    .split(/…|\.\.\./)
    .map((part) => part.replaceAll(/[\\%_]/g, '\\$&'))
    .join('%')}%`

/**
 * Finds the newest orders that have a part of a term, among the newest of those that other conditions leave. The
 * documents of the orders are not read.
 */
const findParts = async (
  { db }: Pick<Deps, 'db'>,
  term: string,
  conditions: readonly (SQL | undefined)[],
): Promise<string[]> =>
  idsOf(
    await db.execute(sql`
      with newest as materialized (
        select ${orders.id}, ${orders.terms} from ${orders} where ${and(...conditions)}
        order by ${orders.createdAt} desc, ${orders.id} desc limit ${maxRead}
      )
      select id from newest
      where exists (select from unnest(terms) as term where term like ${toPattern(term)})
      limit ${maxListed}`),
  )

/**
 * Returns the condition that an order is found by a text: by its id or how that begins, by one of its terms as a whole
 * or, among the newest orders, by a part of one. An e-mail address, a wallet, a transaction and a token count as a
 * whole only, or the orders of `nada@example.com` would be found for `ada@example.com`.
 *
 * The few orders of a rare term are looked up first. The database would otherwise look for them among all orders of
 * the project, the newest first. It plans a materialized part of a statement without regard to the limit behind it.
 */
const searchOrders = async (
  deps: Pick<Deps, 'db'>,
  { projectId, text }: { projectId: string; text: string },
  conditions: readonly (SQL | undefined)[],
): Promise<SQL | undefined> => {
  const term = toAsciiEmail(text.trim()).toLowerCase()
  if (isUuid(term)) return eq(orders.id, term)
  const hasTerm = arrayContains(orders.terms, [term])
  const whole = idsOf(
    await deps.db.execute(sql`
      with found as materialized (
        select ${orders.id} from ${orders} where ${and(hasTerm, eq(orders.projectId, projectId))}
      )
      select id from found limit ${maxListed + 1}`),
  )
  if (whole.length > maxListed) return hasTerm
  if (isWhole(term) || term.length < shortestPart) return inArray(orders.id, whole)
  const parts = await findParts(deps, term, conditions)
  const range = readIdRange(term)
  return or(
    inArray(orders.id, [...new Set([...whole, ...parts])]),
    range && and(gte(orders.id, range.from), lte(orders.id, range.to)),
  )
}

/** Returns the conditions under which orders of a project are listed. */
export const listConditions = async (
  deps: Pick<Deps, 'db'>,
  projectId: string,
  { phase, search, createdFrom, createdBefore }: OrderFilters,
): Promise<(SQL | undefined)[]> => {
  const conditions = [
    eq(orders.projectId, projectId),
    phase && eq(orders.phase, phase),
    createdFrom && gte(orders.createdAt, createdFrom),
    createdBefore && lt(orders.createdAt, createdBefore),
  ]
  if (search === undefined) return conditions
  return [...conditions, await searchOrders(deps, { projectId, text: search }, conditions)]
}

/** The orders as lists have them. */
const listed = new WeakMap<OrderState, ListedOrder>()

/** Views an order of a list. The view and its text are kept as long as the order, unless its time has run out. */
const viewListed = (order: OrderState, createdAt: Date, nowMs: number): ListedOrder => {
  const known = listed.get(order)
  const isKept = isShownAsStored(order, nowMs)
  if (known && isKept) return known
  const view = { ...viewOnce(order, nowMs, 'merchant'), createdAt: createdAt.toISOString() }
  if (!isKept) return view
  listed.set(order, view)
  printOnce(view)
  return view
}

/**
 * Lists a project's orders, in pages of `limit`. Of orders that this process knows, only the revisions are read.
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
      .select({ id: orders.id, createdAt: orders.createdAt, revision: orders.revision })
      .from(orders)
      .where(beyond(...found))
      .orderBy(...order)
      .limit(limit),
  )
  const read = await Promise.all(rows.map((row) => readOrderAt(deps.db, row)))
  const data = rows.flatMap(({ createdAt }, at) => {
    const order = read[at]
    return order ? viewListed(order, createdAt, deps.now()) : []
  })
  return { data, ...cursors }
}
