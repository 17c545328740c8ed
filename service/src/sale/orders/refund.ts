import { and, eq, isNotNull, ne, or } from 'drizzle-orm'
import type { OrderEvent } from 'kassa/engine'
import { nextAttemptAtMs, payOutKeyOf } from 'kassa/engine'
import type { Database, Transaction } from '#base/db/database.js'
import { isPaidUnder, payments, type RefundRow, refunds } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { withMutex } from '#base/lib/withMutex.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { attemptKey, type PayOutResult } from '#base/ports/write.js'
import { findOpeningFee } from './refundFee.js'
import { growingDelayMs, refundTurn, releaseRefund } from './releaseRefund.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

const minuteMs = 60_000

const transactWithMutex = (
  { db }: Deps,
  { orderId }: Pick<RefundRow, 'orderId'>,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> => withMutex(refundTurn(orderId), () => db.transaction(work))

/**
 * Returns the changes to a refund's row and its order after an attempt. There are none if it is tried again.
 */
const toOutcome = (
  { id: refundId, attempt }: RefundRow,
  end: PayOutResult,
  againAtMs: number | undefined,
): { change: Partial<RefundRow>; event?: OrderEvent } => {
  if (end.status === 'succeeded') {
    const { txId, feeUnits } = end
    const fee = feeUnits === undefined ? undefined : `${feeUnits}`
    return {
      change: { status: 'sent', txId, failure: null },
      event: { type: 'refund-sent', refundId, txId, ...(fee !== undefined && { fee }) },
    }
  }
  if (end.status === 'credited') {
    const { txId, contract } = end
    return {
      // From now on, it is the address to which the operator sends the credit.
      change: {
        status: 'credited',
        txId,
        sentTo: null,
        failure: `waits in ${contract} for its payer to claim it`,
      },
      event: { type: 'refund-credited', refundId, txId, contract },
    }
  }
  const { reason: failure, txId = null } = end
  if (againAtMs !== undefined) return { change: { attempt: attempt + 1, failure } }
  return {
    change: { status: 'failed', heldAs: 'refused', txId, failure },
    event: { type: 'refund-failed', refundId },
  }
}

/** Records how an attempt ended, unless another process has. A refused one is tried again later. */
const settle = (deps: Deps, row: RefundRow, end: PayOutResult): Promise<void> =>
  transactWithMutex(deps, row, async (tx) => {
    // Every change of a refund is made under the lock of its order.
    const { id: refundId, orderId, attempt } = row
    const stored = await lockOrder(tx, orderId)
    const againAtMs = end.status === 'failed' ? nextAttemptAtMs(attempt, deps.now()) : undefined
    const { change, event } = toOutcome(row, end, againAtMs)
    const isPresent = and(
      eq(refunds.id, refundId),
      eq(refunds.status, 'pending'),
      eq(refunds.attempt, attempt),
    )
    const changed = await tx.update(refunds).set(change).where(isPresent).returning({ id: refunds.id })
    if (!stored || !changed.length) return
    const lookAtMs = end.status === 'credited' ? deps.now() + minuteMs : againAtMs
    if (lookAtMs !== undefined) {
      const startAfter = new Date(lookAtMs)
      await deps.jobs.enqueue(tx, 'orders.refund', { orderId, refundId }, { startAfter })
    }
    if (event) await applyEvents(deps, tx, stored, [event])
  })

/** Records that a credit left its contract, to its payer or to the address that the operator named. */
const settleCredit = (deps: Deps, { id: refundId, orderId }: RefundRow, txId: string): Promise<void> =>
  transactWithMutex(deps, { orderId }, async (tx) => {
    const stored = await lockOrder(tx, orderId)
    const isPresent = and(eq(refunds.id, refundId), eq(refunds.status, 'credited'))
    const sent = { status: 'sent' as const, txId, failure: null }
    const changed = await tx.update(refunds).set(sent).where(isPresent).returning({ id: refunds.id })
    if (stored && changed.length)
      await applyEvents(deps, tx, stored, [{ type: 'refund-sent', refundId, txId }])
  })

/** Records that the operator's address rejects the coins too: the credit waits for another address. */
const refuseCredit = async (deps: Deps, row: RefundRow, reason: string): Promise<void> => {
  const isPresent = and(eq(refunds.id, row.id), eq(refunds.attempt, row.attempt))
  await deps.db.update(refunds).set({ sentTo: null, failure: reason }).where(isPresent)
}

/**
 * Checks whether a credit was claimed, and sends it if the operator named another address. It is checked for
 * as long as it waits.
 */
const followCredit = async (deps: Deps, chain: ChainPort, row: RefundRow): Promise<void> => {
  const { id: refundId, orderId, sentTo, attempt } = row
  const payOutKey = payOutKeyOf(row)
  const claimed = await chain.findCreditPayOut(payOutKey)
  if (claimed !== undefined) return settleCredit(deps, row, claimed)
  if (sentTo !== null) {
    const input = { payOutKey, recipient: sentTo }
    const sent = await chain.payOutCredit(attemptKey(`credit:${payOutKey}`, attempt), input)
    if (sent.status === 'succeeded') return settleCredit(deps, row, sent.txId)
    await refuseCredit(deps, row, sent.reason)
  }
  const delayMs = growingDelayMs(row, deps.now(), { minMs: minuteMs, maxMs: 360 * minuteMs })
  const startAfter = new Date(deps.now() + delayMs)
  await deps.db.transaction((tx) =>
    deps.jobs.enqueue(tx, 'orders.refund', { orderId, refundId }, { startAfter }),
  )
}

/** The error of a refund whose payment a deep reorganisation took back or made smaller. */
class PaymentLostError extends Error {}

/**
 * Returns why a payment does not pay for the refunds of it that are on their way or were sent, or `undefined` if it does.
 * The order's other payments would pay for the rest otherwise.
 */
const explainUnpaid = async (
  db: Database | Transaction,
  { id, orderId, paymentId }: Pick<RefundRow, 'id' | 'orderId' | 'paymentId'>,
): Promise<string | undefined> => {
  const known = { status: payments.status, units: payments.units }
  // A loss that is being recorded waits until the refund is signed, or the refund until the loss is recorded.
  const [paid] = await db.select(known).from(payments).where(eq(payments.id, paymentId)).for('share')
  if (!paid) return undefined
  if (paid.status === 'lost') return `the payment ${paymentId} was taken back`
  const isReleased = or(eq(refunds.id, id), and(isNotNull(refunds.releasedAt), ne(refunds.status, 'failed')))
  const released = await db
    .select({ units: refunds.units })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), eq(refunds.paymentId, paymentId), isReleased))
  const due = released.reduce((sum, { units }) => sum + BigInt(units), 0n)
  if (due <= BigInt(paid.units)) return undefined
  return `the payment ${paymentId} is of ${paid.units} only, and ${due} would go back`
}

