import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** The database, with either driver. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** An open transaction: everything written through it is committed together or not at all. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
