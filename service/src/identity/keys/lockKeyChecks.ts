import { sql } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { masterKeyChecks } from '#base/db/tables/index.js'

/**
 * Reads which master keys are in use, and prevents other transactions from adding or retiring one, and from
 * writing a new secret, until this one ends. It waits for transactions that are writing one.
 */
export const lockKeyChecks = async (tx: Transaction): Promise<(typeof masterKeyChecks.$inferSelect)[]> => {
  await tx.execute(sql`lock table ${masterKeyChecks} in share row exclusive mode`)
  return tx.select().from(masterKeyChecks).for('update')
}
