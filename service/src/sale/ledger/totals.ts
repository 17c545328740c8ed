import { asc, count, eq, gt, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { ledgerCounts, ledgerEntries, ledgerTotals, orders } from '#base/db/tables/index.js'
import type { Log } from '#base/deps.js'
import { addToLine, type BookLine, type BookLines, bookColumns, bookOrder } from '../orders/bookMoney.js'

const ordersPerBatch = 500
const entriesPerBatch = 1000

/** Reads the running totals: those of the last addition, and the entries since. */
const readLines = async (db: Database | Transaction, projectId?: string): Promise<BookLines> => {
  const lines: BookLines = new Map()
  for (const table of [ledgerTotals, ledgerEntries]) {
    const sumOf = (column: (typeof bookColumns)[number]) => sql<string>`sum(${table[column]})`
    const { projectId: project, chain, currency } = table
    const rows = await db
      .select({
        projectId: project,
        chain,
        currency,
        received: sumOf('received'),
        delivered: sumOf('delivered'),
        open: sumOf('open'),
        refunded: sumOf('refunded'),
        claimable: sumOf('claimable'),
        owed: sumOf('owed'),
      })
      .from(table)
      .where(projectId === undefined ? undefined : eq(project, projectId))
      .groupBy(project, chain, currency)
    for (const row of rows)
      for (const column of bookColumns) addToLine(lines, row, column, BigInt(row[column]))
  }
  return lines
}

/** What the running totals say. */
export type Totals = {
  lines: BookLine[]
  /** When they were last confirmed by a full count; absent if older orders are not in them yet. */
  countedAt?: Date
}

/** Reads the running totals of a project or of all, which takes the same time however many orders there are. */
export const readTotals = (db: Database, projectId?: string): Promise<Totals> =>
  db.transaction(
    async (tx) => {
      const lines = await readLines(tx, projectId)
      const [counted] = await tx.select().from(ledgerCounts)
      return { lines: [...lines.values()], ...counted }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

/** A running total that a full count did not confirm. @units base units of `currency` */
export type DifferingTotal = {
  line: Pick<BookLine, 'projectId' | 'chain' | 'currency'>
  column: (typeof bookColumns)[number]
  total: bigint
  counted: bigint
}

/** Counts the money of all orders, a batch at a time. */
const countLines = async (tx: Transaction): Promise<BookLines> => {
  const lines: BookLines = new Map()
  let last: string | undefined
  for (;;) {
    const rows = await tx
      .select({ id: orders.id, order: orders.document })
      .from(orders)
      .where(last === undefined ? undefined : gt(orders.id, last))
      .orderBy(asc(orders.id))
      .limit(ordersPerBatch)
    for (const { order } of rows) bookOrder(lines, order)
    last = rows.at(-1)?.id
    if (rows.length < ordersPerBatch) return lines
  }
}

/**
 * Counts the money of all orders again, corrects the running totals, and returns where they differed. It reads one
 * moment of the database, and orders go on being written: what they move is in neither or in both.
 *
 * @throws Error if another count ended in the meantime; the database then refuses this one.
 */
export const recountTotals = (db: Database, nowMs: number): Promise<DifferingTotal[]> =>
  db.transaction(
    async (tx) => {
      const known = await readLines(tx)
      const counted = await countLines(tx)
      const corrections: BookLines = new Map()
      const differing: DifferingTotal[] = []
      for (const key of new Set([...known.keys(), ...counted.keys()])) {
        const line = counted.get(key) ?? known.get(key)
        if (!line) continue
        const { projectId, chain, currency } = line
        const place = { projectId, chain, currency }
        for (const column of bookColumns) {
          const amounts = {
            total: known.get(key)?.[column] ?? 0n,
            counted: counted.get(key)?.[column] ?? 0n,
          }
          if (amounts.total === amounts.counted) continue
          addToLine(corrections, place, column, amounts.counted - amounts.total)
          differing.push({ line: place, column, ...amounts })
        }
      }
      if (corrections.size) await tx.insert(ledgerEntries).values([...corrections.values()])
      const countedAt = new Date(nowMs)
      // Of two counts at once, the database refuses the second one here, and its corrections with it.
      await tx
        .insert(ledgerCounts)
        .values({ id: 1, countedAt })
        .onConflictDoUpdate({ target: ledgerCounts.id, set: { countedAt } })
      return differing
    },
    { isolationLevel: 'repeatable read' },
  )

const amountsOf = (write: (column: string) => string) => sql.raw(bookColumns.map(write).join(', '))

/** Adds the entries to the totals, a batch at a time. */
const addEntries = async (db: Database): Promise<void> => {
  for (;;) {
    const { rows } = (await db.execute(sql`
      with taken as (
        delete from ledger_entries where id in (
          select id from ledger_entries order by id limit ${entriesPerBatch} for update skip locked)
        returning *),
      added as (
        insert into ledger_totals (project_id, chain, currency, ${amountsOf((column) => column)})
        select project_id, chain, currency, ${amountsOf((column) => `sum(${column})`)}
        from taken group by project_id, chain, currency order by project_id, chain, currency
        on conflict (project_id, chain, currency) do update
        set ${amountsOf((column) => `${column} = ledger_totals.${column} + excluded.${column}`)})
      select count(*)::int as count from taken`)) as { rows: { count: number }[] }
    if ((rows[0]?.count ?? 0) < entriesPerBatch) return
  }
}

/** Keeps the running totals short. Where they do not contain the orders of an earlier build, it counts those first. */
export const tidyTotals = async (db: Database, log: Pick<Log, 'info'>, nowMs: number): Promise<void> => {
  const [row] = await db.select({ counts: count() }).from(ledgerCounts)
  if (!row?.counts) {
    await recountTotals(db, nowMs)
    log.info({}, 'the totals of the ledger contain all orders now')
  }
  await addEntries(db)
}
