import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { chainFamilyOf, type OrderEvent, type OrderState } from 'kassa/engine'
import { orders, payments, paymentTargets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import { listOpenHints, readOrder } from '../orders/store.js'
import { updateOrder } from '../orders/updateOrder.js'
import { readCursor } from './chainCursor.js'
import { findPayments } from './findPayments.js'
import { type ReportedOrder, readPass, savePass } from './hintCursor.js'
import type { LookDeps } from './recordLost.js'
import { recordNews } from './recordNews.js'

type HintDeps = LookDeps & Pick<Deps, 'randomBytes'>
type GiveUpDeps = LookDeps & Pick<Deps, 'config' | 'chains'>

/** How long the service follows a transaction that a buyer reported. */
const followedUpMs = 24 * 60 * 60 * 1000

/** A reported transaction. It proves nothing: any caller can report any. */
type Hint = { orderId: string; txId: string }

/**
 * Reads the orders that the next check covers, on any chain, because buyers mistake the chain. Half of the check is
 * for new reports in their order. The rest goes through all reports of the last day again and again.
 */
const readNextOrders = async (deps: HintDeps, chain: string, limit: number): Promise<OrderState[]> => {
  const since = new Date(deps.now() - followedUpMs)
  const fresh = await readPass(deps, { chain, pass: 'new', since, limit: Math.ceil(limit / 2) })
  await savePass(deps.db, { chain, pass: 'new' }, fresh.at(-1))
  const again = await readPass(deps, { chain, pass: 'again', since, limit: limit - fresh.length })
  await savePass(deps.db, { chain, pass: 'again' }, again.at(-1))
  const rows = new Map([...fresh, ...again].map((row) => [row.orderId, row]))
  return [...rows.values()].flatMap(({ order }) => order ?? [])
}

/**
 * Chooses the reported transactions to look at: one of each order, then a second one of each, and so on. Many false
 * reports for some orders therefore do not delay those of others. Among those of one order, chance decides.
 */
const chooseHints = ({ randomBytes }: HintDeps, reported: readonly OrderState[], limit: number): Hint[] => {
  const queues = reported.map((order) => {
    const open = listOpenHints(order)
    const first = (randomBytes(1)[0] ?? 0) % (open.length || 1)
    return [...open.slice(first), ...open.slice(0, first)].map((txId) => ({ orderId: order.orderId, txId }))
  })
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  const rounds = Array.from({ length: longest }, (_, round) =>
    queues.flatMap((queue) => queue.slice(round, round + 1)),
  )
  return rounds.flat().slice(0, limit)
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

const searchBlock = async (
  deps: LookDeps,
  chain: ChainPort,
  { orderId, txId }: Hint,
  block: bigint,
): Promise<void> => {
  const isOwn = eq(paymentTargets.orderId, orderId)
  const place = { chain: paymentTargets.chain, target: paymentTargets.target }
  const rows = await deps.db.select(place).from(paymentTargets).where(isOwn)
  // A target on another family's chain is no address on this one.
  const own = rows.filter((row) => chainFamilyOf(row.chain) === chain.family)
  const targets = new Map(own.map(({ target }) => [target, orderId]))
  const range = { fromBlock: block, toBlock: block, includesEmptied: true }
  const found = await findPayments(deps, chain, { ...range, targets: [...targets.keys()] })
  await recordNews(deps, chain, { found, targets })
  if (!found.length) await noteFailure(deps, chain, { orderId, txId })
}

/** Records that a reported transaction reverted for lack of funds, if it was to pay for an order. */
const noteFailure = async (deps: LookDeps, chain: ChainPort, { orderId, txId }: Hint): Promise<void> => {
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
export const lookAtHints = async (deps: HintDeps, chain: ChainPort, limit: number): Promise<void> => {
  const open = chooseHints(deps, await readNextOrders(deps, chain.chain, limit), limit)
  const hints = [...open, ...(await readLost(deps, chain.chain, limit))]
  // Asked for together, so that few requests answer all.
  const blocks = await Promise.allSettled(hints.map(({ txId }) => chain.findTransactionBlock(txId)))
  for (const [at, hint] of hints.entries()) {
    try {
      const block = blocks[at]
      if (block?.status === 'rejected') throw block.reason
      if (block?.value !== undefined) await searchBlock(deps, chain, hint, block.value)
    } catch (err) {
      // A node may never answer for one block or one transaction. The others are still checked.
      deps.log.warn({ chain: chain.chain, ...hint, err }, 'cannot look at a reported transaction')
    }
  }
}

/** How long a node that knew a transaction is expected to know it. It may drop one that is never mined. */
const knownForMs = 60 * 60 * 1000

/** How many orders one round of giving up goes through. */
const ordersPerRound = 500

/** Reads the next orders, of which the unpaid ones of a chain whose reports are overdue have their document. */
const readOverdue = (deps: GiveUpDeps, chain: string): Promise<ReportedOrder[]> => {
  const nowMs = deps.now()
  return readPass(deps, {
    chain,
    pass: 'give-up',
    since: new Date(nowMs - followedUpMs),
    until: new Date(nowMs - deps.config.reportedTtlMs),
    limit: ordersPerRound,
    isDue: and(
      eq(orders.chain, chain),
      inArray(orders.phase, ['quote', 'payment']),
      sql`jsonb_array_length(jsonb_path_query_array(${orders.document}, '$.payments[*] ? (@.use <> "returned")')) = 0`,
      sql`coalesce(${orders.document} -> 'payment' -> 'failureReason' ->> 'code', '') <> 'tx-id-not-found'`,
      sql`coalesce((${orders.document} ->> 'reportKnownAtMs')::bigint, 0) <= ${nowMs - knownForMs}`,
    ),
  })
}

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
  order: OrderState,
): Promise<string | undefined> => {
  const { orderId, payment } = order
  const { currency } = payment
  for (const txId of listOpenHints(order).reverse()) {
    const traces = await Promise.all(ports.map((port) => port.traceReported({ txId, orderId, currency })))
    if (traces.some((trace) => trace !== 'unknown')) return txId
  }
  return undefined
}

/** Returns the first orders whose reports one round may ask about: at least one order, and then up to `limit` reports. */
const takeRound = (read: readonly ReportedOrder[], limit: number): readonly ReportedOrder[] => {
  let asked = 0
  const end = read.findIndex(({ order }) => {
    if (!order) return false
    const isFirst = asked === 0
    asked += order.hints.length
    return asked > limit && !isFirst
  })
  return end < 0 ? read : read.slice(0, end)
}

/**
 * Gives up reported transactions that no node knows after {@link Config.reportedTtlMs}. Buyers mistake the
 * chain, so the nodes of all chains in use are asked. If none of an order's reported transactions is known,
 * the order says `tx-id-not-found`. If one is known, the nodes are asked again an hour later.
 *
 * @param limit - How many reported transactions to ask about. Those of one order are asked about together.
 */
export const giveUpHints = async (deps: GiveUpDeps, chain: string, limit: number): Promise<void> => {
  const round = takeRound(await readOverdue(deps, chain), limit)
  await savePass(deps.db, { chain, pass: 'give-up' }, round.at(-1))
  const overdue = round.flatMap(({ order }) => order ?? [])
  if (!overdue.length) return
  const ports = await listUsedChains(deps)
  for (const order of overdue) {
    const { orderId } = order
    const lastTxId = listOpenHints(order).at(-1)
    if (lastTxId === undefined) continue
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
