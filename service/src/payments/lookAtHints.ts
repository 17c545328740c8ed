import { and, eq, gt, sql } from 'drizzle-orm'
import type { ChainPort } from '../chains/port.js'
import { orders, paymentTargets } from '../db/tables/index.js'
import { findPayments } from './findPayments.js'
import type { LookDeps } from './lookForPayments.js'
import { recordNews } from './recordNews.js'

/** How long a buyer's word for a transaction is followed up. */
const followedUpMs = 24 * 60 * 60 * 1000

/** The reported transactions that no payment of their order came from, a sample of them: buyers mistake the chain, too. */
const readOpenHints = ({ db, now }: LookDeps, limit: number) => {
  const hints = sql`jsonb_array_elements_text(${orders.document} -> 'hints') as hint`
  const seen = sql`select 1 from jsonb_array_elements(${orders.document} -> 'payments') as paid
    where lower(paid ->> 'txId') = lower(hint)`
  return db
    .select({ orderId: sql<string>`${orders.id}`, txId: sql<string>`hint` })
    .from(sql`${orders}, ${hints}`)
    .where(and(gt(orders.hintedAt, new Date(now() - followedUpMs)), sql`not exists (${seen})`))
    .orderBy(sql`random()`)
    .limit(limit)
}

const lookAtHint = async (
  deps: LookDeps,
  chain: ChainPort,
  { orderId, txId }: { orderId: string; txId: string },
): Promise<void> => {
  const block = await chain.findTransactionBlock(txId)
  if (block === undefined) return
  const isOwn = eq(paymentTargets.orderId, orderId)
  const rows = await deps.db.select({ target: paymentTargets.target }).from(paymentTargets).where(isOwn)
  const targets = new Map(rows.map(({ target }) => [target, orderId]))
  const found = await findPayments(deps, chain, { fromBlock: block, toBlock: block }, [...targets.keys()])
  await recordNews(deps, chain, found, targets)
}

/**
 * Looks once more at the blocks of transactions that buyers reported and that no payment was seen of, in case a
 * node hid it when the block was read. The hint says where to look; the logs decide.
 */
export const lookAtHints = async (deps: LookDeps, chain: ChainPort, limit: number): Promise<void> => {
  for (const hint of await readOpenHints(deps, limit)) {
    try {
      await lookAtHint(deps, chain, hint)
    } catch (err) {
      // A node may never answer for one block, or one transaction: the others are looked at all the same.
      deps.log.warn({ chain: chain.chain, ...hint, err }, 'cannot look at a reported transaction')
    }
  }
}
