import { and, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { OrderEvent, OrderState } from 'kassa/engine'
import { orders, payments, paymentTargets } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { readOrder } from '../orders/store.js'
import { updateOrder } from '../orders/updateOrder.js'
import type { ChainPort } from '../ports/chain.js'
import { readCursor } from './chainCursor.js'
import { findPayments } from './findPayments.js'
import type { LookDeps } from './recordLost.js'
import { recordNews } from './recordNews.js'

/** How long the service follows a transaction that a buyer reported. */
const followedUpMs = 24 * 60 * 60 * 1000

/**
 * Reads a sample of reported transactions without a payment for their order, on any chain, because buyers
 * mistake the chain.
 */
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

/** Reads the payments that a reorganisation removed after they were final. The chain may have them again. */
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

/** Records that a reported transaction reverted for lack of funds, if it was to pay for an order. */
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
 * Searches again the blocks of reported transactions without a payment, in case a node hid it when the block
 * was read, and those of lost payments. The hint says where to search, and the logs decide.
 */
export const lookAtHints = async (deps: LookDeps, chain: ChainPort, limit: number): Promise<void> => {
  const hints = [...(await readOpenHints(deps, limit)), ...(await readLost(deps, chain.chain, limit))]
  for (const hint of hints) {
    try {
      await lookAtHint(deps, chain, hint)
    } catch (err) {
      // A node may never answer for one block or one transaction. The others are still checked.
      deps.log.warn({ chain: chain.chain, ...hint, err }, 'cannot look at a reported transaction')
    }
  }
}

/** How long a node that knew a transaction is expected to know it. It may drop one that is never mined. */
const knownForMs = 60 * 60 * 1000

/** Reads the unpaid orders of a chain whose reported transactions have been followed for the full time. */
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
        sql`coalesce((${orders.document} ->> 'reportKnownAtMs')::bigint, 0) <= ${now() - knownForMs}`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(limit)

/** Returns the chains that are searched for payments. */
const listUsedChains = async ({ db, chains }: Pick<Deps, 'db' | 'chains'>): Promise<ChainPort[]> => {
  const ports = chains.enabled.flatMap((name) => chains.get(name) ?? [])
  const cursors = await Promise.all(ports.map(({ chain }) => readCursor(db, chain)))
  return ports.filter((_, at) => cursors[at])
}

/**
 * Returns the latest reported transaction of an order that the node of any chain knows, or `undefined` if there is
 * none.
 */
const findKnownReport = async (
  ports: readonly ChainPort[],
  { orderId, hints, payment: { currency } }: OrderState,
): Promise<string | undefined> => {
  for (const txId of [...hints].reverse()) {
    const traces = await Promise.all(ports.map((port) => port.traceReported({ txId, orderId, currency })))
    if (traces.some((trace) => trace !== 'unknown')) return txId
  }
  return undefined
}

/**
 * Gives up reported transactions that no node knows after {@link Config.reportedTtlMs}. Buyers mistake the
 * chain, so the nodes of all chains in use are asked. If none of an order's reported transactions is known,
 * the order says `tx-id-not-found`. If one is known, the nodes are asked again an hour later.
 *
 * @param limit - How many reported transactions to ask about. Those of one order are asked about together.
 */
export const giveUpHints = async (
  deps: LookDeps & Pick<Deps, 'config' | 'chains'>,
  chain: string,
  limit: number,
): Promise<void> => {
  const overdue = await readOverdue(deps, chain, limit)
  if (!overdue.length) return
  const ports = await listUsedChains(deps)
  let asked = 0
  for (const { order } of overdue) {
    const { orderId, hints } = order
    const lastTxId = hints.at(-1)
    if (lastTxId === undefined) continue
    asked += hints.length
    const isFirst = asked === hints.length
    if (asked > limit && !isFirst) return
    try {
      const knownTxId = await findKnownReport(ports, order)
      const event: OrderEvent =
        knownTxId === undefined
          ? { type: 'payment-failed', txId: lastTxId, code: 'tx-id-not-found' }
          : { type: 'report-known', txId: knownTxId }
      await deps.db.transaction((tx) => updateOrder(deps, tx, orderId, event))
    } catch (err) {
      // A node that does not answer may know it.
      deps.log.warn({ chain, orderId, err }, 'cannot look at a reported transaction')
    }
  }
}
