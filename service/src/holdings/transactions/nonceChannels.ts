import { and, eq, isNull, like, or, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { walletNonceChannels, walletTransactions } from '#base/db/tables/index.js'

/** A wallet on a chain. Its transactions there are ordered. */
export type NonceChannel = { walletId: string; chain: string }

/**
 * Selects a channel's pending transactions. Operations abandoned by the owner stay pending until their deadline,
 * and are not selected.
 */
export const isPendingIn = ({ walletId, chain }: NonceChannel) =>
  and(
    eq(walletTransactions.walletId, walletId),
    eq(walletTransactions.chain, chain),
    eq(walletTransactions.status, 'pending'),
    or(isNull(walletTransactions.error), like(walletTransactions.signer, 'evm-kassa-custodial:%')),
  )

const isChannel = ({ walletId, chain }: NonceChannel) =>
  and(eq(walletNonceChannels.walletId, walletId), eq(walletNonceChannels.chain, chain))

/** Reads the likely sequence number of a channel's next transaction. */
export const readNextSequence = async (db: Database, channel: NonceChannel): Promise<bigint> => {
  const [known] = await db.select().from(walletNonceChannels).where(isChannel(channel))
  return known?.nextSequence ?? 0n
}

/** Prevents other processes from numbering or sending a channel's transactions until the transaction ends. */
export const lockNonceChannel = async (
  tx: Transaction,
  channel: NonceChannel,
): Promise<typeof walletNonceChannels.$inferSelect> => {
  await tx
    .insert(walletNonceChannels)
    .values({ ...channel, nextSequence: 0n, nextNonce: 0n })
    .onConflictDoNothing()
  const [locked] = await tx.select().from(walletNonceChannels).where(isChannel(channel)).for('update')
  if (!locked) throw new Error('a channel is gone')
  return locked
}

/**
 * Takes the next sequence numbers of a channel, independently of nonces. Like `lockNonceChannel`, it locks the channel.
 *
 * @returns The first of them.
 */
export const takeSequences = async (
  tx: Transaction,
  { walletId, chain }: NonceChannel,
  count: number,
): Promise<bigint> => {
  const { nextSequence } = walletNonceChannels
  const [taken] = await tx
    .insert(walletNonceChannels)
    .values({ walletId, chain, nextSequence: BigInt(count), nextNonce: 0n })
    .onConflictDoUpdate({
      target: [walletNonceChannels.walletId, walletNonceChannels.chain],
      set: { nextSequence: sql`${nextSequence} + ${count}` },
    })
    .returning({ nextSequence })
  if (!taken) throw new Error('a channel is gone')
  return taken.nextSequence - BigInt(count)
}

/**
 * Takes the next sequence number of a channel, and the nonce of the custodian's next operation. That is the one
 * after the last nonce taken, whether or not that one has landed. A chain with a lower nonce is behind, or
 * was reorganised and receives the operations again. A chain with a higher one has an operation from outside
 * the service.
 */
export const takeNonce = async (
  tx: Transaction,
  channel: NonceChannel,
  chainNonce: bigint,
): Promise<{ sequence: bigint; nonce: bigint }> => {
  const { nextSequence: sequence, nextNonce } = await lockNonceChannel(tx, channel)
  const nonce = chainNonce > nextNonce ? chainNonce : nextNonce
  await tx
    .update(walletNonceChannels)
    .set({ nextSequence: sequence + 1n, nextNonce: nonce + 1n })
    .where(isChannel(channel))
  return { sequence, nonce }
}

/** Releases all nonces from one on, with which nothing was sent. The caller holds the channel's lock. */
export const giveNoncesBack = async (
  tx: Transaction,
  channel: NonceChannel,
  nextNonce: bigint,
): Promise<void> => {
  await tx.update(walletNonceChannels).set({ nextNonce }).where(isChannel(channel))
}
