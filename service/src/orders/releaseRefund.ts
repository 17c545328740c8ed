import { and, eq, gt, notInArray, sql } from 'drizzle-orm'
import { fromBaseUnits } from 'kassa/schema'
import type { ChainPort } from '../chains/port.js'
import type { Transaction } from '../db/database.js'
import { orders, projects, refunds } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { convertUp } from './convert.js'
import { isShareOfPrice } from './ledger.js'
import type { OrderState, RefundReason } from './order.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

/** A refund as the database stores it. */
export type RefundRow = typeof refunds.$inferSelect

const hourMs = 60 * 60_000
/**
 * How soon a held refund is checked again. Fees fall within hours, and a cap has room again within one hour.
 */
const looks = { leastMs: hourMs / 4, mostMs: 24 * hourMs }
/** Reasons that a buyer cannot cause without having paid for the order. No cap applies to their refunds. */
const uncapped: RefundReason[] = ['overpaid', 'undelivered']

/**
 * Returns how long to wait before the next check of a refund: as long as it has waited so far, between two
 * bounds.
 */
export const growingDelayMs = (
  { createdAt }: Pick<RefundRow, 'createdAt'>,
  nowMs: number,
  { leastMs, mostMs }: { leastMs: number; mostMs: number },
): number => Math.min(Math.max(nowMs - createdAt.getTime(), leastMs), mostMs)

/** Returns why a refund is not worth its fee today, or `undefined` if it is or its value is unknown. */
const explainFee = async (
  { config, rates }: Deps,
  { currencies }: ChainPort,
  { currency, units }: RefundRow,
  feeWei: bigint,
): Promise<string | undefined> => {
  const native = currencies.find(({ address }) => !address)
  const own = currencies.find((known) => known.currency === currency)
  if (!native || !own) return undefined
  const fee = fromBaseUnits(feeWei, native.decimals)
  const { usd } = await rates.read()
  const minimum = config.refunds.minimums[currency] ?? '0'
  const least = convertUp(fee, native.currency, own, usd) ?? convertUp(minimum, currency, own, usd)
  if (least === undefined || BigInt(units) >= least) return undefined
  const toDecimal = (amount: bigint): string => fromBaseUnits(amount, own.decimals)
  return `${toDecimal(BigInt(units))} ${currency} is worth less than its fee of ${toDecimal(least)} ${currency}`
}

/** Returns why no more refunds are sent automatically this hour, or `undefined` while there is room. */
const explainCap = async (
  { config, now }: Deps,
  tx: Transaction,
  { chain, recipient, reason, paymentId, units }: RefundRow,
  order: OrderState,
): Promise<string | undefined> => {
  if (uncapped.some((known) => known === reason)) return undefined
  // If two are released at once, the second must count the first.
  await tx.select().from(projects).where(eq(projects.id, order.projectId)).for('no key update')
  const isPayers = and(eq(refunds.recipient, recipient), eq(refunds.chain, chain))
  const [released] = await tx
    .select({
      project: sql<number>`count(*)::int`,
      payer: sql<number>`(count(*) filter (where ${isPayers}))::int`,
    })
    .from(refunds)
    .innerJoin(orders, eq(refunds.orderId, orders.id))
    .where(
      and(
        eq(orders.projectId, order.projectId),
        eq(refunds.releasedBy, 'service'),
        gt(refunds.releasedAt, new Date(now() - hourMs)),
        notInArray(refunds.reason, uncapped),
      ),
    )
  const { perPayerPerHour, perProjectPerHour } = config.refunds
  if ((released?.payer ?? 0) >= perPayerPerHour) {
    return `over the cap of ${perPayerPerHour} refunds an hour to one payer`
  }
  // Strangers must not use up what buyers who paid in full may need.
  const payment = order.payments.find(({ id }) => id === paymentId)
  const isWhole = payment !== undefined && isShareOfPrice(order, payment, BigInt(units), 100n)
  if (!isWhole && (released?.project ?? 0) >= perProjectPerHour) {
    return `over the cap of ${perProjectPerHour} refunds an hour of one project`
  }
  return undefined
}

/**
 * Decides whether the service sends a refund automatically. One that is worth less than its fee, or over a
 * cap, is held. The operator sees it, and the service checks it again until it may be sent.
 */
export const releaseRefund = async (deps: Deps, chain: ChainPort, row: RefundRow): Promise<boolean> => {
  const { id: refundId, orderId, currency, recipient } = row
  const input = { orderId, currency, units: BigInt(row.units), recipient }
  const lowFee = await explainFee(deps, chain, row, await chain.estimateRefundFee(input))
  return deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, orderId)
    const [present] = await tx.select().from(refunds).where(eq(refunds.id, refundId)).for('update')
    if (!stored || !present || present.status !== row.status || present.releasedAt) return false
    const isHeld = present.status === 'held'
    const failure = lowFee ?? (await explainCap(deps, tx, row, stored.order))
    if (failure === undefined) {
      const released = { status: 'pending' as const, releasedBy: 'service' as const, failure: null }
      const releasedAt = new Date(deps.now())
      await tx
        .update(refunds)
        .set({ ...released, releasedAt })
        .where(eq(refunds.id, refundId))
      if (isHeld) await applyEvents(deps, tx, stored, [{ type: 'refund-retried', refundId }])
      return true
    }
    await tx.update(refunds).set({ status: 'held', failure }).where(eq(refunds.id, refundId))
    if (!isHeld) await applyEvents(deps, tx, stored, [{ type: 'refund-held', refundId }])
    const startAfter = new Date(deps.now() + growingDelayMs(row, deps.now(), looks))
    await deps.jobs.enqueue(tx, 'orders.refund', { orderId, refundId }, { startAfter })
    return false
  })
}
