import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from './database.js'
import { leases } from './tables/index.js'

/** The claim of a process to a task that one process at a time does. */
export type Lease = {
  /** Whether this process does the task: it does already, or no other process has said so for a while. */
  hold(): Promise<boolean>
  /** Leaves the task to another process. */
  release(): Promise<void>
}

/** How long a process keeps a lease that it does not renew: so long a task waits when its process is killed. */
const heldMs = 3_000
/** How often the database is asked at most. */
const askEveryMs = 1_000

/**
 * Creates a lease by its name. A process that the database keeps waiting may go on while another has taken over, so the
 * task must bear two processes at a time.
 */
export const createLease = (db: Database, name: string): Lease => {
  const holder = randomUUID()
  const isOwn = eq(leases.holder, holder)
  let asked: Promise<boolean> | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY

  const ask = async (): Promise<boolean> => {
    const heldUntil = sql`now() + ${heldMs} * interval '1 millisecond'`
    const rows = await db
      .insert(leases)
      .values({ name, holder, heldUntil })
      .onConflictDoUpdate({
        target: leases.name,
        set: { holder, heldUntil },
        setWhere: sql`${isOwn} or ${leases.heldUntil} < now()`,
      })
      .returning({ name: leases.name })
    return rows.length > 0
  }

  return {
    hold: () => {
      const nowMs = performance.now()
      if (asked && nowMs - askedAtMs < askEveryMs) return asked
      askedAtMs = nowMs
      asked = ask()
      // The next call asks again.
      asked.catch(() => {
        asked = undefined
      })
      return asked
    },
    release: async () => {
      asked = undefined
      // Without the database it runs out.
      await db
        .delete(leases)
        .where(and(eq(leases.name, name), isOwn))
        .catch(() => {})
    },
  }
}
