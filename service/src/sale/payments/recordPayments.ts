import { sql } from 'drizzle-orm'
import type { OrderEvent, OrderState } from 'kassa/engine'
import { createStatement } from '#base/db/createStatement.js'
import type { Transaction } from '#base/db/database.js'
import { payments } from '#base/db/tables/index.js'
import { transactEach } from '#base/db/transactTogether.js'
import { createInsert } from '#base/db/writeRows.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { EmitDeps } from '../orders/emitOrderEvents.js'
import { lockOrders } from '../orders/store.js'
import { applyAll } from '../orders/updateOrder.js'
import type { FoundPayment } from './findPayments.js'
import { findShortfalls, type Shortfalls, shareArrived } from './findShortfalls.js'
import { pack } from './pack.js'

/** What recording payments needs. */
export type RecordDeps = EmitDeps & Pick<Deps, 'db' | 'log'>

/** A payment as the database stores it. */
export type PaymentRow = typeof payments.$inferSelect

/** How many payments one transaction writes. */
export const paymentsPerWrite = 1000

/** Whether a found payment is unknown, or its block has changed. */
export const isNews = (
  known: Pick<PaymentRow, 'status' | 'blockHash'> | undefined,
  { block }: FoundPayment,
): boolean =>
  !known ||
  known.status === 'reorganised' ||
  known.status === 'lost' ||
  (known.status === 'seen' && known.blockHash !== block.hash)

const readRows = createStatement('payments_read', (tx) =>
  tx
    .select()
    .from(payments)
    .where(sql`${payments.id} = any(${sql.placeholder('ids')})`),
)

const readKnown = async (tx: Transaction, ids: string[]): Promise<Map<string, PaymentRow>> =>
  new Map((await readRows(tx, { ids })).map((row) => [row.id, row]))

/** Locks orders, and reads which of their payments are known. Every process locks orders first, then their payments. */
export const lockKnown = async (
  tx: Transaction,
  some: readonly { orderId: string; items: readonly { id: string }[] }[],
) => ({
  locked: await lockOrders(
    tx,
    some.map(({ orderId }) => orderId),
  ),
  known: await readKnown(
    tx,
    some.flatMap(({ items }) => items.map(({ id }) => id)),
  ),
})

const asFound = ['logIndex', 'payer', 'units', 'blockNumber', 'blockHash', 'minedAt', 'status'] as const

/** In another block the same transaction may have had other effects, so nothing of the old row is kept. */
const writeRows = createInsert(
  payments,
  ['id', 'orderId', 'chain', 'txId', 'currency', 'target', ...asFound],
  { target: ['id'], set: asFound },
)

/**
 * Returns whom a refund of a payment goes to. If the account that paid did not sign, it may be a program's, such as
 * a pool in which the order's payer swapped tokens. A refund there would be lost, so it goes to the order's payer
 * if that signed.
 */
const payerOf = (
  { payer, signers }: Pick<FoundPayment, 'payer' | 'signers'>,
  { payerAddress }: { payerAddress?: string },
): string => {
  if (!signers || signers.includes(payer) || payerAddress === undefined) return payer
  return signers.includes(payerAddress) ? payerAddress : payer
}

type Recorded = typeof payments.$inferInsert

/** What is known of a chain's payments apart from the payments themselves. */
type ChainTerms = { chain: ChainPort; finalBlock: bigint | undefined; shortfalls: Shortfalls }

/** Returns the events that confirm payments. */
export const confirmations = (
  ids: readonly string[],
  arrived: ReadonlyMap<string, string>,
): Extract<OrderEvent, { type: 'payment-confirmed' }>[] =>
  ids.map((paymentId) => {
    const arrivedUnits = arrived.get(paymentId)
    return { type: 'payment-confirmed', paymentId, ...(arrivedUnits !== undefined && { arrivedUnits }) }
  })

/** Finds what payments of an order change: the rows to write, and the events of the order. */
const findChange = (
  { chain, finalBlock, shortfalls }: ChainTerms,
  order: OrderState,
  { found, known }: { found: readonly FoundPayment[]; known: ReadonlyMap<string, PaymentRow> },
): { rows: Recorded[]; events: OrderEvent[] } => {
  const decimals = new Map(chain.currencies.map((known) => [known.currency, known.decimals]))
  const news = found
    .filter((seen) => isNews(known.get(seen.id), seen))
    .map((seen) => {
      const { signers: _, ...payment } = seen
      return { ...payment, payer: payerOf(seen, order.payment) }
    })
  // A payment that waits for its confirmation came first, and is decided about first.
  const isFirst = order.payments.every(({ use }) => use !== 'undecided')
  const mayConfirm = finalBlock !== undefined && isFirst
  const rows = news.map(({ block, units, ...payment }) => ({
    ...payment,
    orderId: order.orderId,
    chain: chain.chain,
    units: `${units}`,
    status: mayConfirm && block.number <= finalBlock ? ('confirmed' as const) : ('seen' as const),
    blockNumber: block.number,
    blockHash: block.hash,
    minedAt: new Date(block.timestampMs),
  }))
  const seen = news.flatMap(({ id, currency, units, payer, txId, block }): OrderEvent[] => {
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
  const confirmed = rows.filter(({ status }) => status === 'confirmed')
  const arrived = shareArrived(shortfalls, chain.chain, order, confirmed)
  const ids = confirmed.map(({ id }) => id)
  return {
    rows: rows.map((row) => ({ ...row, units: arrived.get(row.id) ?? row.units })),
    events: [...seen, ...confirmations(ids, arrived)],
  }
}

/** Payments by their orders, and the last block that cannot be reorganised away, if it is known. */
type OrderPayments = {
  byOrder: ReadonlyMap<string, readonly FoundPayment[]>
  finalBlock: bigint | undefined
}

/**
 * Records payments of orders found in blocks, or the change of their blocks. Those in final blocks are confirmed at
 * once. Orders whose payments are found together share a transaction.
 */
export const recordPayments = async (
  deps: RecordDeps,
  chain: ChainPort,
  { byOrder, finalBlock }: OrderPayments,
): Promise<void> => {
  const lists = [...byOrder].map(([orderId, items]) => ({ orderId, items }))
  const final = lists.flatMap(({ orderId, items }) =>
    items.flatMap(({ id, currency, units, block }) =>
      finalBlock !== undefined && block.number <= finalBlock
        ? [{ id, orderId, currency, units, blockNumber: block.number }]
        : [],
    ),
  )
  const shortfalls = await findShortfalls(deps, chain, final)
  await transactEach(deps.db, pack(lists, paymentsPerWrite), async (tx, some) => {
    const { locked, known } = await lockKnown(tx, some)
    const changes = some.flatMap(({ orderId, items }) => {
      const stored = locked.get(orderId)
      if (!stored) return []
      const change = findChange({ chain, finalBlock, shortfalls }, stored.order, { found: items, known })
      return change.rows.length ? [{ stored, ...change }] : []
    })
    const rows = changes.flatMap((change) => change.rows)
    if (!rows.length) return
    await writeRows(tx, rows)
    await applyAll(deps, tx, changes)
    for (const { orderId, txId, currency, units } of rows) {
      deps.log.info({ orderId, chain: chain.chain, txId, units, currency }, 'a payment was seen')
    }
  })
}
