import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { fromBaseUnits, type OrderSummary, type Phase } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { orders } from '#base/db/tables/index.js'
import { nextHour, talliesOf } from '#base/db/tally.js'
import type { Deps } from '#base/deps.js'
import { groupBy } from '#base/lib/groupBy.js'
import { requireServerScope } from '#identity/authorize.js'
import { readAttention } from './readAttention.js'

/** What the orders of a period have in common, and what they add up to. @units base units of the currency */
type OrderTally = { name: string; count: number; units: string; refunded: string }

/** What the name of a tally of orders says; an order that was not sold has its phase alone. */
type TallyName = [phase: Phase, chain?: string, currency?: string, decimals?: number]

/**
 * Adds up the orders since a time: those of full hours by their tallies, and one by one those of the hour that had begun.
 */
const readTallies = async (
  tx: Transaction,
  { projectId, since }: { projectId: string; since: Date },
): Promise<OrderTally[]> => {
  const from = nextHour(since)
  const began = and(eq(orders.projectId, projectId), gte(orders.createdAt, since), lt(orders.createdAt, from))
  const { rows } = (await tx.execute(sql`
    select name, sum(count)::int as count, sum(units)::text as units, sum(refunded)::text as refunded from (
      select name, count, units, refunded from ${talliesOf('orders', projectId)} as tally
      where hour >= ${from.toISOString()}::timestamptz
      union all
      select tally.name, 1, tally.units, case when tally.is_sold then tally_refunded(${orders.id}) else 0 end
      from ${orders}, tally_of_order(${orders.phase}, ${orders.chain}, ${orders.document}) as tally
      where ${began}) as tally
    group by name having sum(count) <> 0`)) as unknown as { rows: OrderTally[] }
  return rows
}

const countPhases = (tallies: readonly OrderTally[]): OrderSummary['orders'] => {
  const counts = { quote: 0, payment: 0, delivery: 0, completed: 0 }
  for (const { name, count } of tallies) {
    const [phase]: TallyName = JSON.parse(name)
    counts[phase] += count
  }
  return counts
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sums up what was sold, by chain and currency, whatever its phase is. */
const sumSales = (tallies: readonly OrderTally[]): OrderSummary['sales'] => {
  const sold = groupBy(
    tallies.filter(({ name }) => (JSON.parse(name) as TallyName).length > 1),
    ({ name }) => JSON.stringify((JSON.parse(name) as TallyName).slice(1)),
  )
  const sales = [...sold].map(([place, own]) => {
    const [chain, currency, decimals]: [string, string, number] = JSON.parse(place)
    const sumOf = (column: 'units' | 'refunded') =>
      own.reduce((sum, tally) => sum + BigInt(tally[column]), 0n)
    const [gross, refunded] = [sumOf('units'), sumOf('refunded')]
    return {
      chain,
      currency,
      orders: own.reduce((sum, { count }) => sum + count, 0),
      amount: fromBaseUnits(gross, decimals),
      refunded: fromBaseUnits(refunded, decimals),
      net: fromBaseUnits(gross - refunded, decimals),
    }
  })
  return sales.sort((a, b) => byName(a.chain, b.chain) || byName(a.currency, b.currency))
}

/**
 * Sums up a project for a person who comes to work: the orders and sales since a time, and what needs a person.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const getSummary = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { actor }: Call,
  { since }: { since: Date },
): Promise<OrderSummary> => {
  requireServerScope(actor, 'orders.read')
  const { projectId } = actor
  return db.transaction(
    async (tx) => {
      const tallies = await readTallies(tx, { projectId, since })
      return {
        since: since.toISOString(),
        orders: countPhases(tallies),
        sales: sumSales(tallies),
        attention: await readAttention(tx, projectId, now()),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
