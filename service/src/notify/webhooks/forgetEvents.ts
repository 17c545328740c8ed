import { and, asc, eq, gte, inArray, lt, notExists, or, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { webhookDeliveries, webhookEvents } from '#base/db/tables/index.js'
import { deleteInBatches } from '#base/lib/deleteInBatches.js'

const forgetSome = async (tx: Transaction, before: Date, limit: number): Promise<number> => {
  const isKept = or(eq(webhookDeliveries.status, 'pending'), gte(webhookDeliveries.updatedAt, before))
  const ofEvent = eq(webhookDeliveries.eventId, webhookEvents.id)
  const kept = tx.select({ one: sql`1` }).from(webhookDeliveries).where(and(ofEvent, isKept))
  const over = await tx
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(and(lt(webhookEvents.createdAt, before), notExists(kept)))
    .orderBy(asc(webhookEvents.createdAt))
    .limit(limit)
  if (!over.length) return 0
  const ids = over.map(({ id }) => id)
  // The condition is checked again for each row: a delivery replayed meanwhile stays.
  await tx.delete(webhookDeliveries).where(and(inArray(webhookDeliveries.eventId, ids), sql`not (${isKept})`))
  const rest = tx.select({ one: sql`1` }).from(webhookDeliveries).where(ofEvent)
  await tx.delete(webhookEvents).where(and(inArray(webhookEvents.id, ids), notExists(rest)))
  return over.length
}

/** Deletes events without pending deliveries, so long after the last delivery ended. */
export const forgetEvents = (db: Database, nowMs: number, keepMs: number): Promise<void> =>
  deleteInBatches((limit) => db.transaction((tx) => forgetSome(tx, new Date(nowMs - keepMs), limit)))
