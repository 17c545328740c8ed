import { and, eq, isNull, like, or } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { walletLanes, walletTransactions } from '../db/tables/index.js'

/** A wallet on a chain. Its transactions there are ordered. */
export type Lane = { walletId: string; chain: string }

/**
 * Selects a lane's pending transactions. Operations abandoned by the owner stay pending until their deadline,
 * and are not selected.
 */
export const isPendingIn = ({ walletId, chain }: Lane) =>
  and(
    eq(walletTransactions.walletId, walletId),
    eq(walletTransactions.chain, chain),
    eq(walletTransactions.status, 'pending'),
    or(isNull(walletTransactions.error), like(walletTransactions.signer, 'evm-kassa-custodial:%')),
  )

const isLane = ({ walletId, chain }: Lane) =>
  and(eq(walletLanes.walletId, walletId), eq(walletLanes.chain, chain))

/** Reads the likely sequence number of a lane's next transaction. */
export const readNextSequence = async (db: Database, lane: Lane): Promise<bigint> => {
  const [known] = await db.select().from(walletLanes).where(isLane(lane))
  return known?.nextSequence ?? 0n
}

/** Prevents other processes from numbering or sending a lane's transactions until the transaction ends. */
export const lockLane = async (tx: Transaction, lane: Lane): Promise<typeof walletLanes.$inferSelect> => {
  await tx
    .insert(walletLanes)
    .values({ ...lane, nextSequence: 0n, nextNonce: 0n })
    .onConflictDoNothing()
  const [locked] = await tx.select().from(walletLanes).where(isLane(lane)).for('update')
  if (!locked) throw new Error('a lane is gone')
  return locked
}

/** Takes the next sequence number of a lane, independently of nonces. */
export const takeSequence = async (tx: Transaction, lane: Lane): Promise<bigint> => {
  const { nextSequence } = await lockLane(tx, lane)
  await tx
    .update(walletLanes)
    .set({ nextSequence: nextSequence + 1n })
    .where(isLane(lane))
  return nextSequence
}

/**
 * Takes the next sequence number of a lane, and the nonce of the custodian's next operation. That is the one
 * after the last nonce taken, whether or not that one has landed. A chain with a lower nonce is behind, or
 * was reorganised and receives the operations again. A chain with a higher one has an operation from outside
 * the service.
 */
export const takeNonce = async (
  tx: Transaction,
  lane: Lane,
  chainNonce: bigint,
): Promise<{ sequence: bigint; nonce: bigint }> => {
  const { nextSequence: sequence, nextNonce } = await lockLane(tx, lane)
  const nonce = chainNonce > nextNonce ? chainNonce : nextNonce
  await tx
    .update(walletLanes)
    .set({ nextSequence: sequence + 1n, nextNonce: nonce + 1n })
    .where(isLane(lane))
  return { sequence, nonce }
}

/** Releases all nonces from one on, with which nothing was sent. The caller holds the lane's lock. */
export const giveNoncesBack = async (tx: Transaction, lane: Lane, nextNonce: bigint): Promise<void> => {
  await tx.update(walletLanes).set({ nextNonce }).where(isLane(lane))
}
