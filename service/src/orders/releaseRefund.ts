import { and, eq, gt, isNotNull, isNull, like, lt, ne, or, sql } from 'drizzle-orm'
import type { OrderEvent, OrderState, RefundReason } from 'kassa/engine'
import { convertUp, shareOfPrice, wholeShare } from 'kassa/engine'
import { fromBaseUnits } from 'kassa/schema'
import type { Transaction } from '../db/database.js'
import { orders, projects, refunds } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { withMutex } from '../lib/withMutex.js'
import type { ChainPort } from '../ports/chain.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

/** A refund as the database stores it. */
export type RefundRow = typeof refunds.$inferSelect

const hourMs = 60 * 60_000
/**
 * How soon a held refund is checked again. Fees fall within hours, and a cap has room again within one hour.
 */
const looks = { minMs: hourMs / 4, maxMs: 24 * hourMs }
const capLooks = { minMs: hourMs / 4, maxMs: hourMs }
/**
 * Reasons that a buyer cannot cause without having paid for the order, or that the merchant has. No cap applies to
 * their refunds, unless the payment was small: anyone can pay a price in very many parts.
 */
const uncapped: RefundReason[] = ['overpaid', 'undelivered', 'requested', 'voided', 'capture-expired']

/**
 * Returns the key under which the refunds of an order take turns in this process. Tiny payments may bring thousands at
 * once, and each would hold a connection while it waits for the order.
 */
export const refundTurn = (orderId: string): string => `refund:${orderId}`

/**
 * Returns how long to wait before the next check of a refund: as long as it has waited so far, between two
 * bounds.
 */
export const growingDelayMs = (
  { createdAt }: Pick<RefundRow, 'createdAt'>,
  nowMs: number,
  { minMs, maxMs }: { minMs: number; maxMs: number },
): number => Math.min(Math.max(nowMs - createdAt.getTime(), minMs), maxMs)

type FeeCheck = {
  /** Returns why a refund is not worth its fee today, or `undefined` if it is or its value is unknown. */
  explain: (refund: Pick<RefundRow, 'units'>) => string | undefined
  isWorthKnown: boolean
}

/** Creates the check of all refunds in one currency, with the fee that one of them costs. */
const createFeeCheck = async (
  { config, rates }: Deps,
  { currencies, estimateRefundFee }: ChainPort,
  row: RefundRow,
): Promise<FeeCheck> => {
  const { orderId, currency, recipient } = row
  const isFromTreasury = row.source === 'treasury'
  const units = BigInt(row.units)
  const feeWei = await estimateRefundFee({ orderId, currency, units, recipient, isFromTreasury })
  const native = currencies.find(({ address }) => !address)
  const own = currencies.find((known) => known.currency === currency)
  if (!native || !own) return { explain: () => undefined, isWorthKnown: false }
  const fee = fromBaseUnits(feeWei, native.decimals)
  const { usd } = await rates.read()
  const minimum = config.refunds.minimums[currency]
  const inRate = convertUp(fee, native.currency, own, usd)
  const least = inRate ?? (minimum === undefined ? undefined : convertUp(minimum, currency, own, usd))
  const toDecimal = (amount: bigint): string => fromBaseUnits(amount, own.decimals)
  return {
    explain: ({ units }) => {
      if (least === undefined || BigInt(units) >= least) return undefined
      return `${toDecimal(BigInt(units))} ${currency} is worth less than its fee of ${toDecimal(least)} ${currency}`
    },
    isWorthKnown: least !== undefined,
  }
}

/** The least share of a price that is not small, in hundredths of a percent. */
const leastShare = wholeShare / 100

/** Returns whether no cap applies to a refund. */
const isUncapped = ({ reason, paymentId }: RefundRow, order: OrderState): boolean => {
  const payment = order.payments.find(({ id }) => id === paymentId)
  const isSmall = payment !== undefined && shareOfPrice(order, payment, BigInt(payment.units)) < leastShare
  // Only the merchant requests refunds, of what was delivered.
  return uncapped.some((known) => known === reason) && (!isSmall || reason === 'requested')
}

/** Which hourly cap of the project a refund counts against, and its place in the line for it. */
type CapPlace = { countedAs: NonNullable<RefundRow['countedAs']>; priceShare: number }

/**
 * Returns the project's cap that a refund counts against. Small ones have a cap of their own, so that strangers who
 * pay next to nothing cannot use up what buyers need, and so has the first payment of the whole price that an order
 * returns.
 */
