import type { OpenDatabase } from '#base/db/openedDatabase.js'

/** The counts in the database, the same for every process on it. */
export type Counts = {
  orders: { phase: string; count: number }[]
  jobs: { name: string; state: 'active' | 'waiting' | 'delayed'; count: number; oldestSeconds: number }[]
  deliveries: { outcome: string; count: number }[]
  lostPayments: { chain: string; count: number }[]
}

/** Orders by phase, and deliveries by outcome: their tables are too long to be counted for each scrape. */
const talliesQuery = `
  select subject, name, sum(count)::int as count from (
    select subject, owner, name, count from tallies union all
    select subject, owner, name, count from tally_entries) as tally
  where subject in ('phases', 'deliveries') and owner = '' group by subject, name having sum(count) <> 0`

const jobsQuery = `
  select name, count(*)::int as count,
    case when kept_until > now() then 'active' when start_after > now() then 'delayed' else 'waiting' end as state,
    extract(epoch from now() - min(start_after))::float8 as "oldestSeconds"
  from jobs group by 1, 3`

const lostQuery = `select chain, count(*)::int as count from payments where status = 'lost' group by chain`

/**
 * Reads how many orders, jobs, deliveries and lost payments there are, one after another, because readiness checks run
 * at the same time.
 */
export const readCounts = async (watchSql: OpenDatabase['watchSql']): Promise<Counts> => {
  const { rows: tallied } = await watchSql(talliesQuery)
  const { rows: jobs } = await watchSql(jobsQuery)
  const { rows: lostPayments } = await watchSql(lostQuery)
  const tallies = tallied as { subject: string; name: string; count: number }[]
  const ofSubject = (subject: string) => tallies.filter((tally) => tally.subject === subject)
  return {
    orders: ofSubject('phases').map(({ name, count }) => ({ phase: name, count })),
    deliveries: ofSubject('deliveries').map(({ name, count }) => ({ outcome: name, count })),
    // The queries name these columns.
    ...({ jobs, lostPayments } as Pick<Counts, 'jobs' | 'lostPayments'>),
  }
}
