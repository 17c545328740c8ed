import { and, eq, gt, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import type { OrderState } from 'kassa/engine'
import type { Database } from '#base/db/database.js'
import { hintCursors, orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'

type Pass = typeof hintCursors.$inferSelect.pass
type Cursor = { hintedAt: Date; orderId: string }

/** An order with an open report, at its position in a pass. Without the order itself if the pass has nothing to do for it. */
export type ReportedOrder = Cursor & { order: OrderState | null }

/** Which part of a pass to read. */
export type PassPart = {
  chain: string
  pass: Pass
  /** The reports to read: those after a time, and up to another. */
  since: Date
  until?: Date
  /** How many orders to read at most, which bounds the cost. */
  limit: number
  /** Selects the orders that the pass has something to do for; absent for all. */
  isDue?: SQL | undefined
}

const ofPass = ({ chain, pass }: Pick<PassPart, 'chain' | 'pass'>) =>
  and(eq(hintCursors.chain, chain), eq(hintCursors.pass, pass))

const place = sql`(${orders.openHintAt}, ${orders.id})`
const placeOf = ({ hintedAt, orderId }: Cursor) =>
  sql`(${hintedAt.toISOString()}::timestamptz, ${orderId}::uuid)`

/**
 * Reads the next orders of a pass over those with open reports, in the order of their last report. A pass over new
 * reports ends with the last one, and the others start again from the oldest.
 */
export const readPass = async ({ db }: Pick<Deps, 'db'>, part: PassPart): Promise<ReportedOrder[]> => {
  const { since, until, limit, isDue } = part
  const [cursor] = await db.select().from(hintCursors).where(ofPass(part))
  const read = (isNext: SQL | undefined, count: number): Promise<ReportedOrder[]> =>
    db
      .select({
        orderId: orders.id,
        hintedAt: sql<Date>`${orders.openHintAt}`.mapWith(orders.openHintAt),
        order: sql<OrderState | null>`case when ${isDue ?? sql`true`} then ${orders.document} end`.mapWith(
          orders.document,
        ),
      })
      .from(orders)
      .where(
        and(
          isNotNull(orders.openHintAt),
          gt(orders.openHintAt, since),
          until && lte(orders.openHintAt, until),
          isNext,
        ),
      )
      .orderBy(orders.openHintAt, orders.id)
      .limit(count)
  const rows = await read(cursor && sql`${place} > ${placeOf(cursor)}`, limit)
  if (!cursor || part.pass === 'new' || rows.length >= limit) return rows
  return [...rows, ...(await read(sql`${place} <= ${placeOf(cursor)}`, limit - rows.length))]
}

/** Records how far a pass has come. Several processes may do the same pass at once, and then repeat a part of it. */
export const savePass = async (
  db: Database,
  { chain, pass }: Pick<PassPart, 'chain' | 'pass'>,
  last: Cursor | undefined,
): Promise<void> => {
  if (!last) return
  const { hintedAt, orderId } = last
  await db
    .insert(hintCursors)
    .values({ chain, pass, hintedAt, orderId })
    .onConflictDoUpdate({ target: [hintCursors.chain, hintCursors.pass], set: { hintedAt, orderId } })
}
