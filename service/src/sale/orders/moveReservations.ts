import { and, eq, sql } from 'drizzle-orm'
import { type OrderState, sumUnits } from 'kassa/engine'
import { beforeCommit } from '#base/db/commitTasks.js'
import type { Transaction } from '#base/db/database.js'
import { collections, templates } from '#base/db/tables/index.js'
import { isTemplate } from '#goods/collections/allocateTokens.js'
import { addHolds, moveHolds, type ReservedHolds } from './saleCounts.js'

/**
 * Whether the whole price was paid in time, in one payment or several, and some of it waits for confirmations. A part of
 * the price reserves nothing.
 */
const isBeingPaid = ({ payments, payment, quote: { totalUnits, expiresAtMs } }: OrderState): boolean => {
  if (totalUnits === undefined || expiresAtMs === undefined) return false
  const counted = payments.filter(
    ({ use, chain, currency, minedAtMs }) =>
      (use === 'undecided' || use === 'part') &&
      chain === payment.chain &&
      currency === payment.currency &&
      minedAtMs <= expiresAtMs,
  )
  return counted.some(({ use }) => use === 'undecided') && sumUnits(counted) >= BigInt(totalUnits)
}

/** How many tokens of each supply change hands, by the ids of the collection and of its template. */
type Count = { projectId: string; collectionId: string; templateId: string | undefined; count: number }
type Counts = Map<string, Count>

const addCount = (counts: Counts, { count, ...supply }: Count): void => {
  const key = JSON.stringify([supply.projectId, supply.collectionId, supply.templateId])
  counts.set(key, { ...supply, count: (counts.get(key)?.count ?? 0) + count })
}

/** Adds the tokens that an order reserves: those it has paid for, or is paying for in full, without a token id yet. */
const addReserved = (counts: Counts, held: ReservedHolds, order: OrderState, sign: 1 | -1): void => {
  const { projectId, phase, lineItems } = order
  if (phase !== 'delivery' && !(phase === 'payment' && isBeingPaid(order))) return
  for (const item of lineItems) {
    const { collectionId, templateId, quantity, quote, delivery } = item
    const isDue = delivery.status === 'awaiting-payment' || delivery.status === 'in-progress'
    if (quote.status !== 'valid' || !isDue || delivery.tokenIds) continue
    addHolds(held, order, item, sign)
    for (const ofTemplate of new Set([undefined, templateId])) {
      addCount(counts, { projectId, collectionId, templateId: ofTemplate, count: sign * quantity })
    }
  }
}

const writeCounts = async (tx: Transaction, each: readonly Count[]): Promise<void> => {
  const counts: Counts = new Map()
  for (const count of each) addCount(counts, count)
  const moved = [...counts].filter(([, { count }]) => count !== 0)
  // Every transaction locks in one order, and collections before templates, to avoid a deadlock.
  moved.sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [, { projectId, collectionId, templateId, count }] of moved) {
    if (templateId !== undefined) continue
    await tx
      .update(collections)
      .set({ reservedCount: sql`${collections.reservedCount} + ${count}` })
      .where(and(eq(collections.projectId, projectId), eq(collections.id, collectionId)))
  }
  for (const [, { projectId, collectionId, templateId, count }] of moved) {
    if (templateId === undefined) continue
    await tx
      .update(templates)
      .set({ reservedCount: sql`${templates.reservedCount} + ${count}` })
      .where(isTemplate({ projectId, id: collectionId }, templateId))
  }
}

/**
 * Moves the counts of reserved tokens, and of what they count against the limits of sales, with a write of an order, in
 * the same transaction. Most writes move none.
 */
export const moveReservations = async (
  tx: Transaction,
  before: OrderState,
  after: OrderState,
): Promise<void> => {
  const counts: Counts = new Map()
  const held: ReservedHolds = new Map()
  addReserved(counts, held, before, -1)
  addReserved(counts, held, after, 1)
  const moved = [...counts.values()].filter(({ count }) => count !== 0)
  await beforeCommit(tx, writeCounts, ...moved)
  await moveHolds(tx, held)
}
