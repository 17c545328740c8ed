import { and, desc, eq, exists, isNotNull, not } from 'drizzle-orm'
import { hasEnded } from 'kassa/engine'
import { actions, collections } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { Collection } from './viewCollection.js'

/**
 * Lists the collections of a project that have a price, whose creation has not failed, whose sale has not ended and
 * whose chain is enabled, newest first.
 */
export const listForSale = async (
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  projectId: string,
): Promise<Collection[]> => {
  const failed = db
    .select({ id: actions.id })
    .from(actions)
    .where(and(eq(actions.id, collections.actionId), eq(actions.status, 'failed')))
  const priced = await db
    .select()
    .from(collections)
    .where(and(eq(collections.projectId, projectId), isNotNull(collections.price), not(exists(failed))))
    .orderBy(desc(collections.createdAt), desc(collections.id))
  return priced.filter(
    ({ chain, sale }) => Object.hasOwn(config.chains, chain) && !(sale !== null && hasEnded(sale, now())),
  )
}
