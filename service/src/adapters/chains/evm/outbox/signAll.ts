import type { Database } from '#base/db/database.js'
import { findWrites } from './findWrites.js'
import type { KeptRefusal } from './refusals.js'
import { lockSender, type Sender, type SignedTransaction, storeAll, type UnsignedWrite } from './signed.js'

/**
 * Signs several writes with the sender's next nonces, in their order, and stores the bytes, in one short database
 * transaction, as `signNext` does for one.
 *
 * @returns The outcome of each write, in their order. A write that has one already takes no nonce.
 */
export const signAll = (
  db: Database,
  input: Sender & { chainNonce: number },
  writes: readonly UnsignedWrite[],
): Promise<(SignedTransaction | KeptRefusal)[]> =>
  db.transaction(async (tx) => {
    const { chainNonce } = input
    const { nextNonce } = await lockSender(tx, input, chainNonce)
    const byKey = new Map(writes.map((write) => [write.key, write]))
    const known = await findWrites(tx, [...byKey.keys()])
    const due = [...byKey.values()].filter(({ key }) => !known.get(key)?.outcome)
    const nonce = Math.max(nextNonce, chainNonce)
    const stored = due.length ? await storeAll(tx, input, nonce, due) : []
    const signed = new Map(stored.map((row) => [row.key, row]))
    return writes.map(({ key }) => {
      const outcome = known.get(key)?.outcome ?? signed.get(key)
      if (!outcome) throw new Error('the database returned no row')
      return outcome
    })
  })
