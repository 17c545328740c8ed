import { and, eq, inArray, sql } from 'drizzle-orm'
import type { OrderEvent } from 'kassa/engine'
import type { Transaction } from '../db/database.js'
import { payments } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { EmitDeps } from '../orders/emitOrderEvents.js'
import { lockOrder } from '../orders/store.js'
import { applyEvents } from '../orders/updateOrder.js'
import type { ChainPort } from '../ports/chain.js'
import type { FoundPayment } from './findPayments.js'
import { chunk, groupBy } from './groupBy.js'

type RecordDeps = EmitDeps & Pick<Deps, 'db' | 'log'>

/** A payment as the database stores it. */
export type PaymentRow = typeof payments.$inferSelect

/** How many payments of an order are written at once, because each write rewrites the whole order. */
const paymentsPerWrite = 1000

/** Whether a found payment is unknown, or its block has changed. */
export const isNews = (
  known: Pick<PaymentRow, 'status' | 'blockHash'> | undefined,
  { block }: FoundPayment,
): boolean =>
  !known ||
  known.status === 'reorganised' ||
  known.status === 'lost' ||
  (known.status === 'seen' && known.blockHash !== block.hash)

const readKnown = async (tx: Transaction, ids: string[]): Promise<Map<string, PaymentRow>> => {
  const rows = await tx.select().from(payments).where(inArray(payments.id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

/** In another block the same transaction may have had other effects, so nothing of the old row is kept. */
const asFound = {
  logIndex: sql`excluded.log_index`,
  payer: sql`excluded.payer`,
  units: sql`excluded.units`,
  blockNumber: sql`excluded.block_number`,
  blockHash: sql`excluded.block_hash`,
  minedAt: sql`excluded.mined_at`,
  status: sql`excluded.status`,
}

/** Records payments of an order found in blocks, or the change of their blocks. */
export const recordPayments = async (
  deps: RecordDeps,
  chain: ChainPort,
  orderId: string,
  found: readonly FoundPayment[],
): Promise<void> => {
  const decimals = new Map(chain.currencies.map((known) => [known.currency, known.decimals]))
  for (const some of chunk(found, paymentsPerWrite)) {
    await deps.db.transaction(async (tx) => {
      const stored = await lockOrder(tx, orderId)
      const known = await readKnown(
        tx,
        some.map(({ id }) => id),
      )
      const news = some.filter((seen) => isNews(known.get(seen.id), seen))
      if (!stored || !news.length) return
      const rows = news.map(({ block, units, ...payment }) => ({
        ...{ ...payment, orderId, chain: chain.chain, units: `${units}`, status: 'seen' as const },
        ...{ blockNumber: block.number, blockHash: block.hash, minedAt: new Date(block.timestampMs) },
      }))
      await tx.insert(payments).values(rows).onConflictDoUpdate({ target: payments.id, set: asFound })
      const events = news.flatMap(({ id, currency, units, payer, txId, block }): OrderEvent[] => {
        const before = known.get(id)
        const isMoved = before !== undefined && before.blockHash !== block.hash
        const amount = {
          chain: chain.chain,
          currency,
          decimals: decimals.get(currency) ?? 0,
          units: `${units}`,
        }
        const payment = { id, ...amount, payer, txId, minedAtMs: block.timestampMs }
        return [
          ...(isMoved ? [{ type: 'payment-reorganised-away' as const, paymentId: id }] : []),
          { type: 'payment-seen', payment },
        ]
      })
      await applyEvents(deps, tx, stored, events)
      for (const { txId, currency, units } of rows) {
        deps.log.info({ orderId, chain: chain.chain, txId, units, currency }, 'a payment was seen')
      }
    })
  }
}

const settleSome = (
  deps: RecordDeps,
  orderId: string,
  rows: readonly PaymentRow[],
  status: 'confirmed' | 'reorganised',
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    // Every process locks in this order: the order first, then its payments.
    const stored = await lockOrder(tx, orderId)
    const known = await readKnown(
      tx,
      rows.map(({ id }) => id),
    )
    const ids = rows
      // A payment that is in another block by now is not the one that was checked.
      .filter(
        ({ id, blockHash }) => known.get(id)?.status === 'seen' && known.get(id)?.blockHash === blockHash,
      )
      .map(({ id }) => id)
    if (!stored || !ids.length) return
    await tx
      .update(payments)
      .set({ status })
      .where(and(inArray(payments.id, ids), eq(payments.status, 'seen')))
    const type =
      status === 'confirmed' ? ('payment-confirmed' as const) : ('payment-reorganised-away' as const)
    await applyEvents(
      deps,
      tx,
      stored,
      ids.map((paymentId) => ({ type, paymentId })),
    )
    for (const paymentId of ids) deps.log.info({ orderId, paymentId }, `a payment is ${status}`)
  })

const settle = async (
  deps: RecordDeps,
  rows: readonly PaymentRow[],
  status: 'confirmed' | 'reorganised',
): Promise<void> => {
  for (const [orderId, own] of groupBy(rows, (row) => row.orderId)) {
    for (const some of chunk(own, paymentsPerWrite)) await settleSome(deps, orderId, some, status)
  }
}

/** Records that payments can no longer be reorganised away. */
export const recordConfirmed = (deps: RecordDeps, rows: readonly PaymentRow[]): Promise<void> =>
  settle(deps, rows, 'confirmed')

/** Records that no block includes the payments any more. */
export const recordReorganised = (deps: RecordDeps, rows: readonly PaymentRow[]): Promise<void> =>
  settle(deps, rows, 'reorganised')