const readCapPlace = async (
  tx: Transaction,
  { id, paymentId, units }: RefundRow,
  order: OrderState,
): Promise<CapPlace> => {
  const payment = order.payments.find((known) => known.id === paymentId)
  const priceShare = payment ? shareOfPrice(order, payment, BigInt(units)) : 0
  if (priceShare < leastShare) return { countedAs: 'small', priceShare }
  if (priceShare < wholeShare) return { countedAs: 'large', priceShare }
  const earlier = and(
    eq(refunds.orderId, order.orderId),
    ne(refunds.id, id),
    eq(refunds.releasedBy, 'service'),
    eq(refunds.countedAs, 'whole'),
  )
  return { countedAs: (await tx.$count(refunds, earlier)) > 0 ? 'large' : 'whole', priceShare }
}

/** How the reason of a refund begins that waits for room under a cap of its project. */
const overProjectCap = "over the project's cap"

/** Returns why no more refunds are sent automatically this hour, or `undefined` while there is room. */
const explainCap = async (
  { config, now }: Deps,
  tx: Transaction,
  { id, chain, recipient, createdAt }: RefundRow,
  { projectId, countedAs, priceShare }: CapPlace & { projectId: string },
): Promise<string | undefined> => {
  // If two are released at once, the second must count the first.
  await tx.select().from(projects).where(eq(projects.id, projectId)).for('no key update')
  const isPayers = and(eq(refunds.recipient, recipient), eq(refunds.chain, chain))
  const [released] = await tx
    .select({
      project: sql<number>`(count(*) filter (where ${refunds.countedAs} = ${countedAs}))::int`,
      payer: sql<number>`(count(*) filter (where ${isPayers}))::int`,
    })
    .from(refunds)
    .innerJoin(orders, eq(refunds.orderId, orders.id))
    .where(
      and(
        eq(orders.projectId, projectId),
        eq(refunds.releasedBy, 'service'),
        gt(refunds.releasedAt, new Date(now() - hourMs)),
        isNotNull(refunds.countedAs),
      ),
    )
  const { perPayerPerHour, perProjectPerHour } = config.refunds
  if ((released?.payer ?? 0) >= perPayerPerHour) {
    return `over the cap of ${perPayerPerHour} refunds an hour to one payer`
  }
  const room = perProjectPerHour - (released?.project ?? 0)
  const isBefore = or(
    gt(refunds.priceShare, priceShare),
    and(eq(refunds.priceShare, priceShare), lt(refunds.createdAt, createdAt)),
  )
  // The largest part of a price goes first, then the oldest, so that many small ones hold up no large one.
  const waiting = and(
    ne(refunds.id, id),
    eq(refunds.status, 'held'),
    eq(refunds.countedAs, countedAs),
    like(refunds.failure, `${overProjectCap}%`),
    // One that nobody looks at any more holds up no other.
    gt(refunds.createdAt, new Date(now() - 24 * hourMs)),
    isBefore,
  )
  const [first] =
    room > 0
      ? await tx
          .select({ count: sql<number>`count(*)::int` })
          .from(refunds)
          .innerJoin(orders, eq(refunds.orderId, orders.id))
          .where(and(eq(orders.projectId, projectId), waiting))
      : []
  return room > (first?.count ?? 0) ? undefined : `${overProjectCap} of ${perProjectPerHour} refunds an hour`
}

/** Returns why a refund of the service's own rules is not sent now, or `undefined` if it is. */
const explainPlace = async (
  deps: Deps,
  tx: Transaction,
  row: RefundRow,
  { isWorthKnown, ...place }: CapPlace & { projectId: string; isWorthKnown: boolean },
): Promise<string | undefined> => {
  if (isWorthKnown || place.countedAs !== 'small') return explainCap(deps, tx, row, place)
  const { currency } = row
  return `it is less than a hundredth of a price, and whether it is worth its fee is unknown: there is neither a rate nor a minimum of ${currency}`
}

/** Holds a refund, and plans the next check. */
const hold = async (
  deps: Deps,
  tx: Transaction,
  row: RefundRow,
  failure: string,
  place?: CapPlace,
): Promise<boolean> => {
  const { id: refundId, orderId } = row
  const isSame = and(eq(refunds.id, refundId), eq(refunds.status, row.status), isNull(refunds.releasedAt))
  const held = await tx
    .update(refunds)
    .set({ status: 'held', failure, ...place })
    .where(isSame)
    .returning({ id: refunds.id })
  if (!held.length) return false
  const startAfter = new Date(deps.now() + growingDelayMs(row, deps.now(), place ? capLooks : looks))
  await deps.jobs.enqueue(tx, 'orders.refund', { orderId, refundId }, { startAfter })
  return true
}

