import { and, asc, eq, sql } from 'drizzle-orm'
import type { OrderState } from 'kassa/engine'
import { afterCommit } from '#base/db/commitTasks.js'
import { createStatement } from '#base/db/createStatement.js'
import type { Database, Transaction } from '#base/db/database.js'
import type { Notices } from '#base/db/notices.js'
import { orders } from '#base/db/tables/index.js'
import { createInsert, createUpdate } from '#base/db/writeRows.js'
import { ServiceError } from '#base/errors.js'
import { createBatch } from '#base/lib/createBatch.js'
import { isUuid } from '#base/lib/uuid.js'
import { searchTermsOf } from './searchTerms.js'

/** Lists the reported transactions of an order that are no known payment. */
export const listOpenHints = ({ hints, payments }: OrderState): string[] => {
  const paid = new Set(payments.map(({ txId }) => txId.toLowerCase()))
  return hints.filter((hint) => !paid.has(hint.toLowerCase()))
}

/** An order as it was read, with its revision number. */
export type StoredOrder = { order: OrderState; revision: number }

/** An order that a transaction has locked. */
export type LockedOrder = StoredOrder & { createdAt: Date }

/** When a transaction was last reported for an order, if one of its reports is no known payment. */
const openHintAtOf = (order: OrderState): Date | null =>
  order.hintedAtMs !== undefined && listOpenHints(order).length ? new Date(order.hintedAtMs) : null

const columnsOf = (order: OrderState, nowMs: number) => ({
  phase: order.phase,
  chain: order.payment.chain,
  quoteExpiresAt: order.quote.expiresAtMs === undefined ? null : new Date(order.quote.expiresAtMs),
  hintedAt: order.hintedAtMs === undefined ? null : new Date(order.hintedAtMs),
  openHintAt: openHintAtOf(order),
  document: order,
  terms: searchTermsOf(order),
  updatedAt: new Date(nowMs),
})

/** The columns that every write of an order sets. */
const writtenColumns = [
  'phase',
  'chain',
  'quoteExpiresAt',
  'hintedAt',
  'openHintAt',
  'document',
  'terms',
  'updatedAt',
] as const satisfies (keyof ReturnType<typeof columnsOf>)[]

const insertRows = createInsert(orders, [
  'id',
  'projectId',
  'clientSecretHash',
  'createdAt',
  'paymentLinkId',
  ...writtenColumns,
])

const updateRows = createUpdate(orders, { match: ['id', 'revision'], set: writtenColumns, raise: 'revision' })

/** A new order, and the hash of its client secret. */
export type NewOrder = { order: OrderState; clientSecretHash: string }

/** Inserts new orders. */
export const insertOrders = async (
  tx: Transaction,
  created: readonly NewOrder[],
  nowMs: number,
): Promise<void> => {
  const rows = created.map(({ order, clientSecretHash }) => ({
    id: order.orderId,
    projectId: order.projectId,
    clientSecretHash,
    createdAt: new Date(nowMs),
    paymentLinkId: order.paymentLinkId ?? null,
    ...columnsOf(order, nowMs),
  }))
  await insertRows(tx, rows)
}

/** What writing an order needs. */
export type SaveDeps = { now(): number; notices: Pick<Notices, 'tell'> }

const stored = { order: orders.document, revision: orders.revision }

/** Reads an order of a project without locking it. */
export const readOrder = async (
  db: Database | Transaction,
  orderId: string,
  projectId?: string,
): Promise<StoredOrder | undefined> => {
  if (!isUuid(orderId)) return undefined
  const isOwn = projectId === undefined ? undefined : eq(orders.projectId, projectId)
  const [row] = await db
    .select(stored)
    .from(orders)
    .where(and(eq(orders.id, orderId), isOwn))
  return row
}

const isAsked = sql`${orders.id} = any(${sql.placeholder('ids')})`

const readAll = createStatement('orders_read', (db) =>
  db.select({ order: orders.document }).from(orders).where(isAsked),
)

/** Creates a reader of orders. Those that are asked for at about the same time are read with one statement. */
export const createOrderReader = (db: Database): ((orderId: string) => Promise<OrderState | undefined>) =>
  createBatch(async (orderIds: readonly string[]) => {
    const rows = await readAll(db, { ids: [...new Set(orderIds)] })
    const known = new Map(rows.map(({ order }) => [order.orderId, order]))
    return orderIds.map((orderId) => known.get(orderId))
  })

const maxRecent = 1_000
const noRevision = -1

const isKnown = sql`concat(${orders.id}, ':', ${orders.revision}) = any(${sql.placeholder('known')})`

const readRecent = createStatement('orders_read_recent', (db) =>
  db
    .select({
      id: orders.id,
      projectId: orders.projectId,
      revision: orders.revision,
      order: sql<OrderState | null>`case when not ${isKnown} then ${orders.document} end`.mapWith(
        orders.document,
      ),
    })
    .from(orders)
    .where(isAsked),
)

