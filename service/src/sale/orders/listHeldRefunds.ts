import { inArray } from 'drizzle-orm'
import type { RefundHoldReason } from 'kassa/schema'
import type { Database } from '#base/db/database.js'
import { refunds } from '#base/db/tables/index.js'

/** A waiting refund, as the operator reads it. @units base units of `currency` */
export type HeldRefund = {
  id: string
  orderId: string
  status: 'held' | 'failed' | 'credited'
  chain: string
  currency: string
  units: string
  payer: string
  /** Why it is held. Empty if it is credited, or if an earlier version of the service held it. */
  reason: RefundHoldReason | ''
  /** When it became due, in ISO 8601. */
  since: string
  why: string
}

/** Lists the refunds that are held, failed, or credited to a payer who has not claimed them, oldest first. */
export const listHeldRefunds = async (db: Database): Promise<HeldRefund[]> => {
  const waiting = ['held', 'failed', 'credited'] as const
  const rows = await db
    .select()
    .from(refunds)
    .where(inArray(refunds.status, waiting))
    .orderBy(refunds.createdAt, refunds.id)
  return rows.flatMap(
    ({ id, orderId, chain, currency, units, recipient, createdAt, failure, heldAs, ...row }) => {
      const status = waiting.find((known) => known === row.status)
      if (!status) return []
      const since = createdAt.toISOString()
      const reason = heldAs ?? ''
      return [
        { id, orderId, status, chain, currency, units, payer: recipient, since, reason, why: failure ?? '' },
      ]
    },
  )
}
