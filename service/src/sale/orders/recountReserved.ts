import { type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { collections, orders } from '#base/db/tables/index.js'
import type { Log } from '#base/deps.js'
import { setReserved } from './saleCounts.js'

const quote = sql`${orders.document} -> 'quote'`
const terms = sql`${orders.document} -> 'payment'`

/** The rule of `moveReservations`, over all open orders. */
const isBeingPaid = sql`exists (
  select from jsonb_array_elements(${orders.document} -> 'payments') as paid
  where paid ->> 'use' in ('undecided', 'part')
    and paid ->> 'chain' = ${terms} ->> 'chain'
    and paid ->> 'currency' = ${terms} ->> 'currency'
    and (paid ->> 'minedAtMs')::numeric <= (${quote} ->> 'expiresAtMs')::numeric
  having bool_or(paid ->> 'use' = 'undecided')
    and sum((paid ->> 'units')::numeric) >= (${quote} ->> 'totalUnits')::numeric
)`

/** The account of `listHolds`: the one that paid, else the first whose payment is undecided. */
const payer = sql`(
  select paid ->> 'payer' from jsonb_array_elements(${orders.document} -> 'payments') with ordinality as list (paid, at)
  where paid ->> 'use' in ('accepted', 'undecided')
  order by paid ->> 'use', at limit 1)`

const reserved = sql`
  select ${payer} as payer, item -> 'quote' -> 'limits' as limits, project_id, item ->> 'collectionId' as collection_id, (item ->> 'templateId')::uuid as template_id,
    (item ->> 'quantity')::int as quantity
  from ${orders}, jsonb_array_elements(${orders.document} -> 'lineItems') as item
  where ${orders.phase} in ('delivery', 'payment') and (${orders.phase} = 'delivery' or ${isBeingPaid})
    and item -> 'quote' ->> 'status' = 'valid'
    and item -> 'delivery' ->> 'status' in ('awaiting-payment', 'in-progress')
    and item -> 'delivery' -> 'tokenIds' is null`

const ofCollections = sql`
  with counted as (select project_id, collection_id as id, sum(quantity) as count from (${reserved}) as item group by 1, 2)
  select project_id, id, coalesce(count, 0)::int as count, reserved_count as counter
  from collections left join counted using (project_id, id)
  where reserved_count <> coalesce(count, 0)`

const ofTemplates = sql`
  with counted as (
    select project_id, collection_id, template_id as id, sum(quantity) as count
    from (${reserved}) as item where template_id is not null group by 1, 2, 3)
  select project_id, collection_id, id, coalesce(count, 0)::int as count, reserved_count as counter
  from templates left join counted using (project_id, collection_id, id)
  where reserved_count <> coalesce(count, 0)`

/** The rule of `listHolds`. */
const ofSales = sql`
  with held as (
    select project_id, collection_id,
      case when lim ->> 'of' <> 'payer' or payer is null then lim ->> 'key'
        when payer like '0x%' then 'payer:' || lower(payer) else 'payer:' || payer end as key,
      case when lim ->> 'of' = 'code' then 1 else quantity end as count
    from (${reserved}) as item, jsonb_array_elements(limits) as lim),
  counted as (
    select project_id, collection_id, key, sum(count) as count from held where key is not null group by 1, 2, 3)
  select project_id, collection_id, key, coalesce(count, 0)::int as count, coalesce(reserved_count, 0) as counter
  from sale_counts full join counted using (project_id, collection_id, key)
  where coalesce(reserved_count, 0) <> coalesce(count, 0)`

/** A counter of reserved tokens, or of what they count against a limit of a sale, that differs from a full count of the open orders. */
export type DifferingCount = {
  projectId: string
  collectionId: string
  templateId?: string
  /** What a limit of a sale counts. */
  key?: string
  counter: number
  count: number
}

type Row = Record<string, string | number>

const read = async (db: Database | Transaction, query: SQL): Promise<Row[]> =>
  ((await db.execute(query)) as { rows: Row[] }).rows

/**
 * Counts the reserved tokens of every collection, template and limit of a sale again, and returns the counters that
 * differ.
 */
export const listDifferingCounts = async (db: Database | Transaction): Promise<DifferingCount[]> => {
  const toCount = (row: Row, collectionId: unknown): DifferingCount => ({
    projectId: String(row.project_id),
    collectionId: String(collectionId),
    counter: Number(row.counter),
    count: Number(row.count),
  })
  const found = await read(db, ofCollections)
  const copies = await read(db, ofTemplates)
  const held = await read(db, ofSales)
  return [
    ...found.map((row) => toCount(row, row.id)),
    ...copies.map((row) => ({ ...toCount(row, row.collection_id), templateId: String(row.id) })),
    ...held.map((row) => ({ ...toCount(row, row.collection_id), key: String(row.key) })),
  ]
}

/**
 * Corrects the counters of reserved tokens. A process of a build that does not keep them may run beside this one
 * during a rollout.
 */
export const correctReserved = async (db: Database, log: Pick<Log, 'warn'>): Promise<void> => {
  if (!(await listDifferingCounts(db)).length) return
  const corrected = await db.transaction(async (tx) => {
    // Waits for the transactions that change counters, and lets no other begin to.
    await tx.execute(sql`lock table ${collections} in exclusive mode`)
    const differing = await listDifferingCounts(tx)
    for (const { projectId, collectionId, templateId, key, count } of differing) {
      if (key !== undefined) {
        await setReserved(tx, { projectId, collectionId, key }, count)
        continue
      }
      const isCollection = sql`project_id = ${projectId} and id = ${collectionId}`
      const isCopy = sql`project_id = ${projectId} and collection_id = ${collectionId} and id = ${templateId}`
      const where = templateId === undefined ? isCollection : isCopy
      const table = templateId === undefined ? sql`collections` : sql`templates`
      await tx.execute(sql`update ${table} set reserved_count = ${count} where ${where}`)
    }
    return differing
  })
  for (const counts of corrected) log.warn(counts, 'a count of reserved tokens was wrong and is corrected')
}
