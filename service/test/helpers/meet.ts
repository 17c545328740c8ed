import pg from 'pg'

/** How long the database is asked whether all wait, at most: then some of them do not wait at all. */
const maxTries = 200

/**
 * Lets operations on rows of a PostgreSQL database meet. A connection of the test's own holds the rows; the
 * operations start one after the other, each when the one before waits for a lock or is over; then the rows are let
 * go. Operations that read before they lock have all read the same by then.
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
      }
    }
    const settled = Promise.allSettled(running)
    await holder.query('commit')
    return await settled
  } finally {
    await Promise.all([holder.end(), observer.end()])
  }
}
