import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Phase } from 'kassa/schema'
import type { Database, Transaction } from '#base/db/database.js'
import { orders } from '#base/db/tables/index.js'
import type { TemplateId } from './findTemplate.js'

/** Counts the orders of some phases that have copies of a template to deliver. */
export const countOpenOrders = async (
  db: Database | Transaction,
  { projectId, collectionId, templateId }: TemplateId,
  phases: Phase[],
): Promise<number> => {
  const isNamed = sql`exists (
    select from jsonb_array_elements(${orders.document} -> 'lineItems') as item
    where item ->> 'collectionId' = ${collectionId}
      and item ->> 'templateId' = ${templateId}
      and item -> 'quote' ->> 'status' = 'valid'
      and item -> 'delivery' ->> 'status' in ('awaiting-payment', 'in-progress')
  )`
  return db.$count(orders, and(eq(orders.projectId, projectId), inArray(orders.phase, phases), isNamed))
}