/**
 * Holds all refunds of an order that are due in one currency of a chain and not worth their fee, so that the order's
 * document, which a thousand tiny payments made long, is written once for all of them. The job of each one plans
 * its next check.
 */
const holdDust = async (
  deps: Deps,
  tx: Transaction,
  { row, lowFee, explainFee }: { row: RefundRow; lowFee: string; explainFee: FeeCheck['explain'] },
): Promise<void> => {
  const { orderId, chain, currency } = row
  const stored = await lockOrder(tx, orderId)
  if (!stored) return
  const isDue = and(
    eq(refunds.orderId, orderId),
    eq(refunds.chain, chain),
    eq(refunds.currency, currency),
    eq(refunds.status, 'pending'),
    isNull(refunds.releasedAt),
  )
  const events: OrderEvent[] = []
  for (const due of await tx.select().from(refunds).where(isDue).orderBy(refunds.id)) {
    const failure = explainFee(due)
    if (failure === undefined) continue
    await tx.update(refunds).set({ status: 'held', failure }).where(eq(refunds.id, due.id))
    events.push({ type: 'refund-held', refundId: due.id })
  }
  await applyEvents(deps, tx, stored, events)
  await hold(deps, tx, { ...row, status: 'held' }, lowFee)
}

/** Releases a refund that is worth its fee, or holds it over a cap, unless another process has decided. */
const decide = async (
  deps: Deps,
  tx: Transaction,
  { row, isWorthKnown }: { row: RefundRow; isWorthKnown: boolean },
): Promise<boolean> => {
  const { id: refundId, orderId } = row
  const stored = await lockOrder(tx, orderId)
  const [present] = await tx.select().from(refunds).where(eq(refunds.id, refundId))
  if (!stored || !present || present.releasedAt) return false
  // The job of another refund may have held this one meanwhile.
  const isHeld = present.status === 'held'
  if (!isHeld && present.status !== row.status) return false
  const place = isUncapped(row, stored.order) ? undefined : await readCapPlace(tx, row, stored.order)
  const { projectId } = stored.order
  const failure = place && (await explainPlace(deps, tx, row, { ...place, projectId, isWorthKnown }))
  if (failure !== undefined) {
    await hold(deps, tx, present, failure, place)
    if (!isHeld) await applyEvents(deps, tx, stored, [{ type: 'refund-held', refundId }])
    return false
  }
  const countedAs = place?.countedAs ?? null
  const released = { status: 'pending' as const, releasedBy: 'service' as const, failure: null, countedAs }
  const releasedAt = new Date(deps.now())
  await tx
    .update(refunds)
    .set({ ...released, releasedAt })
    .where(eq(refunds.id, refundId))
  if (isHeld) await applyEvents(deps, tx, stored, [{ type: 'refund-retried', refundId }])
  return true
}

/**
 * Decides whether the service sends a refund automatically. One that is worth less than its fee, or over a
 * cap, is held. The operator sees it, and the service checks it again until it may be sent.
 */
export const releaseRefund = async (deps: Deps, chain: ChainPort, row: RefundRow): Promise<boolean> => {
  const { explain: explainFee, isWorthKnown } = await createFeeCheck(deps, chain, row)
  const lowFee = explainFee(row)
  const turn = refundTurn(row.orderId)
  if (lowFee !== undefined && row.status === 'held') {
    // Nothing changes for the order, so its document is not read.
    await withMutex(turn, () => deps.db.transaction((tx) => hold(deps, tx, row, lowFee)))
    return false
  }
  if (lowFee === undefined)
    return withMutex(turn, () => deps.db.transaction((tx) => decide(deps, tx, { row, isWorthKnown })))
  await withMutex(turn, async () => {
    // The job of another refund may have held it meanwhile. Then the order is neither locked nor read. That
    // check has a separate transaction, because every process locks the order before its refunds.
    const isHeld = await deps.db.transaction((tx) => hold(deps, tx, { ...row, status: 'held' }, lowFee))
    if (!isHeld) await deps.db.transaction((tx) => holdDust(deps, tx, { row, lowFee, explainFee }))
  })
  return false
}
