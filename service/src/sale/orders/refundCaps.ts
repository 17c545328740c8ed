import { and, eq, gt, gte, isNotNull, isNull, like, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import {
  type OrderState,
  priceClasses,
  priceClassOf,
  priceWorthOf,
  roomUnderCap,
  shareOfPrice,
  wholeShare,
} from 'kassa/engine'
import type { RefundCause, RefundHoldReason } from 'kassa/schema'
import { advances } from '#base/config/advances.js'
import type { Transaction } from '#base/db/database.js'
import { orders, projects, type RefundRow, refunds } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'

const hourMs = 60 * 60_000

/**
 * Reasons that a buyer cannot cause without having paid for the order, or that the merchant has. No cap applies to
 * their refunds, unless the payment was small: anyone can pay a price in very many parts.
 */
const uncapped: RefundCause[] = ['undelivered', 'requested', 'voided', 'capture-expired']

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
export type CapPlace = {
  countedAs: NonNullable<RefundRow['countedAs']>
  priceShare: number
  /** @units US cents */
  priceWorth: number
}

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
  const place = { priceShare, priceWorth: priceWorthOf(order) }
  if (priceShare < leastShare) return { ...place, countedAs: 'small' }
  if (priceShare < wholeShare) return { ...place, countedAs: 'large' }
  const earlier = and(
    eq(refunds.orderId, order.orderId),
    ne(refunds.id, id),
    eq(refunds.releasedBy, 'service'),
    eq(refunds.countedAs, 'whole'),
  )
  return { ...place, countedAs: (await tx.$count(refunds, earlier)) > 0 ? 'large' : 'whole' }
}

/** How the reason of a refund begins that waits for room under a cap of its project. */
const overProjectCap = "over the project's cap"

/** Selects the refunds of orders whose price is of a class. A refund that no cap was looked at for has the cheapest. */
const isOfClass = (at: number): SQL | undefined => {
  const [from, to] = [priceClasses[at] ?? 0, priceClasses[at + 1]]
  const isBelow = to === undefined ? undefined : lt(refunds.priceWorth, to)
  return at === 0 ? or(isNull(refunds.priceWorth), isBelow) : and(gte(refunds.priceWorth, from), isBelow)
}

const countWhere = (condition: SQL | undefined) => sql<number>`(count(*) filter (where ${condition}))::int`

/** Counts the refunds under caps that the service has released this hour: to one payer, and of each class of prices. */
const countReleased = async (
  { now }: Deps,
  tx: Transaction,
  {
    chain,
    recipient,
    projectId,
    countedAs,
  }: Pick<RefundRow, 'chain' | 'recipient'> & CapPlace & { projectId: string },
): Promise<{ payer: number; classes: number[] }> => {
  const isPayers = and(eq(refunds.recipient, recipient), eq(refunds.chain, chain))
  const counts = priceClasses.map((_, at) => [
    `class${at}`,
    countWhere(and(eq(refunds.countedAs, countedAs), isOfClass(at))),
  ])
  const isReleased = and(
    eq(orders.projectId, projectId),
    eq(refunds.releasedBy, 'service'),
    gt(refunds.releasedAt, new Date(now() - advances.refunds.windowMs)),
    isNotNull(refunds.countedAs),
  )
  const counted: Record<string, SQL<number>> = { payer: countWhere(isPayers), ...Object.fromEntries(counts) }
  const [found] = await tx
    .select(counted)
    .from(refunds)
    .innerJoin(orders, eq(refunds.orderId, orders.id))
    .where(isReleased)
  return { payer: found?.payer ?? 0, classes: priceClasses.map((_, at) => found?.[`class${at}`] ?? 0) }
}

/**
 * Counts the refunds that go before one under the same cap. The largest part of a price goes first, then the refund of
 * the dearest order, then the oldest, so that many small ones hold up no large one.
 */
const countBefore = async (
  { now }: Deps,
  tx: Transaction,
  { id, createdAt, ...place }: Pick<RefundRow, 'id' | 'createdAt'> & CapPlace & { projectId: string },
): Promise<number> => {
  const { projectId, countedAs, priceShare, priceWorth } = place
  const isSameShare = eq(refunds.priceShare, priceShare)
  const isBefore = or(
    gt(refunds.priceShare, priceShare),
    and(isSameShare, gt(refunds.priceWorth, priceWorth)),
    and(isSameShare, eq(refunds.priceWorth, priceWorth), lt(refunds.createdAt, createdAt)),
  )
  const waiting = and(
    eq(orders.projectId, projectId),
    ne(refunds.id, id),
    eq(refunds.status, 'held'),
    eq(refunds.countedAs, countedAs),
    isOfClass(priceClassOf(priceWorth)),
    like(refunds.failure, `${overProjectCap}%`),
    // One that has waited for a day is the operator's to decide, and holds up no other.
    gt(refunds.createdAt, new Date(now() - 24 * hourMs)),
    isBefore,
  )
  const [before] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(refunds)
    .innerJoin(orders, eq(refunds.orderId, orders.id))
    .where(waiting)
  return before?.count ?? 0
}

/** Returns why no more refunds are sent automatically this hour, or `undefined` while there is room. */
const explainCap = async (
  deps: Deps,
  tx: Transaction,
  row: RefundRow,
  place: CapPlace & { projectId: string },
): Promise<string | undefined> => {
  // If two are released at once, the second must count the first.
  await tx.select().from(projects).where(eq(projects.id, place.projectId)).for('no key update')
  const released = await countReleased(deps, tx, { ...row, ...place })
  const { payer, project } = advances.refunds.caps(deps.config)
  if (released.payer >= payer) {
    return `over the cap of ${payer} refunds an hour to one payer`
  }
  const room = roomUnderCap(project, released.classes, priceClassOf(place.priceWorth))
  const hasRoom = room > 0 && room > (await countBefore(deps, tx, { ...row, ...place }))
  return hasRoom ? undefined : `${overProjectCap} of ${project} refunds an hour`
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
