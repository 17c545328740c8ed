import { and, eq, inArray } from 'drizzle-orm'
import { payments } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import { groupBy } from '#base/lib/groupBy.js'
import type { FoundPayment } from './findPayments.js'

/**
 * Token contracts are free to create and can send any number of tokens to an order, so only this many are
 * recorded.
 */
const tokensPerOrder = 100

const idsPerQuery = 1000

/** Payments that were found, and the orders of the addresses that were searched. */
export type Finds = { found: readonly FoundPayment[]; targets: ReadonlyMap<string, string> }

/** Records, once per token and order, that tokens may have arrived that the deployment does not accept. */
export const recordForeign = async (
  { db }: Pick<Deps, 'db'>,
  chain: string,
  { found, targets }: Finds,
): Promise<void> => {
  const firsts = new Map<string, FoundPayment & { orderId: string }>()
  for (const seen of found) {
    const orderId = targets.get(seen.target)
    if (orderId === undefined) continue
    const key = `${orderId}:${seen.currency}`
    if (!firsts.has(key)) firsts.set(key, { ...seen, orderId })
  }
  const byOrder = groupBy([...firsts.values()], ({ orderId }) => orderId)
  for (const orderIds of chunk([...byOrder.keys()], idsPerQuery)) {
    const isKnown = and(
      eq(payments.chain, chain),
      inArray(payments.orderId, orderIds),
      eq(payments.status, 'foreign'),
    )
    const rows = await db
      .select({ orderId: payments.orderId, currency: payments.currency })
      .from(payments)
      .where(isKnown)
    const known = groupBy(rows, ({ orderId }) => orderId)
    for (const orderId of orderIds) {
      const before = new Set(known.get(orderId)?.map(({ currency }) => currency))
      const news = (byOrder.get(orderId) ?? [])
        .filter(({ currency }) => !before.has(currency))
        .slice(0, Math.max(0, tokensPerOrder - before.size))
        .map(({ block, units, ...payment }) => ({
          ...payment,
          chain,
          units: `${units}`,
          status: 'foreign' as const,
          blockNumber: block.number,
          blockHash: block.hash,
          minedAt: new Date(block.timestampMs),
        }))
      if (news.length) await db.insert(payments).values(news).onConflictDoNothing()
    }
  }
}
