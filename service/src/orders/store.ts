import { and, eq } from 'drizzle-orm'
import type { OrderState } from 'kassa/engine'
import type { Database, Transaction } from '../db/database.js'
import { orders } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/uuid.js'

/** An order as it was read, with its revision number. */
export type StoredOrder = { order: OrderState; revision: number }

/** An order that a transaction has locked. */
export type LockedOrder = StoredOrder & { createdAt: Date }

const columnsOf = (order: OrderState, nowMs: number) => ({
  phase: order.phase,
  chain: order.payment.chain,
  quoteExpiresAt: order.quote.expiresAtMs === undefined ? null : new Date(order.quote.expiresAtMs),
  hintedAt: order.hintedAtMs === undefined ? null : new Date(order.hintedAtMs),
  document: order,
  updatedAt: new Date(nowMs),
})

/** Inserts a new order. */
export const insertOrder = async (
  tx: Transaction,
  order: OrderState,
  { clientSecretHash, nowMs }: { clientSecretHash: string; nowMs: number },
): Promise<void> => {
  await tx.insert(orders).values({
    id: order.orderId,
    projectId: order.projectId,
    clientSecretHash,
    createdAt: new Date(nowMs),
    ...columnsOf(order, nowMs),
  })
}

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

/** Reads an order and prevents other transactions from writing it until this one ends. */
export const lockOrder = async (tx: Transaction, orderId: string): Promise<LockedOrder | undefined> => {
  const columns = { ...stored, createdAt: orders.createdAt }
  const [row] = await tx.select(columns).from(orders).where(eq(orders.id, orderId)).for('update')
  return row
}

/**
 * Writes a locked order.
 *
 * @throws {@link ServiceError} `conflict`, which rolls back the transaction, if the order was written since
 * it was read. Callers and jobs then try again.
 */
export const saveOrder = async (
  tx: Transaction,
  { order, revision }: StoredOrder,
  nowMs: number,
): Promise<void> => {
  const saved = await tx
    .update(orders)
    .set({ ...columnsOf(order, nowMs), revision: revision + 1 })
    .where(and(eq(orders.id, order.orderId), eq(orders.revision, revision)))
    .returning({ id: orders.id })
  if (!saved.length) throw new ServiceError('conflict', 'The order was changed at the same moment: try again')
}
