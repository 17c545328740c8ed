import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { OrderState } from 'kassa/engine'
import { afterCommit } from '#base/db/commitTasks.js'
import type { Database, Transaction } from '#base/db/database.js'
import type { Notices } from '#base/db/notices.js'
import { orders } from '#base/db/tables/index.js'
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
    ...columnsOf(order, nowMs),
  }))
  await tx.insert(orders).values(rows)
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

/** Creates a reader of orders. Those that are asked for at about the same time are read with one statement. */
export const createOrderReader = (db: Database): ((orderId: string) => Promise<OrderState | undefined>) =>
  createBatch(async (orderIds: readonly string[]) => {
    const rows = await db
      .select({ order: orders.document })
      .from(orders)
      .where(inArray(orders.id, [...new Set(orderIds)]))
    const known = new Map(rows.map(({ order }) => [order.orderId, order]))
    return orderIds.map((orderId) => known.get(orderId))
  })

const maxRecent = 1_000
const noRevision = -1

type RecentOrder = StoredOrder & { projectId: string }

/**
 * Creates a reader of orders that are read often. Those that are asked for at about the same time are read with one
 * statement, and the server sends only the documents of which this process knows another revision, or none.
 */
const createRecentReader = (db: Database) => {
  const recent = new Map<string, RecentOrder>()
  return createBatch(async (orderIds: readonly string[]): Promise<readonly (RecentOrder | undefined)[]> => {
    const ids = [...new Set(orderIds)]
    const known = ids.map((id) => `${id}:${recent.get(id)?.revision ?? noRevision}`)
    const isKnown = sql`concat(${orders.id}, ':', ${orders.revision}) = any(${sql.param(known)})`
    const rows = await db
      .select({
        id: orders.id,
        projectId: orders.projectId,
        revision: orders.revision,
        order: sql<OrderState | null>`case when not ${isKnown} then ${orders.document} end`.mapWith(
          orders.document,
        ),
      })
      .from(orders)
      .where(sql`${orders.id} = any(${sql.param(ids)})`)
    const read = new Map(
      rows.flatMap(({ id, order: changed, projectId, revision }): [string, RecentOrder][] => {
        const order = changed ?? recent.get(id)?.order
        return order ? [[id, { order, projectId, revision }]] : []
      }),
    )
    for (const [id, order] of read) {
      recent.delete(id)
      recent.set(id, order)
    }
    for (const id of recent.keys()) {
      if (recent.size <= maxRecent) break
      recent.delete(id)
    }
    return orderIds.map((id) => read.get(id))
  })
}
const readers = new WeakMap<Database, ReturnType<typeof createRecentReader>>()

/**
 * Reads an order that is read often, of a project if one is named. Its document comes from the memory of this process unless it has
 * another revision by now.
 */
export const readRecentOrder = async (
  db: Database,
  orderId: string,
  projectId?: string,
): Promise<OrderState | undefined> => {
  if (!isUuid(orderId)) return undefined
  const read = readers.get(db) ?? createRecentReader(db)
  readers.set(db, read)
  const found = await read(orderId.toLowerCase())
  return projectId === undefined || found?.projectId === projectId ? found?.order : undefined
}

const locked = { ...stored, createdAt: orders.createdAt }

/** Reads an order and prevents other transactions from writing it until this one ends. */
export const lockOrder = async (tx: Transaction, orderId: string): Promise<LockedOrder | undefined> => {
  const [row] = await tx.select(locked).from(orders).where(eq(orders.id, orderId)).for('update')
  return row
}

/** Reads several orders as {@link lockOrder}, by their ids. Every transaction locks them in one order. */
export const lockOrders = async (
  tx: Transaction,
  orderIds: readonly string[],
): Promise<Map<string, LockedOrder>> => {
  const rows = await tx
    .select(locked)
    .from(orders)
    .where(inArray(orders.id, [...new Set(orderIds)]))
    .orderBy(asc(orders.id))
    .for('update')
  return new Map(rows.map((row) => [row.order.orderId, row]))
}

/**
 * Writes a locked order, and tells those who follow it once the transaction has committed.
 *
 * @throws {@link ServiceError} `conflict`, which rolls back the transaction, if the order was written since
 * it was read. Callers and jobs then try again.
 */
export const saveOrder = async (
  { now, notices }: SaveDeps,
  tx: Transaction,
  { order, revision }: StoredOrder,
): Promise<void> => {
  const saved = await tx
    .update(orders)
    .set({ ...columnsOf(order, now()), revision: revision + 1 })
    .where(and(eq(orders.id, order.orderId), eq(orders.revision, revision)))
    .returning({ id: orders.id })
  if (!saved.length) throw new ServiceError('conflict', 'The order was changed at the same moment: try again')
  afterCommit(tx, () => notices.tell('orders', order.orderId))
}
