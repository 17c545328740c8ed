import type { chainRefusals } from '#base/db/tables/chainTransactions.js'

/** A refused write as the database stores it. */
export type KeptRefusal = typeof chainRefusals.$inferSelect
