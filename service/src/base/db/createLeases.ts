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

/** Renews the leases of a holder, and takes those that no other holds. Returns the names of those that it holds now. */
const renew = async (
  db: Database,
  holder: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> => {
  const heldUntil = sql`now() + ${heldMs} * interval '1 millisecond'`
  // In one order, so that no two processes wait for each other's rows.
  const values = names.toSorted().map((name) => ({ name, holder, heldUntil }))
  const rows = await db
    .insert(leases)
    .values(values)
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder, heldUntil },
      setWhere: sql`${eq(leases.holder, holder)} or ${leases.heldUntil} < now()`,
    })
    .returning({ name: leases.name })
  return new Set(rows.map(({ name }) => name))
}

/**
 * Creates the leases of a process, by their names. All are renewed by one statement a second. A process that the
 * database keeps waiting may go on while another has taken over, so a task must bear two processes at a time.
 */
export const createLeases = (db: Database): ((name: string) => Lease) => {
  const holder = randomUUID()
  const names = new Set<string>()
  let asked: { names: ReadonlySet<string>; atMs: number; held: Promise<ReadonlySet<string>> } | undefined

  const ask = (): Promise<ReadonlySet<string>> => {
    const all = new Set(names)
    const held = renew(db, holder, [...all])
    const own = { names: all, atMs: performance.now(), held }
    asked = own
    // The next call asks again.
    held.catch(() => {
      if (asked === own) asked = undefined
    })
    return held
  }

  return (name) => {
    names.add(name)
    return {
      hold: async () => {
        names.add(name)
        // A process begins its tasks one after the other, and asks for all of them together.
        await Promise.resolve()
        const isFresh = asked?.names.has(name) && performance.now() - asked.atMs < askEveryMs
        const held = await (asked && isFresh ? asked.held : ask())
        return held.has(name)
      },
      release: async () => {
        names.delete(name)
        asked = undefined
        // Without the database it runs out.
        await db
          .delete(leases)
          .where(and(eq(leases.name, name), eq(leases.holder, holder)))
          .catch(() => {})
      },
    }
  }
}