type RecentOrder = StoredOrder & { projectId: string }

/** Orders that this process has read last. */
type RecentOrders = {
  /** Reads an order as it is now. */
  read(orderId: string): Promise<RecentOrder | undefined>
  /** Reads an order whose revision was just read. One that is known in that revision is not read again. */
  readAt(orderId: string, revision: number): Promise<RecentOrder | undefined>
}

/**
 * Creates the memory of orders that are read often. Those that are asked for at about the same time are read with one
 * statement, and the server sends only the documents of which this process knows another revision, or none.
 */
const createRecentOrders = (db: Database): RecentOrders => {
  const recent = new Map<string, RecentOrder>()
  const keep = (found: RecentOrder): void => {
    const { orderId } = found.order
    recent.delete(orderId)
    recent.set(orderId, found)
    const [oldest] = recent.keys()
    if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest)
  }
  const read = createBatch(
    async (orderIds: readonly string[]): Promise<readonly (RecentOrder | undefined)[]> => {
      const ids = [...new Set(orderIds)]
      const known = ids.map((id) => `${id}:${recent.get(id)?.revision ?? noRevision}`)
      const rows = await readRecent(db, { ids, known })
      const found = new Map(
        rows.flatMap(({ id, order: changed, projectId, revision }): [string, RecentOrder][] => {
          const order = changed ?? recent.get(id)?.order
          return order ? [[id, { order, projectId, revision }]] : []
        }),
      )
      // What makes room for others is one of these at times.
      for (const each of found.values()) keep(each)
      return orderIds.map((id) => found.get(id))
    },
  )
  return {
    read,
    readAt: async (orderId, revision) => {
      const known = recent.get(orderId)
      if (known?.revision !== revision) return read(orderId)
      keep(known)
      return known
    },
  }
}
const memories = new WeakMap<Database, RecentOrders>()

const recentOf = (db: Database): RecentOrders => {
  const recent = memories.get(db) ?? createRecentOrders(db)
  memories.set(db, recent)
  return recent
}

/**
 * Reads an order that is read often, of a project if one is named. Its document comes from the memory of this process
 * unless it has another revision by now.
 */
export const readRecentOrder = async (
  db: Database,
  orderId: string,
  projectId?: string,
): Promise<StoredOrder | undefined> => {
  if (!isUuid(orderId)) return undefined
  const found = await recentOf(db).read(orderId.toLowerCase())
  return projectId === undefined || found?.projectId === projectId ? found : undefined
}

/** Reads an order whose revision was just read, as {@link readRecentOrder}. */
export const readOrderAt = async (
  db: Database,
  { id, revision }: { id: string; revision: number },
): Promise<OrderState | undefined> => (await recentOf(db).readAt(id, revision))?.order

const locked = { ...stored, createdAt: orders.createdAt }

const lockAll = createStatement('orders_lock', (tx) =>
  tx.select(locked).from(orders).where(isAsked).orderBy(asc(orders.id)).for('update'),
)

/** Reads several orders as {@link lockOrder}, by their ids. Every transaction locks them in one order. */
export const lockOrders = async (
  tx: Transaction,
  orderIds: readonly string[],
): Promise<Map<string, LockedOrder>> => {
  const rows = await lockAll(tx, { ids: [...new Set(orderIds)] })
  return new Map(rows.map((row) => [row.order.orderId, row]))
}

const locks = new WeakMap<Transaction, (orderId: string) => Promise<LockedOrder | undefined>>()

/**
 * Reads an order and prevents other transactions from writing it until this one ends. Orders that a transaction locks at
 * the same time are locked with one statement.
 */
export const lockOrder = (tx: Transaction, orderId: string): Promise<LockedOrder | undefined> => {
  const createLock = () =>
    createBatch(async (orderIds: readonly string[]) => {
      const known = await lockOrders(tx, orderIds)
      return orderIds.map((id) => known.get(id))
    })
  const lock = locks.get(tx) ?? createLock()
  locks.set(tx, lock)
  return lock(orderId)
}

/**
 * Writes locked orders with one statement, and tells those who follow them once the transaction has committed.
 *
 * @throws {@link ServiceError} `conflict`, which rolls back the transaction, if one of them was written since
 * it was read. Callers and jobs then try again.
 */
export const saveOrder = async (
  { now, notices }: SaveDeps,
  tx: Transaction,
  ...changed: readonly StoredOrder[]
): Promise<void> => {
  const nowMs = now()
  const rows = changed.map(({ order, revision }) => ({
    id: order.orderId,
    revision,
    ...columnsOf(order, nowMs),
  }))
  if ((await updateRows(tx, rows)) < rows.length)
    throw new ServiceError('conflict', 'The order was changed at the same moment: try again')
  afterCommit(tx, () => {
    for (const { order } of changed) notices.tell('orders', order.orderId)
  })
}
