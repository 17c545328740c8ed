import { and, asc, eq, gte } from 'drizzle-orm'
import { type Hex, keccak256 } from 'viem'
import type { Database } from '../../db/database.js'
import { chainAccounts, chainTransactions } from '../../db/tables/chainTransactions.js'

/** A transaction the service has signed, as the database keeps it. */
export type SignedTransaction = typeof chainTransactions.$inferSelect

/** Finds what was signed under a key. */
export const findSigned = async (db: Database, key: string): Promise<SignedTransaction | undefined> =>
  (await db.select().from(chainTransactions).where(eq(chainTransactions.key, key)))[0]

/**
 * Signs with the sender's next nonce and keeps the bytes, in one short database transaction. The lock on the
 * sender's row puts signers of every process in a queue; whoever comes second with a key gets the first one's.
 */
export const signNext = (
  db: Database,
  input: { key: string; chain: string; sender: string; chainNonce: number },
  sign: (nonce: number) => Promise<Hex>,
): Promise<SignedTransaction> =>
  db.transaction(async (tx) => {
    const { key, chain, sender, chainNonce } = input
    const id = `${chain}:${sender}`
    await tx.insert(chainAccounts).values({ id, nextNonce: chainNonce }).onConflictDoNothing()
    const [account] = await tx.select().from(chainAccounts).where(eq(chainAccounts.id, id)).for('update')
    const [known] = await tx.select().from(chainTransactions).where(eq(chainTransactions.key, key))
    if (known) return known
    // The chain is ahead when the key was used before this database was made.
    const nonce = Math.max(account?.nextNonce ?? 0, chainNonce)
    const signedTransaction = await sign(nonce)
    const row = { key, chain, sender, nonce, signedTransaction, txId: keccak256(signedTransaction) }
    const [signed] = await tx
      .insert(chainTransactions)
      .values({ ...row, status: 'signed' })
      .returning()
    await tx
      .update(chainAccounts)
      .set({ nextNonce: nonce + 1 })
      .where(eq(chainAccounts.id, id))
    if (!signed) throw new Error('the database returned no row')
    return signed
  })

/** Signs what is kept under a key with a new nonce, unless somebody already did. */
export const renewNonce = (
  db: Database,
  input: { key: string; chain: string; sender: string; staleNonce: number; chainNonce: number },
  sign: (nonce: number) => Promise<Hex>,
): Promise<SignedTransaction> =>
  db.transaction(async (tx) => {
    const id = `${input.chain}:${input.sender}`
    const [account] = await tx.select().from(chainAccounts).where(eq(chainAccounts.id, id)).for('update')
    const [known] = await tx.select().from(chainTransactions).where(eq(chainTransactions.key, input.key))
    if (!known) throw new Error(`no transaction ${input.key}`)
    if (known.nonce !== input.staleNonce) return known
    const nonce = Math.max(account?.nextNonce ?? 0, input.chainNonce)
    const signedTransaction = await sign(nonce)
    const renewed = { nonce, signedTransaction, txId: keccak256(signedTransaction) }
    await tx.update(chainTransactions).set(renewed).where(eq(chainTransactions.key, input.key))
    await tx
      .update(chainAccounts)
      .set({ nextNonce: nonce + 1 })
      .where(eq(chainAccounts.id, id))
    return { ...known, ...renewed }
  })

/** Notes how a transaction ended in its block. */
export const finishSigned = async (
  db: Database,
  key: string,
  end: { blockNumber: bigint; revertReason: string | undefined },
): Promise<SignedTransaction> => {
  const [signed] = await db
    .update(chainTransactions)
    .set({
      status: end.revertReason === undefined ? 'succeeded' : 'reverted',
      blockNumber: end.blockNumber,
      revertReason: end.revertReason ?? null,
    })
    .where(eq(chainTransactions.key, key))
    .returning()
  if (!signed) throw new Error(`no transaction ${key}`)
  return signed
}

/** What was signed from a nonce on, in the order in which the chain must take it. */
export const signedFrom = (
  db: Database,
  from: { chain: string; sender: string; nonce: number },
): Promise<SignedTransaction[]> =>
  db
    .select()
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.chain, from.chain),
        eq(chainTransactions.sender, from.sender),
        gte(chainTransactions.nonce, from.nonce),
      ),
    )
    .orderBy(asc(chainTransactions.nonce))

/** Takes back that a transaction has ended: the block that held it is gone. */
export const reopenSigned = async (db: Database, key: string): Promise<void> => {
  await db
    .update(chainTransactions)
    .set({ status: 'signed', blockNumber: null, revertReason: null })
    .where(eq(chainTransactions.key, key))
}
