import { and, asc, desc, eq, gte, sql } from 'drizzle-orm'
import { type Hex, keccak256 } from 'viem'
import type { Database, Transaction } from '../../db/database.js'
import { chainAccounts, chainTransactions } from '../../db/tables/chainTransactions.js'
import type { WriteOptions } from '../walletPort.js'
import { findRefusal, type KeptRefusal } from './refusals.js'

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

/** The attempts at one thing that the chain took and reverted, newest first. */
export const findReverted = (db: Database, key: string): Promise<SignedTransaction[]> =>
  db
    .select()
    .from(chainTransactions)
    .where(
      and(
        eq(sql`split_part(${chainTransactions.key}, '#', 1)`, key),
        eq(chainTransactions.status, 'reverted'),
      ),
    )
    .orderBy(desc(chainTransactions.createdAt))

/** Whose nonces, on which chain. */
export type Sender = { chain: string; sender: string }

/** Keeps every other process from signing with, or refusing for, a sender. */
export const lockSender = async (
  tx: Transaction,
  { chain, sender }: Sender,
  nextNonce: number,
): Promise<{ id: string; nextNonce: number }> => {
  const id = `${chain}:${sender}`
  await tx.insert(chainAccounts).values({ id, nextNonce }).onConflictDoNothing()
  const [account] = await tx.select().from(chainAccounts).where(eq(chainAccounts.id, id)).for('update')
  return { id, nextNonce: account?.nextNonce ?? 0 }
}

/**
 * Signs with the sender's next nonce and keeps the bytes, in one short database transaction. The lock on the
 * sender's row puts signers of every process in a queue; whoever comes second with a key gets the first one's, and
 * what was refused under a key stays refused.
 */
export const signNext = (
  db: Database,
  input: Sender & { key: string; chainNonce: number; assertDue: WriteOptions['assertDue'] },
  sign: (nonce: number) => Promise<Hex>,
): Promise<SignedTransaction | KeptRefusal> =>
  db.transaction(async (tx) => {
    const { key, chain, sender, chainNonce, assertDue } = input
    const { id, nextNonce } = await lockSender(tx, input, chainNonce)
    const [signedBefore] = await tx.select().from(chainTransactions).where(eq(chainTransactions.key, key))
    const known = signedBefore ?? (await findRefusal(tx, key))
    if (known) return known
    await assertDue?.(tx)
    // The chain is ahead when the key was used before this database was made.
    const nonce = Math.max(nextNonce, chainNonce)
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
export const lockSigned = async (tx: Transaction, stale: SignedTransaction) => {
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

/**
 * Signs once more with the nonce of what is kept under a key, unless it has ended or was signed anew already.
 *
 * @param failure - Why what was wanted is given up, when something else is signed in its place.
 */
export const replaceSigned = (
  db: Database,
  stale: SignedTransaction,
  sign: () => Promise<Hex>,
  failure?: string,
): Promise<SignedTransaction> =>
  db.transaction(async (tx) => {
    const { known } = await lockSigned(tx, stale)
    if (known.txId !== stale.txId || known.status !== 'signed') return known
    const signedTransaction = await sign()
    const replaced = {
      signedTransaction,
      txId: keccak256(signedTransaction),
      otherTxIds: hashesOf(known),
      ...(failure !== undefined && { revertReason: failure }),
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
      endedAt: new Date(),
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
