import type { Table } from 'drizzle-orm'
import { withCommitTasks } from '../../../service/src/base/db/commitTasks.js'
import type { Database } from '../../../service/src/base/db/database.js'
import type { Access, Run, Work } from './statement.js'
import { createStatements } from './statements.js'
import { OpenTransaction, RolledBackError, type Storage } from './storage.js'

/** The way of a process to its database. */
export type DatabaseConnection = {
  storage: Storage
  now(): number
  /** Takes the time of one statement. It throws once the process has ended, and may end it. */
  step(): Promise<void> | undefined
  /** The transactions that the process has open. They are rolled back when it ends. */
  open: Set<OpenTransaction>
}

/** What a statement waits for. */
class LockedError extends Error {
  readonly owner: OpenTransaction

  constructor(owner: OpenTransaction) {
    super('locked')
    this.owner = owner
  }
}

const createAccess = ({ storage, now }: DatabaseConnection, transaction: OpenTransaction): Access => ({
  nowMs: now(),
  nextNumber: () => storage.nextNumber(),
  view: (table) => storage.view(table, transaction),
  write: (table, row) => storage.write(transaction, table, row),
  lock: (table: Table, id: string) => {
    const owner = storage.lock(transaction, table, id)
    if (owner) throw new LockedError(owner)
  },
})

/** Runs one statement of a transaction, after those that have locked its rows have ended. */
const runStatement = async (
  connection: DatabaseConnection,
  transaction: OpenTransaction,
  statement: Work,
): Promise<unknown> => {
  for (;;) {
    const pause = connection.step()
    if (pause) await pause
    if (transaction.isOver) throw new RolledBackError('the transaction is over')
    try {
      return statement.evaluate(createAccess(connection, transaction))
    } catch (error) {
      if (!(error instanceof LockedError)) throw error
      transaction.waitsFor = error.owner
      await error.owner.awaitEnd()
      transaction.waitsFor = undefined
    }
  }
}

const runTransaction = async (
  connection: DatabaseConnection,
  work: (transaction: OpenTransaction) => Promise<unknown>,
): Promise<unknown> => {
  const { storage, open, step } = connection
  const transaction = new OpenTransaction()
  open.add(transaction)
  try {
    const result = await work(transaction)
    await step()
    if (transaction.isOver) throw new RolledBackError('the transaction is over')
    storage.commit(transaction)
    // The process may end before it knows that the commit was made.
    await step()
    return result
  } finally {
    storage.release(transaction)
    open.delete(transaction)
  }
}

/** Opens the simulated database for a process, with the interface of drizzle. */
export const openDatabase = (connection: DatabaseConnection): Database => {
  // Statements are prepared for the session of each.
  const open = (run: Run) => ({ ...createStatements(run), _: { session: {} } })
  const ofTransaction = (transaction: OpenTransaction) =>
    open((statement) => runStatement(connection, transaction, statement))
  const database = {
    ...open((statement) =>
      statement.isReading
        ? runStatement(connection, new OpenTransaction(), statement)
        : runTransaction(connection, (transaction) => runStatement(connection, transaction, statement)),
    ),
    transaction: (work: (tx: unknown) => Promise<unknown>) =>
      runTransaction(connection, (transaction) => work(ofTransaction(transaction))),
  }
  return withCommitTasks(database as unknown as Database)
}
