import { and, eq } from 'drizzle-orm'
import { type OrderEvent, type OrderState, payOutKeyOf, refundKey, sweepKeys } from 'kassa/engine'
import { adoptedWrites, payments, refunds } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { createOrderReader, lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

type Adopted = typeof adoptedWrites.$inferSelect
type Payment = Pick<OrderState['payments'][number], 'id' | 'chain' | 'currency' | 'payer' | 'use'>

const minuteMs = 60_000
/** How often the order of a payout is looked for: for a week, less and less often. */
const maxAttempts = 40
/** More refunds than any order has. */
const maxRefunds = 64

const isOf = ({ chain, currency }: Adopted, payment: Payment): boolean =>
  payment.chain === chain && payment.currency === currency

/**
 * Returns under which key a payout refunded a payment, or `undefined` if it did not: the key names the number of the
 * refund, the payment and the amount.
 */
const findKey = (
  { restore }: Pick<ChainPort, 'restore'>,
  { reference, units }: Adopted,
  orderId: string,
  paymentId: string,
): string | undefined => {
  const numbers = Array.from({ length: maxRefunds }, (_, number) => number)
  return numbers
    .map((number) => refundKey({ orderId, number, paymentId, units: units ?? '' }))
    .find((key) => restore.referencesOf(key).includes(reference))
}

/** Finds the orders whose money a payout may have been. The treasury's refunds name no order. */
const listOrders = async ({ db }: Pick<Deps, 'db'>, chain: ChainPort, row: Adopted): Promise<string[]> => {
  const isSame = and(eq(payments.chain, row.chain), eq(payments.currency, row.currency ?? ''))
  const found = await db.selectDistinct({ orderId: payments.orderId }).from(payments).where(isSame)
  const ids = found.map(({ orderId }) => orderId)
  const own = ids.filter((orderId) => chain.restore.orderReferenceOf(orderId) === row.orderReference)
  return own.length ? own : ids
}

/** Whether an order knows a payout: as a refund of its own, or as its proceeds. */
const knows = ({ restore }: ChainPort, order: OrderState, { reference }: Adopted): boolean =>
  [...order.refunds.map(payOutKeyOf), ...sweepKeys(order)].some((key) =>
    restore.referencesOf(key).includes(reference),
  )

const toEvent = (chain: ChainPort, order: OrderState, row: Adopted): OrderEvent | undefined => {
  for (const payment of order.payments) {
    if (!isOf(row, payment) || payment.use === 'undecided') continue
    const payOutKey = findKey(chain, row, order.orderId, payment.id)
    if (payOutKey === undefined) continue
    const isTreasury = chain.restore.orderReferenceOf(payOutKey) === row.orderReference
    const source = isTreasury ? ({ source: 'treasury' } as const) : {}
    const isElsewhere = row.recipient !== null && row.recipient !== payment.payer
    return {
      type: 'refund-adopted',
      paymentId: payment.id,
      units: row.units ?? '',
      payOutKey,
      txId: row.txId,
      ...source,
      ...(isElsewhere && { sentTo: row.recipient ?? '' }),
    }
  }
  return undefined
}

/** Records a refund in its order, and for the books. Returns whether the order knows it now. */
const record = (deps: Deps, orderId: string, event: OrderEvent): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, orderId)
    if (!stored || event.type !== 'refund-adopted') return false
    const order = await applyEvents(deps, tx, stored, [event])
    const refund = order.refunds[stored.order.refunds.length]
    const payment = order.payments.find(({ id }) => id === event.paymentId)
    if (!refund || !payment) return order !== stored.order
    const { id, payOutKey, paymentId, units, reason, source } = refund
    const { chain, currency, payer } = payment
    const nowAt = new Date(deps.now())
    await tx.insert(refunds).values({
      id,
      payOutKey,
      orderId,
      paymentId,
      chain,
      currency,
      units,
      reason,
      recipient: payer,
      ...(event.sentTo !== undefined && { sentTo: event.sentTo }),
      ...(source && { source }),
      status: 'sent',
      txId: event.txId,
      createdAt: nowAt,
      releasedAt: nowAt,
      releasedBy: 'operator',
    })
    return true
  })

/**
 * Records a payout that was made before the database was restored from a backup, and that no order knows: a refund that
 * the merchant had requested. Whatever else the service pays out, it starts again by itself, and finds it done. The
 * payment may not have been found again yet, so it is looked for again later.
 */
export const adoptRefund =
  (deps: Deps): JobHandler<'orders.adoptRefund'> =>
  async ({ chain: name, reference, attempt }) => {
    const isAsked = and(eq(adoptedWrites.chain, name), eq(adoptedWrites.reference, reference))
    const [row] = await deps.db.select().from(adoptedWrites).where(isAsked)
    const chain = deps.chains.get(name)
    if (!row || !chain) return
    const read = createOrderReader(deps.db)
    for (const orderId of await listOrders(deps, chain, row)) {
      const order = await read(orderId)
      if (!order) continue
      if (knows(chain, order, row)) return
      const event = order.phase === 'completed' ? toEvent(chain, order, row) : undefined
      if (event && (await record(deps, orderId, event))) return
    }
    if (attempt >= maxAttempts) {
      deps.log.warn(
        { chain: name, txId: row.txId },
        'no order knows a payout from before the restored backup',
      )
      return
    }
    const delayMs = Math.min(attempt * attempt * 10_000, 360 * minuteMs)
    await deps.db.transaction((tx) =>
      deps.jobs.enqueue(
        tx,
        'orders.adoptRefund',
        { chain: name, reference, attempt: attempt + 1 },
        { startAfter: new Date(deps.now() + delayMs) },
      ),
    )
  }
