import { and, eq } from 'drizzle-orm'
import type { ChainPort, SeenPayment } from '../chains/port.js'
import { payments } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { OrderEvent } from '../orders/event.js'
import { lockOrder } from '../orders/store.js'
import { applyEvents } from '../orders/updateOrder.js'

type RecordDeps = Pick<Deps, 'db' | 'jobs' | 'now' | 'log'>

/** A payment as it is kept. */
export type PaymentRow = typeof payments.$inferSelect

/** What names a payment for ever: its log. */
export const paymentId = (chain: string, { txId, logIndex }: SeenPayment): string =>
  `${chain}:${txId}:${logIndex}`

/** Remembers, once, that a token which the deployment does not take may have come for an order. */
const recordForeign = async (
  { db }: RecordDeps,
  chain: string,
  orderId: string,
  seen: SeenPayment,
): Promise<void> => {
  const { block, units, ...payment } = seen
  const isSameToken = and(
    eq(payments.orderId, orderId),
    eq(payments.chain, chain),
    eq(payments.currency, payment.currency),
    eq(payments.status, 'foreign'),
  )
  const known = await db.select({ id: payments.id }).from(payments).where(isSameToken).limit(1)
  if (known.length) return
  const place = { blockNumber: block.number, blockHash: block.hash, minedAt: new Date(block.timestampMs) }
  const row = { id: paymentId(chain, seen), orderId, chain, units: `${units}`, ...payment, ...place }
  await db
    .insert(payments)
    .values({ ...row, status: 'foreign' })
    .onConflictDoNothing()
}

/** Writes down a payment found in a block, or that its block is another one now. */
export const recordPayment = async (
  deps: RecordDeps,
  chain: ChainPort,
  orderId: string,
  seen: SeenPayment,
): Promise<void> => {
  const { txId, logIndex, block, payer, currency, target } = seen
  const decimals = chain.currencies.find((known) => known.currency === currency)?.decimals
  if (decimals === undefined) return recordForeign(deps, chain.chain, orderId, seen)
  const id = paymentId(chain.chain, seen)
  const units = `${seen.units}`
  const place = {
    blockNumber: block.number,
    blockHash: block.hash,
    minedAt: new Date(block.timestampMs),
    status: 'seen' as const,
  }
  await deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, orderId)
    const [known] = await tx.select().from(payments).where(eq(payments.id, id))
    if (!stored || known?.status === 'confirmed') return
    await tx
      .insert(payments)
      .values({ id, orderId, chain: chain.chain, txId, logIndex, payer, currency, units, target, ...place })
      .onConflictDoUpdate({ target: payments.id, set: place })
    const paid = {
      id,
      chain: chain.chain,
      currency,
      decimals,
      units,
      payer,
      txId,
      minedAtMs: block.timestampMs,
    }
    const events: OrderEvent[] = [{ type: 'payment-seen', payment: paid }]
    if (known && known.blockHash !== block.hash) {
      events.unshift({ type: 'payment-reorganised-away', paymentId: id })
    }
    await applyEvents(deps, tx, stored, events)
  })
  deps.log.info({ orderId, chain: chain.chain, txId, units, currency }, 'a payment was seen')
}

const settle = async (
  deps: RecordDeps,
  { id, orderId }: PaymentRow,
  status: 'confirmed' | 'reorganised',
  type: 'payment-confirmed' | 'payment-reorganised-away',
): Promise<void> => {
  await deps.db.transaction(async (tx) => {
    // The order first, then the payment: everybody locks in this order.
    const stored = await lockOrder(tx, orderId)
    const changed = await tx
      .update(payments)
      .set({ status })
      .where(and(eq(payments.id, id), eq(payments.status, 'seen')))
      .returning({ id: payments.id })
    if (stored && changed.length) await applyEvents(deps, tx, stored, [{ type, paymentId: id }])
  })
  deps.log.info({ orderId, paymentId: id }, `a payment is ${status}`)
}

/** Writes down that a payment can no longer be reorganised away. */
export const recordConfirmed = (deps: RecordDeps, row: PaymentRow): Promise<void> =>
  settle(deps, row, 'confirmed', 'payment-confirmed')

/** Writes down that a payment is in no block any more. */
export const recordReorganised = (deps: RecordDeps, row: PaymentRow): Promise<void> =>
  settle(deps, row, 'reorganised', 'payment-reorganised-away')
