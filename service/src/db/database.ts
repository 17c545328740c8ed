import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** The database, whichever driver is underneath. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** A transaction in progress: what is written through it is committed together or not at all. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
