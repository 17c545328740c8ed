import { and, eq, inArray, sql } from 'drizzle-orm'
import { type AskedTerms, listHolds, type OrderState, type SaleHold } from 'kassa/engine'
import { beforeCommit } from '#base/db/commitTasks.js'
import type { Database, Transaction } from '#base/db/database.js'
import { saleCounts, wallets } from '#base/db/tables/index.js'
import { emailLocator } from '#identity/wallets/custodialWallet.js'

type CollectionId = { projectId: string; id: string }

const isOf = ({ projectId, id }: CollectionId) =>
  and(eq(saleCounts.projectId, projectId), eq(saleCounts.collectionId, id))

/**
 * Returns what a limit by wallet counts: the user of a wallet that the service keeps, or the address. A buyer who
 * names an e-mail address once and the wallet behind it the next time is the same buyer.
 */
export const findWalletKey = async (
  db: Database,
  { projectId, recipient }: Pick<AskedTerms, 'projectId' | 'recipient'>,
  address: string | undefined,
): Promise<string | undefined> => {
  if (recipient?.email !== undefined) return emailLocator(recipient.email)
  if (address === undefined) return undefined
  const isIt = and(eq(wallets.projectId, projectId), eq(wallets.address, address))
  const [wallet] = await db.select({ user: wallets.userLocator }).from(wallets).where(isIt)
  return wallet?.user ?? address
}

/** Reads what counts against limits of a sale already, by key. */
export const readHeld = async (
  db: Database,
  collection: CollectionId,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (!keys.length) return new Map()
  const { key, allocatedCount, reservedCount } = saleCounts
  const rows = await db
    .select({ key, allocatedCount, reservedCount })
    .from(saleCounts)
    .where(and(isOf(collection), inArray(key, [...keys])))
  return new Map(rows.map((row) => [row.key, row.allocatedCount + row.reservedCount]))
}

/** All transactions lock in one order, to avoid a deadlock. */
const inOrder = (holds: readonly SaleHold[]): SaleHold[] =>
  [...holds].sort((one, other) => (one.key < other.key ? -1 : 1))

const add = async (
  tx: Transaction,
  { projectId, id }: CollectionId,
  { key, max, count }: SaleHold,
): Promise<boolean> => {
  if (count > max) return false
  const { allocatedCount } = saleCounts
  const rows = await tx
    .insert(saleCounts)
    .values({ projectId, collectionId: id, key, allocatedCount: count })
    .onConflictDoUpdate({
      target: [saleCounts.projectId, saleCounts.collectionId, saleCounts.key],
      set: { allocatedCount: sql`${allocatedCount} + ${count}` },
      setWhere: sql`${allocatedCount} + ${count} <= ${max}`,
    })
    .returning({ key: saleCounts.key })
  return rows.length > 0
}

/**
 * Counts a line item that is about to be delivered against the limits of its sale. The count and its comparison with
 * the limit are one statement, so that concurrent deliveries never exceed it, and the first to come is served.
 *
 * @returns Whether every limit has room. If not, nothing is counted.
 */
export const takeHolds = async (
  tx: Transaction,
  collection: CollectionId,
  holds: readonly SaleHold[],
): Promise<boolean> => {
  const taken: SaleHold[] = []
  for (const hold of inOrder(holds)) {
    if (await add(tx, collection, hold)) {
      taken.push(hold)
      continue
    }
    await releaseHolds(tx, collection, taken)
    return false
  }
  return true
}

/** Takes back the count of a line item that could not be delivered. */
export const releaseHolds = async (
  tx: Transaction,
  collection: CollectionId,
  holds: readonly SaleHold[],
): Promise<void> => {
  for (const { key, count } of inOrder(holds)) {
    await tx
      .update(saleCounts)
      .set({ allocatedCount: sql`greatest(0, ${saleCounts.allocatedCount} - ${count})` })
      .where(and(isOf(collection), eq(saleCounts.key, key)))
  }
}

/** Sets the count of what paid orders reserve against a limit. */
export const setReserved = async (
  tx: Transaction,
  limit: { projectId: string; collectionId: string; key: string },
  reservedCount: number,
): Promise<void> => {
  await tx
    .insert(saleCounts)
    .values({ ...limit, reservedCount })
    .onConflictDoUpdate({
      target: [saleCounts.projectId, saleCounts.collectionId, saleCounts.key],
      set: { reservedCount },
    })
}

/** What line items reserve against a limit of a collection. */
type ReservedHold = { projectId: string; collectionId: string; key: string; count: number }

/** What line items reserve against limits, by collection and key. */
export type ReservedHolds = Map<string, ReservedHold>

const addHold = (counts: ReservedHolds, { count, ...limit }: ReservedHold): void => {
  const name = JSON.stringify([limit.projectId, limit.collectionId, limit.key])
  counts.set(name, { ...limit, count: (counts.get(name)?.count ?? 0) + count })
}

/** Adds what a line item reserves. */
export const addHolds = (
  counts: ReservedHolds,
  order: OrderState,
  item: OrderState['lineItems'][number],
  sign: 1 | -1,
): void => {
  const { projectId } = order
  const { collectionId } = item
  for (const { key, count } of listHolds(item, order)) {
    addHold(counts, { projectId, collectionId, key, count: sign * count })
  }
}

const writeHolds = async (tx: Transaction, each: readonly ReservedHold[]): Promise<void> => {
  const counts: ReservedHolds = new Map()
  for (const hold of each) addHold(counts, hold)
  const moved = [...counts].filter(([, { count }]) => count !== 0)
  moved.sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [, { projectId, collectionId, key, count }] of moved) {
    await tx
      .insert(saleCounts)
      .values({ projectId, collectionId, key, reservedCount: Math.max(0, count) })
      .onConflictDoUpdate({
        target: [saleCounts.projectId, saleCounts.collectionId, saleCounts.key],
        set: { reservedCount: sql`greatest(0, ${saleCounts.reservedCount} + ${count})` },
      })
  }
}

/** Moves the counts of what paid orders reserve, before the transaction commits. */
export const moveHolds = (tx: Transaction, counts: ReservedHolds): Promise<void> =>
  beforeCommit(tx, writeHolds, ...[...counts.values()].filter(({ count }) => count !== 0))
