import { createSettledBatch } from '../lib/createBatch.js'
import type { Database, Transaction } from './database.js'

/** How many items share a transaction at most: the rows that it locks are locked until its end. */
const maxItems = 20

/** Does work for items in one transaction; if that fails, in one for each, so that one that fails delays no other. */
const transact = async <Item, Result>(
  db: Database,
  items: readonly Item[],
  work: (tx: Transaction, items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<PromiseSettledResult<Result>[]> => {
  try {
    const results = await db.transaction((tx) => work(tx, items))
    return results.map((value) => ({ status: 'fulfilled', value }))
  } catch (reason) {
    if (items.length <= 1) return items.map(() => ({ status: 'rejected', reason }))
    const settled: PromiseSettledResult<Result>[] = []
    for (const item of items) settled.push(...(await transact(db, [item], work)))
    return settled
  }
}

/**
 * Does the work of each list in one transaction. An item that fails delays no other.
 *
 * @throws The first error, once the work is done for all others.
 */
export const transactEach = async <Item>(
  db: Database,
  lists: readonly (readonly Item[])[],
  work: (tx: Transaction, items: readonly Item[]) => Promise<void>,
): Promise<void> => {
  const settled: PromiseSettledResult<void>[] = []
  for (const items of lists) {
    const each = await transact(db, items, async (tx, some) => {
      await work(tx, some)
      return some.map(() => undefined)
    })
    settled.push(...each)
  }
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/**
 * Joins the work of calls that come while an earlier transaction runs into one transaction.
 *
 * @param work - Works on several items, and returns a result for each, in their order. It may run again for each of
 *   them alone.
 */
export const createTransactionBatch = <Item, Result>(
  db: Database,
  work: (tx: Transaction, items: readonly Item[]) => Promise<readonly Result[]>,
): ((item: Item) => Promise<Result>) =>
  createSettledBatch(async (items: readonly Item[]) => {
    const settled: PromiseSettledResult<Result>[] = []
    for (let first = 0; first < items.length; first += maxItems) {
      settled.push(...(await transact(db, items.slice(first, first + maxItems), work)))
    }
    return settled
  })
