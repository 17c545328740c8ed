import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/**
 * How often, and how many milliseconds apart, the helper looks whether all operations wait for a lock. An
 * operation that still does not wait by then may overtake the one before it.
 */
const [maxTries, interval] = [500, 10]

/**
 * Makes operations on rows of a PostgreSQL database meet. The test's own connection holds the rows. The
 * operations start one after another, each once the previous one waits for a lock or has ended. Then the rows
 * are released. By then, all operations that read before they lock have read the same.
 *
 * @param hold - A statement that locks rows.
 */
export const meet = async (
  url: string,
  hold: { text: string; values?: unknown[] },
  operations: readonly (() => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> => {
  const holder = new pg.Client(url)
  const observer = new pg.Client(url)
  await Promise.all([holder.connect(), observer.connect()])
  try {
    await holder.query('begin')
    await holder.query(hold.text, hold.values)
    const running: Promise<unknown>[] = []
    let over = 0
    for (const operation of operations) {
      running.push(
        operation().finally(() => {
          over++
        }),
      )
      for (let tries = 0; tries < maxTries; tries++) {
        const { rows } = await observer.query<{ count: number }>(
          "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
        if ((rows[0]?.count ?? 0) + over >= running.length) break
        await sleep(interval)
      }
    }
    const settled = Promise.allSettled(running)
    await holder.query('commit')
    return await settled
  } finally {
    await Promise.all([holder.end(), observer.end()])
  }
}
