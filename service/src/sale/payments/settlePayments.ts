import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { payments } from '#base/db/tables/index.js'
import { transactEach } from '#base/db/transactTogether.js'
import { groupBy } from '#base/lib/groupBy.js'
import type { ChainPort } from '#base/ports/chain.js'
import { applyAll } from '../orders/updateOrder.js'
import { findShortfalls, type Shortfalls, shareArrived } from './findShortfalls.js'
import { pack } from './pack.js'
import {
  confirmations,
  lockKnown,
  type PaymentRow,
  paymentsPerWrite,
  type RecordDeps,
} from './recordPayments.js'

type Settlement = { chain: string; status: 'confirmed' | 'reorganised'; shortfalls: Shortfalls }

const settleSome = async (
  deps: RecordDeps,
  tx: Transaction,
  some: readonly { orderId: string; items: readonly PaymentRow[] }[],
  { chain, status, shortfalls }: Settlement,
): Promise<void> => {
  const { locked, known } = await lockKnown(tx, some)
  const changes = some.flatMap(({ orderId, items }) => {
    const stored = locked.get(orderId)
    // A payment that is in another block by now is not the one that was checked.
    const isSame = ({ id, blockHash }: PaymentRow): boolean =>
      known.get(id)?.status === 'seen' && known.get(id)?.blockHash === blockHash
    const own = items.filter(isSame)
    if (!stored || !own.length) return []
    const arrived = shareArrived(shortfalls, chain, stored.order, own)
    return [{ orderId, stored, ids: own.map(({ id }) => id), arrived }]
  })
  if (!changes.length) return
  const ids = changes.flatMap((change) => change.ids)
  await tx
    .update(payments)
    .set({ status })
    .where(and(inArray(payments.id, ids), eq(payments.status, 'seen')))
  for (const [id, units] of changes.flatMap(({ arrived }) => [...arrived]))
    await tx.update(payments).set({ units }).where(eq(payments.id, id))
  const eventsOf = ({ ids, arrived }: (typeof changes)[number]) =>
    status === 'confirmed'
      ? confirmations(ids, arrived)
      : ids.map((paymentId) => ({ type: 'payment-reorganised-away' as const, paymentId }))
  await applyAll(
    deps,
    tx,
    changes.map((change) => ({ stored: change.stored, events: eventsOf(change) })),
  )
  for (const { orderId, ids } of changes)
    for (const paymentId of ids) deps.log.info({ orderId, paymentId }, `a payment is ${status}`)
}

const settle = (deps: RecordDeps, rows: readonly PaymentRow[], settlement: Settlement): Promise<void> => {
  const lists = [...groupBy(rows, (row) => row.orderId)].map(([orderId, items]) => ({ orderId, items }))
  return transactEach(deps.db, pack(lists, paymentsPerWrite), (tx, some) =>
    settleSome(deps, tx, some, settlement),
  )
}

/** Records that payments can no longer be reorganised away, as far as they arrived. */
export const recordConfirmed = async (
  deps: RecordDeps,
  chain: ChainPort,
  rows: readonly PaymentRow[],
): Promise<void> => {
  const paid = rows.map((row) => ({ ...row, units: BigInt(row.units) }))
  const shortfalls = await findShortfalls(deps, chain, paid)
  return settle(deps, rows, { chain: chain.chain, status: 'confirmed', shortfalls })
}

/** Records that no block includes the payments any more. */
export const recordReorganised = (
  deps: RecordDeps,
  chain: ChainPort,
  rows: readonly PaymentRow[],
): Promise<void> => settle(deps, rows, { chain: chain.chain, status: 'reorganised', shortfalls: new Map() })
