import { and, eq, isNull, like, or } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { walletLanes, walletTransactions } from '../db/tables/index.js'

/** A wallet on a chain: its transactions there stand in one row. */
export type Lane = { walletId: string; chain: string }

/** Selects a lane's transactions that are on their way. Those of an owner's that were given up wait for their deadline. */
export const isPendingIn = ({ walletId, chain }: Lane) =>
  and(
    eq(walletTransactions.walletId, walletId),
    eq(walletTransactions.chain, chain),
    eq(walletTransactions.status, 'pending'),
    or(isNull(walletTransactions.error), like(walletTransactions.signer, 'evm-kassa-custodial:%')),
  )

const isLane = ({ walletId, chain }: Lane) =>
  and(eq(walletLanes.walletId, walletId), eq(walletLanes.chain, chain))

/** Reads what place the next transaction of a lane is likely to get. */
export const readNextSequence = async (db: Database, lane: Lane): Promise<bigint> => {
  const [known] = await db.select().from(walletLanes).where(isLane(lane))
  return known?.nextSequence ?? 0n
}

/** Keeps everybody else from numbering, and from sending, what a wallet does on a chain. */
export const lockLane = async (tx: Transaction, lane: Lane): Promise<typeof walletLanes.$inferSelect> => {
  await tx
    .insert(walletLanes)
    .values({ ...lane, nextSequence: 0n, nextNonce: 0n })
    .onConflictDoNothing()
  const [locked] = await tx.select().from(walletLanes).where(isLane(lane)).for('update')
  if (!locked) throw new Error('a lane is gone')
  return locked
}

/** Takes the next place in a lane, whatever its nonce. */
export const takeSequence = async (tx: Transaction, lane: Lane): Promise<bigint> => {
  const { nextSequence } = await lockLane(tx, lane)
  await tx
    .update(walletLanes)
    .set({ nextSequence: nextSequence + 1n })
    .where(isLane(lane))
  return nextSequence
}

/**
 * Takes the next place in a lane, and the nonce of the custodian's next operation: the one after the last that was
 * given, however far that has come. A chain that says less is behind, or was reorganised and gets it again; one that
 * says more has taken an operation that somebody else has made.
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

/** Gives nonces back, from one on, that nothing was sent with. The lane is locked. */
export const giveNoncesBack = async (tx: Transaction, lane: Lane, nextNonce: bigint): Promise<void> => {
  await tx.update(walletLanes).set({ nextNonce }).where(isLane(lane))
}
