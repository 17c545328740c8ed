import { eq } from 'drizzle-orm'
import { awaitsSearch } from 'kassa/engine'
import { chainCursors } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { findFinalBlock } from './findFinalBlock.js'
import { readOrder } from './store.js'
import { updateOrder } from './updateOrder.js'

/** How soon it is checked again how far payments were looked for: after as long as that has taken so far. */
const checks = { minMs: 500, maxMs: 60_000 }

/**
 * Returns the time of the last final block of a chain in which payments were looked for, or 0 while the node does not
 * show it.
 */
const readSearchedUntil = async ({ db }: Pick<Deps, 'db'>, chain: ChainPort): Promise<number> => {
  const [cursor] = await db.select().from(chainCursors).where(eq(chainCursors.chain, chain.chain))
  // Payments are not looked for any more.
  if (!cursor || cursor.blockNumber === null) return Number.POSITIVE_INFINITY
  const finalBlock = await findFinalBlock(chain, await chain.getHead())
  const last = finalBlock < cursor.blockNumber ? finalBlock : cursor.blockNumber
  return last < 0n ? 0 : ((await chain.getBlock(last))?.timestampMs ?? 0)
}

/**
 * Refunds the parts of a price whose quote has ended, once payments were looked for in every block up to its end. While
 * the chain does not answer, they wait: one of its blocks may have the payment that completes them.
 */
export const returnParts =
  (deps: Deps): JobHandler<'orders.returnParts'> =>
  async ({ orderId }) => {
    const stored = await readOrder(deps.db, orderId)
    if (!stored || !awaitsSearch(stored.order)) return
    const { payment, quote } = stored.order
    const chain = deps.chains.get(payment.chain)
    if (!chain) throw new Error(`${payment.chain} is no longer enabled`)
    const searchedUntilMs = await readSearchedUntil(deps, chain)
    await deps.db.transaction(async (tx) => {
      const order = await updateOrder(deps, tx, orderId, { type: 'time-passed', searchedUntilMs })
      if (!order || !awaitsSearch(order)) return
      const waitedMs = deps.now() - (quote.expiresAtMs ?? 0)
      const startAfter = new Date(deps.now() + Math.min(Math.max(waitedMs, checks.minMs), checks.maxMs))
      // A chain without an order that can be paid is searched once in a while only.
      await deps.jobs.enqueue(tx, 'payments.look', { chain: payment.chain })
      await deps.jobs.enqueue(tx, 'orders.returnParts', { orderId }, { startAfter })
    })
  }
