import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { orders, type PaymentLinkRow, paymentLinks } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'

/** The orders of a payment link that are paid, and those that are being paid now. */
export type LinkUses = { paid: number; reserved: number }

/**
 * How long an order counts after its quote has ended: a payment that was mined before the end may be found a little
 * later.
 */
const lateMs = 5 * 60_000

const isPaid = sql`${orders.phase} in ('delivery', 'completed')`

/** An order whose quote has ended counts again only once it is quoted again, which asks {@link reserveUse}. */
const isReserved = (nowMs: number) =>
  sql`${orders.phase} = 'payment' and ${orders.quoteExpiresAt} > ${new Date(nowMs - lateMs).toISOString()}::timestamptz`

/** Counts the uses of payment links, by their ids. A link without an order is absent. */
export const countUses = async (
  db: Database | Transaction,
  { ids, exceptOrder, nowMs }: { ids: readonly string[]; exceptOrder?: string; nowMs: number },
): Promise<ReadonlyMap<string, LinkUses>> => {
  if (!ids.length) return new Map()
  const rows = await db
    .select({
      id: orders.paymentLinkId,
      paid: sql<number>`count(*) filter (where ${isPaid})::int`,
      reserved: sql<number>`count(*) filter (where ${isReserved(nowMs)})::int`,
    })
    .from(orders)
    .where(
      and(
        inArray(orders.paymentLinkId, [...ids]),
        exceptOrder === undefined ? undefined : ne(orders.id, exceptOrder),
      ),
    )
    .groupBy(orders.paymentLinkId)
  return new Map(rows.map(({ id, ...uses }) => [id ?? '', uses]))
}

/** Says why a payment link takes no order; `undefined` if it does. */
export const explainClosed = (
  { deactivatedAt, expiresAt }: Pick<PaymentLinkRow, 'deactivatedAt' | 'expiresAt'>,
  nowMs: number,
): string | undefined => {
  if (deactivatedAt) return 'This payment link was deactivated'
  if (expiresAt && expiresAt.getTime() <= nowMs) return 'This payment link has ended'
  return undefined
}

/**
 * Asserts that a payment link takes an order that is about to be quoted. The link stays locked until the transaction
 * ends, so that orders that come at the same moment never exceed its limit.
 *
 * @throws {@link ServiceError} `conflict`, saying why not; `not-found`.
 */
export const reserveUse = async (
  tx: Transaction,
  { paymentLinkId, orderId, nowMs }: { paymentLinkId: string; orderId: string; nowMs: number },
): Promise<void> => {
  const isAsked = eq(paymentLinks.id, paymentLinkId)
  const [link] = await tx.select().from(paymentLinks).where(isAsked).for('no key update')
  if (!link) throw new ServiceError('not-found', 'Payment link not found')
  const closed = explainClosed(link, nowMs)
  if (closed !== undefined) throw new ServiceError('conflict', closed)
  if (link.maxUses === null) return
  const counted = await countUses(tx, { ids: [paymentLinkId], exceptOrder: orderId, nowMs })
  const { paid, reserved } = counted.get(paymentLinkId) ?? { paid: 0, reserved: 0 }
  if (paid >= link.maxUses) throw new ServiceError('conflict', 'This payment link is used up')
  if (paid + reserved < link.maxUses) return
  const message =
    'Others are paying by this payment link, which takes no more orders meanwhile. Try again later.'
  throw new ServiceError('conflict', message)
}
