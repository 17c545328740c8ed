import { inArray } from 'drizzle-orm'
import type { OrderState } from 'kassa/engine'
import { orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { FollowedOrder } from './openStreams.js'
import { readRecentOrder } from './store.js'

/** Reads followed orders once they may have changed. */
export type OrderReader = {
  /** Reads an order that may have changed. Does nothing for an order without streams. */
  read(orderId: string): void
  /** Reads the orders again that changed without a notice. */
  look(): Promise<void>
  /** Waits for what is being read. */
  settle(): Promise<void>
}

const maxRead = 200

/**
 * Creates the reader of followed orders. One statement reads all orders that changed at about the same time.
 *
 * @param onOrder - Called with each order that was read.
 */
export const createOrderReader = (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  followed: ReadonlyMap<string, FollowedOrder>,
  onOrder: (found: FollowedOrder, order: OrderState) => void,
): OrderReader => {
  const changed = new Set<string>()
  let reading: Promise<void> | undefined

  const readChanged = async (): Promise<void> => {
    try {
      // What is told in one go is read in one go.
      await Promise.resolve()
      while (changed.size) {
        const ids = [...changed].slice(0, maxRead)
        for (const id of ids) changed.delete(id)
        const read = await Promise.all(ids.map((id) => readRecentOrder(db, id)))
        for (const { order, revision } of read.flatMap((one) => one ?? [])) {
          const found = followed.get(order.orderId)
          if (!found) continue
          found.revision = revision
          onOrder(found, order)
        }
      }
    } catch (err) {
      // The next look finds them.
      changed.clear()
      log.warn({ err }, 'changed orders were not read, and their streams wait for the next look')
    } finally {
      reading = undefined
    }
  }
  const read = (orderId: string): void => {
    if (!followed.has(orderId)) return
    changed.add(orderId)
    reading ??= readChanged()
  }
  return {
    read,
    look: async () => {
      try {
        await reading
        const ids = [...followed.keys()]
        for (let from = 0; from < ids.length; from += maxRead) {
          const rows = await db
            .select({ id: orders.id, revision: orders.revision })
            .from(orders)
            .where(inArray(orders.id, ids.slice(from, from + maxRead)))
          for (const { id, revision } of rows) if (followed.get(id)?.revision !== revision) read(id)
        }
      } catch (err) {
        log.warn({ err }, 'the orders of open streams were not looked at')
      }
    },
    settle: async () => reading,
  }
}
