import { eq } from 'drizzle-orm'
import { viewRefund } from 'kassa/engine'
import type { Refund, RefundList } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Database } from '#base/db/database.js'
import { refunds } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { requireServerScope } from '#identity/authorize.js'
import { readOrder } from './store.js'

/** The requested page of a list, from 1 on. */
type Page = { page: number; perPage: number }

type RefundQuery = { orderId: string; projectId?: string; refundId?: string; page?: Page }

/**
 * Reads the refunds of an order, oldest first.
 *
 * @returns `undefined` if there is no such order.
 */
export const findRefunds = async (
  db: Database,
  { orderId, projectId, refundId, page }: RefundQuery,
): Promise<Refund[] | undefined> =>
  db.transaction(
    async (tx) => {
      const read = await readOrder(tx, orderId, projectId)
      if (!read) return undefined
      const { order } = read
      const { page: number = 1, perPage = order.refunds.length } = page ?? {}
      const known = order.refunds
        .filter(({ id }) => refundId === undefined || id === refundId)
        .slice((number - 1) * perPage, number * perPage)
      if (!known.length) return []
      const rows = await tx
        .select({
          id: refunds.id,
          createdAt: refunds.createdAt,
          payer: refunds.recipient,
          sentTo: refunds.sentTo,
        })
        .from(refunds)
        .where(eq(refunds.orderId, order.orderId))
      const rowOf = new Map(rows.map((row) => [row.id, row]))
      return known.map((refund) => {
        const row = rowOf.get(refund.id)
        return viewRefund(
          order,
          refund,
          row && {
            createdAtMs: row.createdAt.getTime(),
            recipient: row.sentTo ?? refund.sentTo ?? row.payer,
          },
        )
      })
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

/**
 * Lists the refunds of an order, oldest first: the merchant's, and those that the service owes by its own rules.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const listRefunds = async (
  { db }: Deps,
  call: Call,
  { orderId, page }: { orderId: string; page: Page },
): Promise<RefundList> => {
  requireServerScope(call.actor, 'orders.read')
  const data = await findRefunds(db, { orderId, projectId: call.actor.projectId, page })
  if (!data) throw new ServiceError('not-found', 'Not found')
  return { data }
}

/**
 * Gets a refund of an order.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const getRefund = async (
  { db }: Deps,
  call: Call,
  { orderId, refundId }: { orderId: string; refundId: string },
): Promise<Refund> => {
  requireServerScope(call.actor, 'orders.read')
  const [refund] = (await findRefunds(db, { orderId, projectId: call.actor.projectId, refundId })) ?? []
  if (!refund) throw new ServiceError('not-found', 'Not found')
  return refund
}
