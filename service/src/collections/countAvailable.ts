import { and, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../db/database.js'
import { orders } from '../db/tables/index.js'

/** What tokens are given out of, as far as it is limited: a collection, or a template in it. */
export type LimitedSupply = {
  projectId: string
  collectionId: string
  templateId?: string
  supplyLimit: number | null
  allocatedCount: number
}

const quote = sql`${orders.document} -> 'quote'`
const terms = sql`${orders.document} -> 'payment'`

/** Whether a payment that waits for confirmations pays for an order. A part of the price reserves nothing. */
const isBeingPaid = sql`exists (
  select from jsonb_array_elements(${orders.document} -> 'payments') as paid
  where paid ->> 'use' = 'undecided'
    and paid ->> 'chain' = ${terms} ->> 'chain'
    and paid ->> 'currency' = ${terms} ->> 'currency'
    and (paid ->> 'units')::numeric >= (${quote} ->> 'totalUnits')::numeric
    and (paid ->> 'minedAtMs')::numeric <= (${quote} ->> 'expiresAtMs')::numeric
)`

/**
 * How many tokens are spoken for by orders that are paid, or whose payment in full waits for confirmations, and have
 * no token ids yet.
 */
export const countReserved = async (
  db: Database | Transaction,
  { projectId, collectionId, templateId }: Pick<LimitedSupply, 'projectId' | 'collectionId' | 'templateId'>,
): Promise<number> => {
  const items = sql`jsonb_array_elements(${orders.document} -> 'lineItems') as item`
  const [row] = await db
    .select({ count: sql<string>`coalesce(sum((item ->> 'quantity')::int), 0)` })
    .from(sql`${orders}, ${items}`)
    .where(
      and(
        eq(orders.projectId, projectId),
        sql`(${orders.phase} = 'delivery' or (${orders.phase} = 'payment' and ${isBeingPaid}))`,
        sql`item ->> 'collectionId' = ${collectionId}`,
        templateId === undefined ? undefined : sql`item ->> 'templateId' = ${templateId}`,
        sql`item -> 'quote' ->> 'status' = 'valid'`,
        sql`item -> 'delivery' ->> 'status' in ('awaiting-payment', 'in-progress')`,
        sql`item -> 'delivery' -> 'tokenIds' is null`,
      ),
    )
  return Number(row?.count ?? 0)
}

/** How many tokens of a collection or a template can still be sold; undefined when there is no limit. */
export const countAvailable = async (
  db: Database | Transaction,
  supply: LimitedSupply,
): Promise<number | undefined> => {
  const { supplyLimit, allocatedCount } = supply
  if (supplyLimit === null) return undefined
  return Math.max(0, supplyLimit - allocatedCount - (await countReserved(db, supply)))
}
