import { and, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { ChainPort } from '../chains/port.js'
import { orders, payments, paymentTargets } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { readOrder } from '../orders/store.js'
import { updateOrder } from '../orders/updateOrder.js'
import { readCursor } from './chainCursor.js'
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

/** The payments that a reorganisation took back after they were final: the chain may have them again. */
const readLost = ({ db, now }: LookDeps, chain: string, limit: number) =>
  db
    .select({ orderId: payments.orderId, txId: payments.txId })
    .from(payments)
    .where(
      and(
        eq(payments.chain, chain),
        eq(payments.status, 'lost'),
        gt(payments.minedAt, new Date(now() - followedUpMs)),
      ),
    )
    .orderBy(desc(payments.minedAt))
    .limit(limit)

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
  if (!found.length) await noteFailure(deps, chain, { orderId, txId })
}

/** Says so where a transaction that was to pay for an order reverted for lack of funds. */
const noteFailure = async (
  deps: LookDeps,
  chain: ChainPort,
  { orderId, txId }: { orderId: string; txId: string },
): Promise<void> => {
  const payment = (await readOrder(deps.db, orderId))?.order.payment
  if (payment?.chain !== chain.chain) return
  const code = await chain.traceReported({ txId, orderId, currency: payment.currency })
  if (code !== 'insufficient-funds') return
  const event = { type: 'payment-failed', txId, code } as const
  await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, event))
}

/**
 * Looks once more at the blocks of transactions that buyers reported and that no payment was seen of, in case a
 * node hid it when the block was read, and at those whose payment was lost. The hint says where to look; the logs decide.
 */
export const lookAtHints = async (deps: LookDeps, chain: ChainPort, limit: number): Promise<void> => {
  const hints = [...(await readOpenHints(deps, limit)), ...(await readLost(deps, chain.chain, limit))]
  for (const hint of hints) {
    try {
      await lookAtHint(deps, chain, hint)
    } catch (err) {
      // A node may never answer for one block, or one transaction: the others are looked at all the same.
      deps.log.warn({ chain: chain.chain, ...hint, err }, 'cannot look at a reported transaction')
    }
  }
}

/** Unpaid orders of a chain whose reported transactions have had their time. */
const readOverdue = ({ db, now, config }: LookDeps & Pick<Deps, 'config'>, chain: string, limit: number) =>
  db
    .select({ order: orders.document })
    .from(orders)
    .where(
      and(
        eq(orders.chain, chain),
        inArray(orders.phase, ['quote', 'payment']),
        gt(orders.hintedAt, new Date(now() - followedUpMs)),
        lte(orders.hintedAt, new Date(now() - config.reportedTtlMs)),
        sql`jsonb_array_length(${orders.document} -> 'payments') = 0`,
        sql`coalesce(${orders.document} -> 'payment' -> 'failureReason' ->> 'code', '') <> 'tx-id-not-found'`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(limit)

/** The chains that payments are looked for on. */
const listUsedChains = async ({ db, chains }: Pick<Deps, 'db' | 'chains'>): Promise<ChainPort[]> => {
  const ports = chains.enabled.flatMap((name) => chains.get(name) ?? [])
  const cursors = await Promise.all(ports.map(({ chain }) => readCursor(db, chain)))
  return ports.filter((_, at) => cursors[at])
}

/**
 * Gives up reported transactions that no node knows after {@link Config.reportedTtlMs}: buyers mistake the chain, so the
 * node of every chain in use is asked. An order none of whose reported transactions is known says `tx-id-not-found`.
 */
export const giveUpHints = async (
  deps: LookDeps & Pick<Deps, 'config' | 'chains'>,
  chain: string,
  limit: number,
): Promise<void> => {
  const overdue = await readOverdue(deps, chain, limit)
  if (!overdue.length) return
  const ports = await listUsedChains(deps)
  for (const { order } of overdue) {
    const { orderId, hints, payment } = order
    const txId = hints.at(-1)
    try {
      const traces = await Promise.all(
        hints.flatMap((hint) =>
          ports.map((port) => port.traceReported({ txId: hint, orderId, currency: payment.currency })),
        ),
      )
      if (txId === undefined || traces.some((trace) => trace !== 'unknown')) continue
      const event = { type: 'payment-failed', txId, code: 'tx-id-not-found' } as const
      await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, event))
    } catch (err) {
      // A node that does not answer may know it.
      deps.log.warn({ chain, orderId, err }, 'cannot look at a reported transaction')
    }
  }
}
