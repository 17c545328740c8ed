import { and, asc, eq } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { suspendedCurrencies } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'

/** A currency that no new order can be paid in. */
export type SuspendedCurrency = typeof suspendedCurrencies.$inferSelect

type Place = Pick<SuspendedCurrency, 'chain' | 'currency'>

const isAt = ({ chain, currency }: Place) =>
  and(eq(suspendedCurrencies.chain, chain), eq(suspendedCurrencies.currency, currency))

/** Lists the suspended currencies of all chains. */
export const listSuspended = (db: Database): Promise<SuspendedCurrency[]> =>
  db
    .select()
    .from(suspendedCurrencies)
    .orderBy(asc(suspendedCurrencies.chain), asc(suspendedCurrencies.currency))

/** How long a process may still sell in a currency that another one has suspended. */
const keepMs = 2_000
const readers = new WeakMap<Database, () => Promise<SuspendedCurrency[]>>()

/** Reads the names of the currencies of a chain that are suspended. Orders of the same moment share one read. */
export const readSuspended = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  chain: string,
): Promise<ReadonlySet<string>> => {
  const read = readers.get(db) ?? memoizeAsync(() => listSuspended(db), keepMs, now)
  readers.set(db, read)
  const suspended = await read()
  return new Set(suspended.flatMap((one) => (one.chain === chain ? [one.currency] : [])))
}

/** Takes a currency of a chain off sale for every process, until {@link resumeCurrency}. */
export const suspendCurrency = async (
  { db, log, now }: Pick<Deps, 'db' | 'log' | 'now'>,
  { chain, currency, reason }: Place & { reason: string },
): Promise<void> => {
  const added = await db
    .insert(suspendedCurrencies)
    .values({ chain, currency, reason, suspendedAt: new Date(now()) })
    .onConflictDoNothing()
    .returning({ currency: suspendedCurrencies.currency })
  readers.delete(db)
  if (added.length) log.error({ chain, currency, reason }, 'a currency is suspended: it is off sale')
}

/** Puts a currency of a chain on sale again. Returns whether it was suspended. */
export const resumeCurrency = async (db: Database, place: Place): Promise<boolean> => {
  const removed = await db
    .delete(suspendedCurrencies)
    .where(isAt(place))
    .returning({ currency: suspendedCurrencies.currency })
  readers.delete(db)
  return removed.length > 0
}