/** Asserts, before a refund is signed, that its payment is still on the chain, and brought as much. */
const assertPaid =
  (row: RefundRow) =>
  async (tx: Transaction): Promise<void> => {
    const reason = await explainUnpaid(tx, row)
    if (reason !== undefined) throw new PaymentLostError(reason)
  }

/**
 * Returns why a signed refund must not be signed again, or `undefined` if its payment is on the chain and brought as
 * much.
 *
 * @param key - The first key of a write, of a refund or of anything else.
 */
export const explainLostPayment = async (db: Database, key: string): Promise<string | undefined> => {
  const [row] = await db.select().from(refunds).where(isPaidUnder(key))
  return row && explainUnpaid(db, row)
}

/** Plans the next attempt at a refund whose payment is lost: the chain may include the payment again. */
const awaitPayment = ({ db, jobs, now }: Deps, row: RefundRow): Promise<void> => {
  const { id: refundId, orderId } = row
  const delayMs = growingDelayMs(row, now(), { minMs: minuteMs, maxMs: 360 * minuteMs })
  const startAfter = new Date(now() + delayMs)
  return db.transaction((tx) => jobs.enqueue(tx, 'orders.refund', { orderId, refundId }, { startAfter }))
}

/**
 * Returns a refund that may be sent, with where it goes, or `undefined` if it waits. Another run of the same job may have released it
 * meanwhile. That run may end before it has sent the refund, so this one sends it too, under the same key, unless that
 * run's attempt is over.
 */
const findReleased = async (deps: Deps, chain: ChainPort, row: RefundRow): Promise<RefundRow | undefined> => {
  if (row.releasedAt !== null) return row
  const released = await releaseRefund(deps, chain, row)
  if (released) return released
  const [present] = await deps.db.select().from(refunds).where(eq(refunds.id, row.id))
  const isOver = present?.status !== 'pending' || present.attempt !== row.attempt
  return present?.releasedAt && !isOver ? present : undefined
}

/**
 * Refunds all or part of a payment to its payer or to the address that was named, once however often it runs: the
 * refund's payout key is the first key of every attempt. If the payer could not receive it, it is followed until it is
 * claimed. While its payment is lost, it is not signed.
 */
export const sendRefund =
  (deps: Deps): JobHandler<'orders.refund'> =>
  async ({ orderId, refundId }) => {
    const [row] = await deps.db.select().from(refunds).where(eq(refunds.id, refundId))
    if (!row || row.status === 'sent' || row.status === 'failed') return
    const chain = deps.chains.get(row.chain)
    if (!chain) throw new Error(`${row.chain} is no longer enabled`)
    await chain.ready()
    if (row.status === 'credited') return followCredit(deps, chain, row)
    const due = await findReleased(deps, chain, row)
    if (!due) return
    const { currency, attempt } = due
    const input = {
      orderId,
      currency,
      units: BigInt(due.units),
      recipient: due.sentTo ?? due.recipient,
      isFromTreasury: due.source === 'treasury',
    }
    const terms = { assertDue: assertPaid(due) }
    const feeUnits = await findOpeningFee(deps, chain, input)
    const write = { ...input, ...(feeUnits > 0n && { feeUnits }) }
    const sent = await chain.refund(attemptKey(payOutKeyOf(due), attempt), write, terms).catch((error) => {
      if (error instanceof PaymentLostError) return undefined
      throw error
    })
    if (!sent) return awaitPayment(deps, due)
    if (sent.status === 'failed') {
      deps.log.error({ orderId, refundId, attempt, reason: sent.reason }, 'the chain refused a refund')
    }
    await settle(deps, due, sent)
  }
