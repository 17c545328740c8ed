import type { OrderState } from 'kassa/engine'
import type { Database } from '#base/db/database.js'
import type { Deps } from '#base/deps.js'

/** How long a reader counts as following an order: longer than the pause between polls beside a stream. */
const followedForMs = 90_000
/** More readers than one process serves at once. */
const maxReads = 10_000

/** When each unpaid order was last read, the latest last. */
const reads = new WeakMap<Database, Map<string, number>>()

/** Notes that a caller has read an order, which may wait for money. */
export const noteRead = ({ db, now }: Pick<Deps, 'db' | 'now'>, { orderId, phase }: OrderState): void => {
  if (phase !== 'payment') return
  const known = reads.get(db) ?? new Map<string, number>()
  reads.set(db, known)
  // A map lists its entries in the order of their insertion.
  known.delete(orderId)
  known.set(orderId, now())
  const [oldest] = known.keys()
  if (known.size > maxReads && oldest !== undefined) known.delete(oldest)
}

/** Lists the orders that callers of this process follow: by a stream, or by reading them again and again. */
export const listFollowed = ({
  db,
  now,
  orderStreams,
}: Pick<Deps, 'db' | 'now' | 'orderStreams'>): ReadonlySet<string> => {
  const known = reads.get(db)
  const followed = new Set(orderStreams.listFollowed())
  for (const [orderId, readAtMs] of known ?? []) {
    if (now() - readAtMs < followedForMs) followed.add(orderId)
    else known?.delete(orderId)
  }
  return followed
}
