import { and, eq, gt, isNotNull, like, lt, ne, or, sql } from 'drizzle-orm'
import { type OrderState, shareOfPrice, wholeShare } from 'kassa/engine'
import type { RefundCause, RefundHoldReason } from 'kassa/schema'
import type { Transaction } from '../db/database.js'
import { orders, projects, type RefundRow, refunds } from '../db/tables/index.js'
import type { Deps } from '../deps.js'

const hourMs = 60 * 60_000

/**
 * Reasons that a buyer cannot cause without having paid for the order, or that the merchant has. No cap applies to
 * their refunds, unless the payment was small: anyone can pay a price in very many parts.
 */
const uncapped: RefundCause[] = ['overpaid', 'undelivered', 'requested', 'voided', 'capture-expired']

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
export type CapPlace = { countedAs: NonNullable<RefundRow['countedAs']>; priceShare: number }

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
    // One that has waited for a day is the operator's to decide, and holds up no other.
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

/** Why a refund is held. `failure` is for the operator. */
export type Hold = { heldAs: RefundHoldReason; failure: string }

/** The place of a refund under the caps, and why it is held there. Without a place, no cap applies to it. */
export type CapCheck = { place?: CapPlace; hold?: Hold }

/** Finds a refund's place under the caps of its project, and whether there is room. */
export const checkCaps = async (
  deps: Deps,
  tx: Transaction,
  { row, order, isWorthKnown }: { row: RefundRow; order: OrderState; isWorthKnown: boolean },
): Promise<CapCheck> => {
  if (isUncapped(row, order)) return {}
  const place = await readCapPlace(tx, row, order)
  if (!isWorthKnown && place.countedAs === 'small') {
    const failure = `it is less than a hundredth of a price, and whether it is worth its fee is unknown: there is neither an exchange rate nor a minimum for ${row.currency}`
    return { place, hold: { heldAs: 'below-fee', failure } }
  }
  const failure = await explainCap(deps, tx, row, { ...place, projectId: order.projectId })
  return { place, ...(failure !== undefined && { hold: { heldAs: 'cap', failure } }) }
}
