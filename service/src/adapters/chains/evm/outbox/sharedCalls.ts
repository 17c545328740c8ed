import { eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '#base/db/database.js'
import { sharedCalls } from '#base/db/tables/chainTransactions.js'
import type { WriteOptions } from '#base/ports/write.js'
import { findWrites } from './findWrites.js'
import type { KeptRefusal } from './refusals.js'
import { assertNonce, lockSender, type Sender, type SignedTransaction, storeNext } from './signed.js'

const mark = 'shared:'

/** Returns the key of a transaction that calls share. */
export const sharedKey = (chain: string, id: string): string => `${chain}:${mark}${id}`

/** Whether a transaction is shared by the calls of several writes. */
export const isShared = ({ chain, key }: Pick<SignedTransaction, 'chain' | 'key'>): boolean =>
  key.startsWith(`${chain}:${mark}`)

/** Lists the keys of the writes that share a transaction. */
export const listSharers = async (db: Database, transactionKey: string): Promise<string[]> => {
  const rows = await db
    .select({ key: sharedCalls.key })
    .from(sharedCalls)
    .where(eq(sharedCalls.transactionKey, transactionKey))
  return rows.map(({ key }) => key)
}

/** A write whose call is to share a transaction. */
export type Sharer = { key: string; calldata: Hex; assertDue: WriteOptions['assertDue'] }

/** What became of a write: its outcome, why it is not due any more, or that it is to be signed alone. */
export type Share = { outcome: SignedTransaction | KeptRefusal } | { refusal: unknown } | 'apart'

/**
 * Signs one transaction for several writes and stores its bytes with their keys, in one database transaction, as
 * `signNext` does for one. Writes that have an outcome already, are not due any more, or shared a transaction that
 * failed are left out.
 *
 * @returns What became of each write, in their order.
 */
export const signShared = (
  db: Database,
  input: Sender & { key: string; chainNonce: number; sharers: readonly Sharer[] },
  sign: (nonce: number, calldata: readonly Hex[]) => Promise<Hex>,
): Promise<Share[]> =>
  db.transaction(async (tx) => {
    const { chainNonce, sharers } = input
    const { nextNonce } = await lockSender(tx, input, chainNonce)
    assertNonce(input, chainNonce, nextNonce)
    const writes = await findWrites(
      tx,
      sharers.map((sharer) => sharer.key),
    )
    const leftOut = new Map<Sharer, Share>()
    const assertDue = async (sharer: Sharer): Promise<void> => {
      const { outcome, isApart } = writes.get(sharer.key) ?? { isApart: false }
      if (outcome) leftOut.set(sharer, { outcome })
      else if (isApart) leftOut.set(sharer, 'apart')
      else await sharer.assertDue?.(tx).catch((refusal) => leftOut.set(sharer, { refusal }))
    }
    // By key, as every transaction locks several orders by their ids; and at once, so that one statement locks them.
    const sorted = [...sharers].sort((one, other) => (one.key < other.key ? -1 : 1))
    await Promise.all(sorted.map(assertDue))
    const sharing = sharers.filter((sharer) => !leftOut.has(sharer))
    if (!sharing.length) return sharers.map((sharer): Share => leftOut.get(sharer) ?? 'apart')
    const calldata = sharing.map((sharer) => sharer.calldata)
    const nonce = Math.max(nextNonce, chainNonce)
    const write = { key: input.key, sign: () => sign(nonce, calldata) }
    const signed = await storeNext(tx, input, nonce, write)
    await tx
      .insert(sharedCalls)
      .values(sharing.map(({ key, calldata }) => ({ key, transactionKey: input.key, calldata })))
    return sharers.map((sharer): Share => leftOut.get(sharer) ?? { outcome: signed })
  })
