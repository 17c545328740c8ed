import type { OpenDatabase } from '#base/db/openedDatabase.js'

/** The counts in the database, the same for every process on it. */
export type Counts = {
  orders: { phase: string; count: number }[]
  jobs: { name: string; state: 'active' | 'waiting' | 'delayed'; count: number; oldestSeconds: number }[]
  deliveries: { outcome: string; count: number }[]
  lostPayments: { chain: string; count: number }[]
}

const ordersQuery = 'select phase, count(*)::int as count from orders group by phase'

const jobsQuery = `
  select name, count(*)::int as count,
    case when kept_until > now() then 'active' when start_after > now() then 'delayed' else 'waiting' end as state,
    extract(epoch from now() - min(start_after))::float8 as "oldestSeconds"
  from jobs group by 1, 3`

const deliveriesQuery =
  'select status as outcome, count(*)::int as count from webhook_deliveries group by status'

const lostQuery = `select chain, count(*)::int as count from payments where status = 'lost' group by chain`

/**
 * Counts orders, jobs, deliveries and lost payments one after another, because readiness checks run at the
 * same time.
 */
export const readCounts = async (watchSql: OpenDatabase['watchSql']): Promise<Counts> => {
  const { rows: orders } = await watchSql(ordersQuery)
  const { rows: jobs } = await watchSql(jobsQuery)
  const { rows: deliveries } = await watchSql(deliveriesQuery)
  const { rows: lostPayments } = await watchSql(lostQuery)
  // The queries name these columns.
  return { orders, jobs, deliveries, lostPayments } as Counts
}
