import { and, asc, eq, inArray, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Address, Hex, PublicClient, TransactionReceipt } from 'viem'
import type { Database, Transaction } from '#base/db/database.js'
import { chainTransactions, sponsoredGas } from '#base/db/tables/index.js'
import { least, most } from '../connection/fees.js'
import { findSigned, lockSender, type SignedTransaction, toHex } from '../outbox/signed.js'
import type { AccountOnChain } from './openGasTopUps.js'
import { findOpenGifts, readOpenGifts, readStates } from './openGasTopUps.js'

type Account = { chain: string; address: Address }

const ofTransaction = eq(chainTransactions.key, sponsoredGas.key)
const isAccount = ({ chain, address }: Account) =>
  and(eq(sponsoredGas.chain, chain), eq(sponsoredGas.account, address))

/** Gas top-ups that are signed, and not recorded as failed. */
const isGiven = or(eq(sponsoredGas.givenWei, 0n), ne(chainTransactions.status, 'reverted'))

const sumUnspent = async (
  db: Database | Transaction,
  account: Account,
  exceptGifts: string[],
): Promise<bigint> => {
  const [sum] = await db
    .select({
      unspentWei: sql<string>`coalesce(sum(${sponsoredGas.givenWei} - ${sponsoredGas.spentWei}), 0)`,
    })
    .from(sponsoredGas)
    .innerJoin(chainTransactions, ofTransaction)
    .where(and(isAccount(account), isGiven, notInArray(sponsoredGas.key, exceptGifts)))
  return BigInt(sum?.unspentWei ?? 0)
}

/**
 * Whether the spending of some call is not recorded yet.
 *
 * @param exceptKey - The key of a call. The check excludes it and all later nonces.
 */
const isSpending = async (
  db: Transaction,
  { chain, address }: Account,
  exceptKey?: string,
): Promise<boolean> => {
  const own = exceptKey === undefined ? undefined : await findSigned(db, exceptKey)
  const [open] = await db
    .select({ key: chainTransactions.key })
    .from(chainTransactions)
    .leftJoin(sponsoredGas, ofTransaction)
    .where(
      and(
        eq(chainTransactions.chain, chain),
        eq(chainTransactions.sender, address),
        isNull(sponsoredGas.key),
        own && lt(chainTransactions.nonce, own.nonce),
      ),
    )
    .limit(1)
  return open !== undefined
}

type Unspent = {
  unspentWei: bigint
  /** Whether the records agree with the chain: no top-up is pending, and the spending of every call is recorded. */
  isSettled: boolean
}

