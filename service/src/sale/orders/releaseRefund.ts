import { and, eq, isNull, or } from 'drizzle-orm'
import { atRefund, findAddressee, findRecipient, type OrderEvent, type OrderState } from 'kassa/engine'
import type { Transaction } from '#base/db/database.js'
import { type RefundRow, refunds } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { withMutex } from '#base/lib/withMutex.js'
import type { ChainPort } from '#base/ports/chain.js'
import { type CapCheck, type CapPlace, checkCaps, type Hold } from './refundCaps.js'
import { createFeeCheck, type FeeCheck } from './refundFee.js'
import { lockOrder, readRecentOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

const hourMs = 60 * 60_000
/**
 * How soon a held refund is checked again. Fees fall within hours, and a cap has room again within one hour. An address
 * that is named checks its refunds at once.
 */
const looks = {
  'below-fee': { minMs: hourMs / 4, maxMs: 24 * hourMs },
  cap: { minMs: hourMs / 4, maxMs: hourMs },
} as const

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

/** Holds a refund, and plans the next check. */
const hold = async (
  deps: Deps,
  tx: Transaction,
  row: RefundRow,
  { heldAs, failure, ...place }: Hold & Partial<CapPlace>,
): Promise<boolean> => {
  const { id: refundId, orderId } = row
  const isSame = and(
    eq(refunds.id, refundId),
    eq(refunds.status, row.status),
    row.heldAs === null ? undefined : eq(refunds.heldAs, row.heldAs),
    isNull(refunds.releasedAt),
  )
  const held = await tx
    .update(refunds)
    .set({ status: 'held', heldAs, failure, releasedBy: null, ...place })
    .where(isSame)
    .returning({ id: refunds.id })
  if (!held.length) return false
  if (heldAs !== 'below-fee' && heldAs !== 'cap') return true
  // A small one whose worth is unknown waits for its place under a cap, too.
  const look = place.countedAs === undefined ? looks[heldAs] : looks.cap
  const startAfter = new Date(deps.now() + growingDelayMs(row, deps.now(), look))
  await deps.jobs.enqueue(tx, 'orders.refund', { orderId, refundId }, { startAfter })
  return true
}

/**
 * Holds a refund that is not worth its fee, and all of its order that are due in one currency of a chain and not worth
 * theirs, so that the order's document, which a thousand tiny payments made long, is written once for all of them. The
 * job of each one plans its next check.
 */
const holdDust = async (
  deps: Deps,
  tx: Transaction,
  { row, lowFee, explainFee }: { row: RefundRow; lowFee: Hold; explainFee: FeeCheck['explain'] },
): Promise<void> => {
  const { orderId, chain, currency } = row
  const stored = await lockOrder(tx, orderId)
  if (!stored) return
  const isHeldOtherwise = or(eq(refunds.id, row.id), isNull(refunds.heldAs))
  const isDue = and(
    eq(refunds.orderId, orderId),
    eq(refunds.chain, chain),
    eq(refunds.currency, currency),
    or(eq(refunds.status, 'pending'), and(eq(refunds.status, 'held'), isHeldOtherwise)),
    isNull(refunds.releasedBy),
  )
  const events: OrderEvent[] = []
  for (const due of await tx.select().from(refunds).where(isDue).orderBy(refunds.id)) {
    const failure = explainFee(due)
    if (failure === undefined) continue
    const { heldAs } = lowFee
    await tx.update(refunds).set({ status: 'held', heldAs, failure }).where(eq(refunds.id, due.id))
    events.push({ type: 'refund-held', refundId: due.id, heldAs })
  }
  await applyEvents(deps, tx, stored, events)
  await hold(deps, tx, { ...row, status: 'held', heldAs: lowFee.heldAs }, lowFee)
}

/** What is known of a refund before its order is locked. */
type Facts = {
  isContract: boolean
  isWorthKnown: boolean
  /** The address whose fee was estimated. */
  addressee: string
}

/** Whether a refund without an address would go to a contract. */
const isPaidByContract = async (
  chain: ChainPort,
  { recipient, sentTo }: Pick<RefundRow, 'recipient' | 'sentTo'>,
): Promise<boolean> => sentTo === null && (await chain.isContract(recipient))

/** Returns where a refund goes and its place under the caps, or why it is held. */
const decide = async (
  deps: Deps,
  tx: Transaction,
  { chain, row, order, ...facts }: Facts & { chain: ChainPort; row: RefundRow; order: OrderState },
): Promise<CapCheck & { to?: string }> => {
  const begun = atRefund(order, row.id)
  const to = findRecipient(chain, begun, { ...row, ...facts })
  if (to === undefined) {
    const failure = `the contract ${row.recipient} paid, and the order has no refund address`
    return { hold: { heldAs: 'contract-payer', failure } }
  }
  // The operator sends without regard to the caps.
  if (row.releasedBy === 'operator') return { to }
  return { to, ...(await checkCaps(deps, tx, { ...facts, row, order: begun })) }
}

/**
 * Releases a refund that is worth its fee and fixes where it goes, or holds it, unless another process has decided.
 *
 * @returns The released refund; `redirected` if it goes to another address by now, whose fee is another.
 */
const release = async (
  deps: Deps,
  tx: Transaction,
  { chain, row, ...facts }: Facts & { chain: ChainPort; row: RefundRow },
): Promise<RefundRow | 'redirected' | undefined> => {
  const { id: refundId, orderId } = row
  const stored = await lockOrder(tx, orderId)
  const [present] = await tx.select().from(refunds).where(eq(refunds.id, refundId))
  if (!stored || !present || present.releasedAt) return undefined
  // The job of another refund may have held this one meanwhile.
  const isHeld = present.status === 'held'
  if (!isHeld && present.status !== row.status) return undefined
  const {
    to,
    place,
    hold: reason,
  } = await decide(deps, tx, { ...facts, chain, row: present, order: stored.order })
  if (reason) {
    await hold(deps, tx, present, { ...reason, ...place })
    await applyEvents(deps, tx, stored, [{ type: 'refund-held', refundId, heldAs: reason.heldAs }])
    return undefined
  }
  if (to !== facts.addressee) return 'redirected'
  const isElsewhere = to !== present.recipient
  const sentTo = isElsewhere ? to : null
  const [released] = await tx
    .update(refunds)
    .set({
      status: 'pending',
      heldAs: null,
      failure: null,
      sentTo,
      countedAs: place?.countedAs ?? null,
      priceWorth: place?.priceWorth ?? null,
      releasedBy: present.releasedBy ?? 'service',
      releasedAt: new Date(deps.now()),
    })
    .where(eq(refunds.id, refundId))
    .returning()
  const event = { type: 'refund-retried' as const, refundId, ...(isElsewhere && { to }) }
  if (isHeld || isElsewhere) await applyEvents(deps, tx, stored, [event])
  return released
}

/** Holds a refund that is not worth its fee. */
const holdBelowFee = async (
  deps: Deps,
  row: RefundRow,
  { failure, explainFee }: { failure: string; explainFee: FeeCheck['explain'] },
): Promise<void> => {
  const lowFee: Hold = { heldAs: 'below-fee', failure }
  // If it is held for the same reason, nothing changes for the order, so its document is not read. The job of another
  // refund may have held it meanwhile. That check has a separate transaction, because every process locks the order
  // before its refunds.
  const isHeld = await deps.db.transaction((tx) =>
    hold(deps, tx, { ...row, status: 'held', heldAs: 'below-fee' }, lowFee),
  )
  if (!isHeld) await deps.db.transaction((tx) => holdDust(deps, tx, { row, lowFee, explainFee }))
}

/**
 * Decides whether the service sends a refund automatically, and where to. One that is worth less than its fee, over a
 * cap, or paid by a contract that the order does not name is held. The operator sees it, and the service checks it
 * again until it may be sent.
 *
 * @returns The refund as it is released, or `undefined` if it waits.
 */
export const releaseRefund = async (
  deps: Deps,
  chain: ChainPort,
  row: RefundRow,
): Promise<RefundRow | undefined> => {
  const order = (await readRecentOrder(deps.db, row.orderId))?.order
  if (!order) return undefined
  const addressee = findAddressee(chain, atRefund(order, row.id), row)
  const terms = { ...row, recipient: addressee }
  const { explain: explainFee, isWorthKnown } = await createFeeCheck(deps, chain, terms)
  // The operator sends without regard to the fee.
  const failure = row.releasedBy === 'operator' ? undefined : explainFee(row)
  const isContract = failure === undefined && (await isPaidByContract(chain, row))
  const released = await withMutex(refundTurn(row.orderId), async () => {
    if (failure !== undefined) return void (await holdBelowFee(deps, row, { failure, explainFee }))
    const facts = { isContract, isWorthKnown, addressee }
    return deps.db.transaction((tx) => release(deps, tx, { chain, row, ...facts }))
  })
  if (released !== 'redirected') return released
  const [present] = await deps.db.select().from(refunds).where(eq(refunds.id, row.id))
  return present && releaseRefund(deps, chain, present)
}
