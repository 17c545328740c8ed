import { sql } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { chainCursors, orders, payments, paymentTargets } from '#base/db/tables/index.js'
import { endedForMs } from './lookForLate.js'

/** What the orders and the search of a chain ask of it now. */
export type ChainUse = {
  /** Whether an order can be paid on the chain, or a payment on it is not final. */
  isBusy: boolean
  /** Whether the quote of an order has run out, which is not recorded yet. */
  hasExpired: boolean
  /** Whether a buyer reported a transaction a moment ago, on any chain, or this chain has lost a payment. */
  isReported: boolean
  /** Whether any order waits for money on any chain, be it late: buyers mistake the chain. */
  isWatched: boolean
  /** Up to which block the chain was searched, and when. Absent before its first search. */
  cursor: { number: bigint | null; savedAtMs: number } | undefined
}

/** How long a reported transaction, or a lost payment, is looked for again and again. */
const reportedForMs = 60 * 60_000

type Row = {
  chain: string
  is_busy: boolean
  has_expired: boolean
  is_reported: boolean
  is_watched: boolean
  block_number: string | number | bigint | null
  /** Absent without a cursor. */
  saved_at_ms: string | number | bigint | null
}

const toUse = (row: Row): ChainUse => ({
  isBusy: row.is_busy,
  hasExpired: row.has_expired,
  isReported: row.is_reported,
  isWatched: row.is_watched,
  cursor:
    row.saved_at_ms === null
      ? undefined
      : {
          number: row.block_number === null ? null : BigInt(row.block_number),
          savedAtMs: Number(row.saved_at_ms),
        },
})

/** Reads, in one statement, what orders ask of each of the chains. Each part of it ends with the first row of an index. */
export const readChainUses = async (
  db: Database,
  chains: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, ChainUse>> => {
  const at = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`
  const names = sql.join(
    chains.map((chain) => sql`(${chain}::text)`),
    sql`, `,
  )
  const unpaid = sql`select 1 from ${orders} where ${orders.chain} = c.chain and ${orders.phase} = 'payment'`
  const payment = sql`select 1 from ${payments} where ${payments.chain} = c.chain and ${payments.status}`
  // The greatest is the last row of an index, while the rows that no longer count come first in the table.
  const lastReport = sql`select max(${orders.openHintAt}) from ${orders} where ${orders.openHintAt} is not null`
  const lastWatch = sql`select max(${paymentTargets.watchedUntil}) from ${paymentTargets}`
  const result = await db.execute(sql`
    select c.chain,
      exists(${unpaid}) or exists(${payment} = 'seen') as is_busy,
      exists(${unpaid} and ${orders.quoteExpiresAt} <= ${at(nowMs)}) as has_expired,
      coalesce((${lastReport}) > ${at(nowMs - reportedForMs)}, false)
        or exists(${payment} = 'lost' and ${payments.minedAt} > ${at(nowMs - reportedForMs)}) as is_reported,
      coalesce((${lastWatch}) > ${at(nowMs - endedForMs)}, false) as is_watched,
      ${chainCursors.blockNumber} as block_number,
      floor(extract(epoch from ${chainCursors.updatedAt}) * 1000)::bigint as saved_at_ms
    from (values ${names}) as c(chain)
    left join ${chainCursors} on ${chainCursors.chain} = c.chain`)
  const { rows } = result as unknown as { rows: Row[] }
  return new Map(rows.map((row) => [row.chain, toUse(row)]))
}
