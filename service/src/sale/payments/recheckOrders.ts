import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import { hintedForMs, transition } from 'kassa/engine'
import { orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { EmitDeps } from '../orders/emitOrderEvents.js'
import { checkPayer } from '../orders/prepareQuote.js'
import { lockOrder, type StoredOrder } from '../orders/store.js'
import { applyEvents, updateOrder } from '../orders/updateOrder.js'

/** Expires the quotes that have run out, in case their job is late. */
export const expireQuotes = async (deps: EmitDeps & Pick<Deps, 'db'>, chain: string): Promise<void> => {
  const rows = await deps.db
    .select({ orderId: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.chain, chain),
        eq(orders.phase, 'payment'),
        lte(orders.quoteExpiresAt, new Date(deps.now())),
        sql`${orders.document} -> 'payment' ->> 'status' <> 'in-progress'`,
      ),
    )
  for (const { orderId } of rows) {
    await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, { type: 'time-passed' }))
  }
}

const readWaiting = (deps: Pick<Deps, 'db' | 'now'>, chain: string, limit: number): Promise<StoredOrder[]> =>
  deps.db
    .select({ order: orders.document, revision: orders.revision })
    .from(orders)
    .where(
      and(
        eq(orders.chain, chain),
        eq(orders.phase, 'payment'),
        gt(orders.quoteExpiresAt, new Date(deps.now())),
        sql`${orders.document} -> 'payment' ->> 'payerAddress' is not null`,
        sql`${orders.document} -> 'payment' ->> 'status' <> 'in-progress'`,
        // They may be paid already, so checking their funds would serve nothing.
        or(isNull(orders.hintedAt), lte(orders.hintedAt, new Date(deps.now() - hintedForMs))),
      ),
    )
    // Those whose buyer has nothing to sign come first: a part of their price was just paid.
    .orderBy(sql`${orders.document} -> 'payment' ? 'serializedTransaction'`, sql`random()`)
    .limit(limit)

/** Checks the funds of the payers of unpaid orders again, for a sample of at most `limit` orders. */
export const recheckFunds = async (
  deps: EmitDeps & Pick<Deps, 'db' | 'chains' | 'config'>,
  chain: string,
  limit: number,
): Promise<void> => {
  for (const { order, revision } of await readWaiting(deps, chain, limit)) {
    const funds = await checkPayer(deps, order).catch((error: unknown) => {
      // An order that is over a limit waits, and no other one waits for it.
      if (error instanceof ServiceError && error.code === 'rate-limited') return undefined
      throw error
    })
    if (!funds) continue
    const event = { type: 'funds-checked', funds } as const
    if (transition(order, event, deps.now()).order === order) continue
    await deps.db.transaction(async (tx) => {
      const stored = await lockOrder(tx, order.orderId)
      // The check was of another quote's payment.
      if (stored?.revision !== revision) return
      await applyEvents(deps, tx, stored, [event])
    })
  }
}
