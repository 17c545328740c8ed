import { and, eq, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Address, Hex, PublicClient, TransactionReceipt } from 'viem'
import type { Database, Transaction } from '../../../db/database.js'
import { chainTransactions, sponsoredGas } from '../../../db/tables/index.js'
import { least, most } from '../fees.js'
import { findSigned, lockSender, toHex } from '../signed.js'
import { readOpenGifts } from './openGifts.js'

/** An account on a chain. */
export type AccountOnChain = { db: Database; client: PublicClient; chain: string; address: Address }

type Account = { chain: string; address: Address }

const ofTransaction = eq(chainTransactions.key, sponsoredGas.key)
const isAccount = ({ chain, address }: Account) =>
  and(eq(sponsoredGas.chain, chain), eq(sponsoredGas.account, address))

/** Gas money that is signed for, and of which it is not written down that it failed. */
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
 * Whether it is yet to be written down what a call has taken, or will take.
 *
 * @param exceptKey - Of a call that neither waits for itself nor for those behind it.
 */
const isSpending = async ({ db, chain, address }: AccountOnChain, exceptKey?: string): Promise<boolean> => {
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

/**
 * Reads how much of an account's coins is gas money that it was given.
 *
 * @returns `isSettled` says whether that is what the chain has it at too: no gas money is on its way, and what every
 * call took is written down.
 */
export const readUnspent = async (
  account: AccountOnChain,
  exceptKey?: string,
): Promise<{ unspentWei: bigint; isSettled: boolean }> => {
  const gifts = await readOpenGifts(account)
  const failed = gifts.filter(({ state }) => state === 'failed').map(({ key }) => key)
  const isOpen = gifts.some(({ state }) => state === 'coming' || state === 'unclear')
  return {
    unspentWei: await sumUnspent(account.db, account, failed),
    isSettled: !isOpen && !(await isSpending(account, exceptKey)),
  }
}

/**
 * Writes down gas money before anything is signed.
 *
 * @returns How much to give: under one key that is always what was written first.
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

/** All that a transaction took for its gas: of chains that write their data to another chain, for that too. */
const gasCostOf = (receipt: TransactionReceipt & { l1Fee?: Hex | null }): bigint =>
  receipt.gasUsed * receipt.effectiveGasPrice + BigInt(receipt.l1Fee ?? 0)

/** Writes down, once, what a call that has ended took of the gas money of its account. */
export const recordSpend = async (account: AccountOnChain, callKey: string): Promise<void> => {
  const { db, client, chain, address } = account
  const signed = await findSigned(db, `${chain}:${callKey}`)
  if (!signed || signed.status === 'signed') return
  const { key, txId, blockNumber } = signed
  const [known] = await db.select().from(sponsoredGas).where(eq(sponsoredGas.key, key))
  if (known) return
  // What was given up is in no block.
  const isInBlock = blockNumber !== null
  const cost = isInBlock ? gasCostOf(await client.getTransactionReceipt({ hash: toHex(txId) })) : 0n
  // Of gas money that has not come yet, it took nothing.
  const gifts = await readOpenGifts(account)
  const absent = gifts.filter(({ state }) => state !== 'came').map(({ key }) => key)
  await db.transaction(async (tx) => {
    await lockSender(tx, { chain, sender: address }, signed.nonce + 1)
    const unspentWei = await sumUnspent(tx, account, absent)
    const spentWei = least(cost, most(unspentWei, 0n))
    const row = { key, chain, account: address, givenWei: 0n, spentWei }
    await tx.insert(sponsoredGas).values(row).onConflictDoNothing()
  })
}
