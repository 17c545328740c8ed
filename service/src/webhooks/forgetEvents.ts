import { and, eq, lt, ne, notExists, sql } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { webhookDeliveries, webhookEvents } from '../db/tables/index.js'

/** How long an event can be read and replayed after its last delivery ended. */
const keepMs = 30 * 24 * 60 * 60_000

/** Deletes events without pending deliveries, 30 days after the last delivery ended. */
export const forgetEvents = async (db: Database, nowMs: number): Promise<void> => {
  const before = new Date(nowMs - keepMs)
  const isOver = and(ne(webhookDeliveries.status, 'pending'), lt(webhookDeliveries.updatedAt, before))
  await db.transaction(async (tx) => {
    const over = tx
      .select({ eventId: webhookDeliveries.eventId })
      .from(webhookDeliveries)
      .groupBy(webhookDeliveries.eventId)
      .having(sql`bool_and(${isOver})`)
    // The condition is checked again for each row: a delivery replayed meanwhile stays.
    await tx.delete(webhookDeliveries).where(and(isOver, sql`${webhookDeliveries.eventId} in (${over})`))
    const deliveries = tx
      .select({ one: sql`1` })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.eventId, webhookEvents.id))
    await tx.delete(webhookEvents).where(and(lt(webhookEvents.createdAt, before), notExists(deliveries)))
  })
}
