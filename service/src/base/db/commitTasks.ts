import type { Database, Transaction } from './database.js'

type Writes = (tx: never, items: never) => Promise<void>

/** What waits for the end of each open transaction. An `AsyncLocalStorage` would slow down every promise. */
type CommitTasks = { writes: Map<Writes, unknown[]>; after: (() => void)[] }
const open = new WeakMap<Database | Transaction, CommitTasks>()

/** Has a database do what {@link beforeCommit} and {@link afterCommit} collect during each of its transactions. */
export const withCommitTasks = <Opened extends Database>(db: Opened): Opened => {
  const transaction = db.transaction.bind(db)
  const withTasks: Database['transaction'] = async (work, config) => {
    const tasks: CommitTasks = { writes: new Map(), after: [] }
    const result = await transaction(async (tx) => {
      open.set(tx, tasks)
      const result = await work(tx)
      for (const [write, items] of tasks.writes) {
        tasks.writes.delete(write)
        await write(tx as never, items as never)
      }
      return result
    }, config)
    for (const task of tasks.after) task()
    return result
  }
  return Object.assign(db, { transaction: withTasks })
}

/**
 * Writes an item right before the transaction commits, together with the other items of the same function, so that rows
 * that everybody writes are locked briefly. The transaction itself does not see the item. Without an open
 * transaction, it is written at once.
 *
 * @param write - Writes all items of a transaction, with as few statements as it can.
 */
export const beforeCommit = async <Item, Executor extends Database | Transaction>(
  tx: Executor,
  write: (tx: Executor, items: readonly Item[]) => Promise<void>,
  ...items: readonly Item[]
): Promise<void> => {
  if (!items.length) return
  const tasks = open.get(tx)
  if (!tasks) return write(tx, items)
  const known = tasks.writes.get(write)
  if (known) known.push(...items)
  else tasks.writes.set(write, [...items])
}

/**
 * Runs a task when a transaction has committed, and never if it is rolled back; without a transaction, at once. The
 * process may end in between, so the task may only speed up what is found without it.
 */
export const afterCommit = (tx: Database | Transaction, task: () => void): void => {
  const tasks = open.get(tx)
  if (tasks) tasks.after.push(task)
  else task()
}
