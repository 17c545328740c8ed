import { sql } from 'drizzle-orm'
import type { Database, Transaction } from './database.js'
import { tallies, tallyEntries } from './tables/index.js'

/** What is counted. */
export type TallySubject = 'orders' | 'phases' | 'tokens' | 'deliveries'

const columns = sql.raw('subject, owner, hour, name, count, units, refunded')

/** The tallies, and the entries that are not added to them yet, as a source of rows with the columns of both. */
export const talliesOf = (subject: TallySubject, owner = '') => {
  const isOwn = sql`subject = ${subject} and owner = ${owner}`
  return sql`(
    select ${columns} from ${tallies} where ${isOwn} union all
    select ${columns} from ${tallyEntries} where ${isOwn})`
}

const hourMs = 3_600_000

/** Returns the first full hour from a time on, which tallies are of. */
export const nextHour = (at: Date): Date => new Date(Math.ceil(at.getTime() / hourMs) * hourMs)

/** Where a row is, in a list from the newest to the oldest. */
export type ListPlace = {
  /** It was created before this. */
  endsAt: Date
  /** How many rows before it were created before this as well. */
  offset: number
}

/**
 * Finds the hour in which a row of a long list was created, by the counts of the hours, so that the rows of newer hours
 * need not be counted one by one.
 *
 * @param offset - How many rows of the list are newer.
 * @returns `undefined` if the list has no hour.
 */
export const findPlace = async (
  db: Database | Transaction,
  { subject, owner, offset }: { subject: TallySubject; owner: string; offset: number },
): Promise<ListPlace | undefined> => {
  const { rows } = (await db.execute(sql`
    select extract(epoch from hour)::float8 as hour, newer from (
      select hour, sum(sum(count::float8)) over (order by hour desc) - sum(count::float8) as newer
      from ${talliesOf(subject, owner)} as tally group by hour) as hours
    where newer <= ${offset} order by hour limit 1`)) as unknown as {
    rows: { hour: number; newer: number }[]
  }
  const [row] = rows
  return row && { endsAt: new Date(row.hour * 1_000 + hourMs), offset: offset - row.newer }
}

const entriesPerBatch = 5_000

/** Adds the entries to the tallies, a batch at a time. Several processes may do this at once. */
export const foldTallies = async (db: Database): Promise<void> => {
  for (;;) {
    const { rows } = (await db.execute(sql`
      with taken as (
        delete from ${tallyEntries} where id in (
          select id from ${tallyEntries} order by id limit ${entriesPerBatch} for update skip locked)
        returning ${columns}),
      added as (
        insert into ${tallies} (${columns})
        select subject, owner, hour, name, sum(count), sum(units), sum(refunded)
        from taken group by subject, owner, hour, name order by subject, owner, hour, name
        on conflict (subject, owner, hour, name) do update set count = tallies.count + excluded.count,
          units = tallies.units + excluded.units, refunded = tallies.refunded + excluded.refunded)
      select count(*)::int as count from taken`)) as unknown as { rows: { count: number }[] }
    if ((rows[0]?.count ?? 0) < entriesPerBatch) return
  }
}
