import { and, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex, type PublicClient, type TransactionReceipt } from 'viem'
import type { Database, Transaction } from '../../../db/database.js'
import { chainTransactions, sponsoredGas } from '../../../db/tables/index.js'
import { least } from '../fees.js'
import { findSigned, lockSender, toHex } from '../signed.js'

/** An account on a chain. */
export type AccountOnChain = { db: Database; client: PublicClient; chain: string; address: Address }

type Account = { chain: string; address: Address }

const ofTransaction = eq(chainTransactions.key, sponsoredGas.key)
const isAccount = ({ chain, address }: Account) =>
  and(eq(sponsoredGas.chain, chain), eq(sponsoredGas.account, address))

/** Gas money that is signed for, and has not failed to come. */
const isGiven = or(eq(sponsoredGas.givenWei, 0n), ne(chainTransactions.status, 'reverted'))

const sumUnspent = async (db: Database | Transaction, account: Account): Promise<bigint> => {
  const [sum] = await db
    .select({
      unspentWei: sql<string>`coalesce(sum(${sponsoredGas.givenWei} - ${sponsoredGas.spentWei}), 0)`,
    })
    .from(sponsoredGas)
    .innerJoin(chainTransactions, ofTransaction)
    .where(and(isAccount(account), isGiven))
  return BigInt(sum?.unspentWei ?? 0)
}

/** Whether gas money that is signed for is in no block yet. */
const isComing = async ({ db, client, chain, address }: AccountOnChain): Promise<boolean> => {
  const gifts = await db
    .select({ sender: chainTransactions.sender, nonce: chainTransactions.nonce })
    .from(sponsoredGas)
    .innerJoin(chainTransactions, ofTransaction)
    .where(
      and(
        isAccount({ chain, address }),
        gt(sponsoredGas.givenWei, 0n),
        eq(chainTransactions.status, 'signed'),
      ),
    )
  for (const { sender, nonce } of gifts) {
    if (nonce >= (await client.getTransactionCount({ address: getAddress(sender) }))) return true
  }
  return false
}

/** Whether it is yet to be written down what a call has taken, or will take. */
const isSpending = async ({ db, chain, address }: AccountOnChain, exceptKey?: string): Promise<boolean> => {
  const [open] = await db
    .select({ key: chainTransactions.key })
    .from(chainTransactions)
    .leftJoin(sponsoredGas, ofTransaction)
    .where(
      and(
        eq(chainTransactions.chain, chain),
        eq(chainTransactions.sender, address),
        isNull(sponsoredGas.key),
        exceptKey === undefined ? undefined : ne(chainTransactions.key, exceptKey),
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
  const isOpen = (await isComing(account)) || (await isSpending(account, exceptKey))
  return { unspentWei: await sumUnspent(account.db, account), isSettled: !isOpen }
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
  await db.transaction(async (tx) => {
    await lockSender(tx, { chain, sender: address }, signed.nonce + 1)
    const unspentWei = await sumUnspent(tx, account)
    const row = { key, chain, account: address, givenWei: 0n, spentWei: least(cost, unspentWei) }
    await tx.insert(sponsoredGas).values(row).onConflictDoNothing()
  })
}