/** Reads how much of an account's coins is unspent gas top-ups. */
const readUnspent = async (account: AccountOnChain, exceptKey?: string): Promise<Unspent> => {
  // One snapshot, so that spending which is recorded meanwhile is either in the sum or still open.
  const { gifts, sumWei, isOpen } = await account.db.transaction(
    async (tx) => ({
      gifts: await findOpenGifts(tx, account),
      sumWei: await sumUnspent(tx, account, []),
      isOpen: await isSpending(tx, account, exceptKey),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  const states = await readStates(account, gifts)
  const failed = states.filter(({ state }) => state === 'failed')
  return {
    unspentWei: failed.reduce((left, { givenWei }) => left - givenWei, sumWei),
    isSettled: !isOpen && states.every(({ state }) => state === 'came' || state === 'failed'),
  }
}

/**
 * Reads something of the chain beside the unspent gas top-ups of an account. They are read before and after, and the
 * greater sum counts, so that coins that arrive or leave meanwhile do not count as the account's own. `isSettled` is
 * false if they differ: then what was found may lack a top-up, or spending, that the sum includes.
 */
export const readWithUnspent = async <Found>(
  account: AccountOnChain,
  read: () => Promise<Found>,
  exceptKey?: string,
): Promise<Unspent & { found: Found }> => {
  const before = await readUnspent(account, exceptKey)
  const found = await read()
  const after = await readUnspent(account, exceptKey)
  const isSame = before.unspentWei === after.unspentWei
  return {
    found,
    unspentWei: most(before.unspentWei, after.unspentWei),
    isSettled: isSame && before.isSettled && after.isSettled,
  }
}

/**
 * Records a gas top-up before it is signed.
 *
 * @returns The amount to send. A key always keeps the amount that was recorded first.
 */
export const recordGift = async (
  { db, chain, address }: AccountOnChain,
  key: string,
  givenWei: bigint,
): Promise<bigint> => {
  const row = { key: `${chain}:${key}`, chain, account: address, givenWei, spentWei: 0n }
  await db.insert(sponsoredGas).values(row).onConflictDoNothing()
  const [known] = await db.select().from(sponsoredGas).where(eq(sponsoredGas.key, row.key))
  return known?.givenWei ?? givenWei
}

/**
 * Returns the whole gas cost of a transaction, including the data fee on chains that write their data to
 * another chain.
 */
const gasCostOf = (receipt: TransactionReceipt & { l1Fee?: Hex | null }): bigint =>
  receipt.gasUsed * receipt.effectiveGasPrice + BigInt(receipt.l1Fee ?? 0)

/** A call that has ended, and its receipt if the caller has it. */
export type EndedCall = { key: string; receipt?: TransactionReceipt | undefined }

/** Returns what a call took from its account for gas, in wei. */
const readCost = async (
  client: PublicClient,
  { txId, blockNumber }: SignedTransaction,
  receipt: TransactionReceipt | undefined,
): Promise<bigint> => {
  // No block includes an abandoned transaction.
  if (blockNumber === null) return 0n
  const hash = toHex(txId)
  const isIt = receipt?.transactionHash === hash
  return gasCostOf(isIt ? receipt : await client.getTransactionReceipt({ hash }))
}

/** Finds those of some calls that have ended, and whose spending is not recorded, in the order of their nonces. */
const findUnrecorded = async (
  db: Database | Transaction,
  keys: readonly string[],
): Promise<SignedTransaction[]> => {
  const rows = await db
    .select({ signed: chainTransactions })
    .from(chainTransactions)
    .leftJoin(sponsoredGas, ofTransaction)
    .where(
      and(
        inArray(chainTransactions.key, [...keys]),
        ne(chainTransactions.status, 'signed'),
        isNull(sponsoredGas.key),
      ),
    )
    .orderBy(asc(chainTransactions.nonce))
  return rows.map(({ signed }) => signed)
}

/** Records, once, how much of its account's gas top-ups each of some ended calls spent. */
export const recordSpends = async (account: AccountOnChain, calls: readonly EndedCall[]): Promise<void> => {
  const { db, client, chain, address } = account
  const receipts = new Map(calls.map(({ key, receipt }) => [`${chain}:${key}`, receipt]))
  const ended = await findUnrecorded(db, [...receipts.keys()])
  const last = ended.at(-1)
  if (!last) return
  const costs = new Map<string, bigint>()
  for (const signed of ended) {
    costs.set(signed.key, await readCost(client, signed, receipts.get(signed.key)))
  }
  // The calls cannot have spent top-ups that have not arrived.
  const gifts = await readOpenGifts(account)
  const absent = gifts.filter(({ state }) => state !== 'came').map(({ key }) => key)
  await db.transaction(async (tx) => {
    await lockSender(tx, { chain, sender: address }, last.nonce + 1)
    let unspentWei = await sumUnspent(tx, account, absent)
    const rows: (typeof sponsoredGas.$inferInsert)[] = []
    // Another process may have recorded some of them.
    for (const { key } of await findUnrecorded(tx, [...costs.keys()])) {
      const spentWei = least(costs.get(key) ?? 0n, most(unspentWei, 0n))
      unspentWei -= spentWei
      rows.push({ key, chain, account: address, givenWei: 0n, spentWei })
    }
    if (rows.length) await tx.insert(sponsoredGas).values(rows).onConflictDoNothing()
  })
}
