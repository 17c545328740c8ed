import { and, asc, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import { type Hex, keccak256 } from 'viem'
import type { Database, Transaction } from '#base/db/database.js'
import { chainAccounts, chainTransactions } from '#base/db/tables/chainTransactions.js'
import { createBatch } from '#base/lib/createBatch.js'
import { createUnknownWrites } from '#base/lib/unknownWrites.js'
import type { WriteOptions } from '#base/ports/write.js'
import { findWrite } from './findWrites.js'
import type { KeptRefusal } from './refusals.js'

/** A transaction that the service has signed, as the database stores it. */
export type SignedTransaction = typeof chainTransactions.$inferSelect

/** Adds the prefix to hex digits as the database stores them. */
export const toHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`

/** Returns every hash under which a transaction may have landed. */
export const hashesOf = ({ txId, otherTxIds }: SignedTransaction): string[] => [
  ...new Set([txId, ...(otherTxIds ?? [])]),
]

type FindSigned = (key: string) => Promise<SignedTransaction | undefined>
const finders = new WeakMap<Database, FindSigned>()

/** Finds the transaction signed under a key. One statement finds all that are asked for at the same moment. */
export const findSigned = (db: Database, key: string): Promise<SignedTransaction | undefined> => {
  const find =
    finders.get(db) ??
    createBatch(async (keys: readonly string[]) => {
      const rows = await db
        .select()
        .from(chainTransactions)
        .where(inArray(chainTransactions.key, [...keys]))
      const byKey = new Map(rows.map((row) => [row.key, row]))
      return keys.map((one) => byKey.get(one))
    })
  finders.set(db, find)
  return find(key)
}

/** Finds the attempts at one write that the chain included and reverted, newest first. */
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

/** The owner of a sequence of nonces on a chain. */
export type Sender = {
  chain: string
  sender: string
  /**
   * Whether nothing is signed once the chain has a nonce that this database did not give out. It was restored from a
   * backup then, or the key was used elsewhere.
   */
  isExclusive?: boolean | undefined
}

/** Returns the nonce that a sender's next transaction gets, or infinity if the database has none of it yet. */
export const readNonce = async (db: Database, { chain, sender }: Sender): Promise<number> => {
  const isOwn = eq(chainAccounts.id, `${chain}:${sender}`)
  return (await db.select().from(chainAccounts).where(isOwn))[0]?.nextNonce ?? Number.POSITIVE_INFINITY
}

/** Throws if a sender's nonces went on without this database. */
export const assertNonce = ({ chain, isExclusive }: Sender, chainNonce: number, nextNonce: number): void => {
  if (isExclusive && chainNonce > nextNonce) throw createUnknownWrites(chain)
}

/**
 * Prevents other processes from signing for a sender, or recording its refusals, until the transaction ends.
 */
export const lockSender = async (
  tx: Transaction,
  { chain, sender }: Sender,
  nextNonce: number,
): Promise<{ nextNonce: number }> => {
  const id = `${chain}:${sender}`
  await tx.insert(chainAccounts).values({ id, nextNonce }).onConflictDoNothing()
  const [account] = await tx.select().from(chainAccounts).where(eq(chainAccounts.id, id)).for('update')
  return { nextNonce: account?.nextNonce ?? 0 }
}

/** A write to sign with the nonce that it gets. */
export type UnsignedWrite = { key: string; sign: (nonce: number) => Promise<Hex> }

/**
 * Signs writes with a nonce and those after it, and stores the bytes under their keys. The caller holds the sender's
 * lock.
 */
export const storeAll = async (
  tx: Transaction,
  { chain, sender }: Sender,
  firstNonce: number,
  writes: readonly UnsignedWrite[],
): Promise<SignedTransaction[]> => {
  const rows: (typeof chainTransactions.$inferInsert)[] = []
  for (const [at, { key, sign }] of writes.entries()) {
    const nonce = firstNonce + at
    const signedTransaction = await sign(nonce)
    const txId = keccak256(signedTransaction)
    rows.push({ key, chain, sender, nonce, signedTransaction, txId, status: 'signed' })
  }
  const stored = await tx.insert(chainTransactions).values(rows).returning()
  await tx
    .update(chainAccounts)
    .set({ nextNonce: firstNonce + writes.length })
    .where(eq(chainAccounts.id, `${chain}:${sender}`))
  return stored.toSorted((one, other) => one.nonce - other.nonce)
}

/** Signs one write in the same way. */
export const storeNext = async (
  tx: Transaction,
  sender: Sender,
  nonce: number,
  write: UnsignedWrite,
): Promise<SignedTransaction> => {
  const [signed] = await storeAll(tx, sender, nonce, [write])
  if (!signed) throw new Error('the database returned no row')
  return signed
}

/**
 * Signs with the sender's next nonce and stores the bytes, in one short database transaction. The lock on the
 * sender's row queues the signers of every process. A second caller with the same key gets the first one's
 * transaction, and a key with a recorded refusal stays refused.
 */
export const signNext = (
  db: Database,
  input: Sender & { key: string; chainNonce: number; assertDue: WriteOptions['assertDue'] },
  sign: (nonce: number) => Promise<Hex>,
): Promise<SignedTransaction | KeptRefusal> =>
  db.transaction(async (tx) => {
    const { nextNonce } = await lockSender(tx, input, input.chainNonce)
    const { outcome } = await findWrite(tx, input.key)
    if (outcome) return outcome
    await input.assertDue?.(tx)
    assertNonce(input, input.chainNonce, nextNonce)
    // The chain is ahead if the sender's key was used before this database existed.
    return storeNext(tx, input, Math.max(nextNonce, input.chainNonce), { key: input.key, sign })
  })

const accountId = ({ chain, sender }: SignedTransaction): string => `${chain}:${sender}`

/** Reads a transaction again and prevents other processes from signing for its sender. */
export const lockSigned = async (tx: Transaction, stale: SignedTransaction) => {
  const ofSender = eq(chainAccounts.id, accountId(stale))
  const [account] = await tx.select().from(chainAccounts).where(ofSender).for('update')
  const [known] = await tx.select().from(chainTransactions).where(eq(chainTransactions.key, stale.key))
  if (!known) throw new Error(`no transaction ${stale.key}`)
  return { known, nextNonce: account?.nextNonce ?? 0 }
}

/** Signs the call under a key with a new nonce, unless it has ended or was already signed again. */
export const renewNonce = (
  db: Database,
  { stale, chainNonce }: { stale: SignedTransaction; chainNonce: number },
  sign: (nonce: number) => Promise<Hex>,
): Promise<SignedTransaction> =>
  db.transaction(async (tx) => {
    const { known, nextNonce } = await lockSigned(tx, stale)
    if (known.txId !== stale.txId || known.status !== 'signed') return known
    const nonce = Math.max(nextNonce, chainNonce)
    const signedTransaction = await sign(nonce)
    // The transactions with the old nonce no longer count: if one of them reverted, the new one would count
    // as failed.
    const renewed = { nonce, signedTransaction, txId: keccak256(signedTransaction), otherTxIds: null }
    await tx.update(chainTransactions).set(renewed).where(eq(chainTransactions.key, stale.key))
    await tx
      .update(chainAccounts)
      .set({ nextNonce: nonce + 1 })
      .where(eq(chainAccounts.id, accountId(stale)))
    return { ...known, ...renewed }
  })

/**
 * Signs again with the nonce of the transaction under a key, unless it has ended or was already signed again.
 *
 * @param failure - Why the original call is abandoned, if another one is signed in its place.
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

/** Returns the transactions signed from a nonce on, in nonce order. */
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
