import { and, like, lt, sql } from 'drizzle-orm'
import type { Database } from './database.js'
import { rateLimits } from './tables/index.js'

/**
 * Counts what strangers do within a window, which begins with the first count of its key. All processes count together.
 *
 * @param window.kind - What is counted. Ended windows of the same kind are deleted.
 * @param window.of - Whose it is.
 * @returns The count, with this one, and when the window ends.
 */
export const countInWindow = async (
  db: Database,
  { kind, of, windowMs, nowMs }: { kind: string; of: string; windowMs: number; nowMs: number },
): Promise<{ count: number; endsAtMs: number }> => {
  const { key, points, expire } = rateLimits
  await db.delete(rateLimits).where(and(like(key, `${kind}:%`), lt(expire, nowMs)))
  const [window] = await db
    .insert(rateLimits)
    .values({ key: `${kind}:${of}`, points: 1, expire: nowMs + windowMs })
    .onConflictDoUpdate({ target: key, set: { points: sql`${points} + 1` } })
    .returning({ points, expire })
  return { count: window?.points ?? 1, endsAtMs: window?.expire ?? nowMs + windowMs }
}
