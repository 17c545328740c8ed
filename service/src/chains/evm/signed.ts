import { and, asc, eq, gte } from 'drizzle-orm'
import { type Hex, keccak256 } from 'viem'
import type { Database, Transaction } from '../../db/database.js'
import { chainAccounts, chainTransactions } from '../../db/tables/chainTransactions.js'

/** A transaction the service has signed, as the database keeps it. */
export type SignedTransaction = typeof chainTransactions.$inferSelect

/** Hex digits as the database keeps them, with their prefix. */
export const toHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`

/** Every hash under which a transaction may have landed. */
export const hashesOf = ({ txId, otherTxIds }: SignedTransaction): string[] => [
  ...new Set([txId, ...(otherTxIds ?? [])]),
]

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

const accountId = ({ chain, sender }: SignedTransaction): string => `${chain}:${sender}`

/** Reads a transaction anew while nobody else signs with its key. */
const lockSigned = async (tx: Transaction, stale: SignedTransaction) => {
  const ofSender = eq(chainAccounts.id, accountId(stale))
  const [account] = await tx.select().from(chainAccounts).where(ofSender).for('update')
  const [known] = await tx.select().from(chainTransactions).where(eq(chainTransactions.key, stale.key))
  if (!known) throw new Error(`no transaction ${stale.key}`)
  return { known, nextNonce: account?.nextNonce ?? 0 }
}

/** Signs what is kept under a key with a new nonce, unless it has ended or was signed anew already. */
export const renewNonce = (
  db: Database,
  stale: SignedTransaction,
  chainNonce: number,
  sign: (nonce: number) => Promise<Hex>,
): Promise<SignedTransaction> =>
  db.transaction(async (tx) => {
    const { known, nextNonce } = await lockSigned(tx, stale)
    if (known.txId !== stale.txId || known.status !== 'signed') return known
    const nonce = Math.max(nextNonce, chainNonce)
    const signedTransaction = await sign(nonce)
    // What was signed with the old nonce must not count any more: reverted, it would call the new one failed.
    const renewed = { nonce, signedTransaction, txId: keccak256(signedTransaction), otherTxIds: null }
    await tx.update(chainTransactions).set(renewed).where(eq(chainTransactions.key, stale.key))
    await tx
      .update(chainAccounts)
      .set({ nextNonce: nonce + 1 })
      .where(eq(chainAccounts.id, accountId(stale)))
    return { ...known, ...renewed }
  })

/** Signs what is kept under a key once more, with its own nonce, unless it has ended or was signed anew already. */
export const replaceSigned = (
  db: Database,
  stale: SignedTransaction,
  sign: () => Promise<Hex>,
): Promise<SignedTransaction> =>
  db.transaction(async (tx) => {
    const { known } = await lockSigned(tx, stale)
    if (known.txId !== stale.txId || known.status !== 'signed') return known
    const signedTransaction = await sign()
    const replaced = {
      signedTransaction,
      txId: keccak256(signedTransaction),
      otherTxIds: hashesOf(known),
    }
    await tx.update(chainTransactions).set(replaced).where(eq(chainTransactions.key, stale.key))
    return { ...known, ...replaced }
  })

/** Notes how a transaction ended in its block, and under which of its hashes. */
export const finishSigned = (
  db: Database,
  signed: SignedTransaction,
  end: { txId: string; blockNumber: bigint; revertReason: string | undefined },
): Promise<SignedTransaction> =>
  db.transaction(async (tx) => {
    const { known } = await lockSigned(tx, signed)
    const others = hashesOf(known).filter((hash) => hash !== end.txId)
    const ended = {
      status: end.revertReason === undefined ? ('succeeded' as const) : ('reverted' as const),
      blockNumber: end.blockNumber,
      revertReason: end.revertReason ?? null,
      txId: end.txId,
      otherTxIds: others.length ? others : null,
    }
    await tx.update(chainTransactions).set(ended).where(eq(chainTransactions.key, signed.key))
    return { ...known, ...ended }
  })

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
