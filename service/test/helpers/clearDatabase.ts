import { sql } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'

/** Deletes every project and all that belongs to it, which is quicker than a new database. */
export const clearDatabase = async (db: Database): Promise<void> => {
  await db.execute(sql`truncate projects, chain_cursors, hint_cursors, tallies, tally_entries cascade`)
}
