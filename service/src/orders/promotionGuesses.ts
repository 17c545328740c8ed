import { and, eq, like, lt, sql } from 'drizzle-orm'
import { assertPromoted, type QuotedTerms } from 'kassa/engine'
import { audienceOf } from '../authorize.js'
import type { Call } from '../call.js'
import { rateLimits } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { checkInput, ServiceError } from '../errors.js'

/** How many wrong promotion codes one network may send to a project within a window. */
const maxGuesses = 10
const windowMs = 60_000

type GuessDeps = Pick<Deps, 'db' | 'now'>

/** What wrong codes count against. A merchant's server limits its own callers, so a server key has no such limit. */
const keyOf = ({ actor, client }: Call): string | undefined =>
  audienceOf(actor) === 'merchant' ? undefined : `promotion:${actor.projectId}:${client.network ?? 'unknown'}`

/**
 * Refuses a promotion code, right or wrong, from a network that has sent too many wrong ones. Every code counts as
 * wrong until it turns out to be right, so that codes sent at the same moment are limited too.
 *
 * @throws {@link ServiceError} `rate-limited`.
 */
export const countGuess = async ({ db, now }: GuessDeps, call: Call): Promise<void> => {
  const key = keyOf(call)
  if (key === undefined) return
  const nowMs = now()
  const { points, expire } = rateLimits
  await db.delete(rateLimits).where(and(like(rateLimits.key, 'promotion:%'), lt(expire, nowMs)))
  const [window] = await db
    .insert(rateLimits)
    .values({ key, points: 1, expire: nowMs + windowMs })
    .onConflictDoUpdate({ target: rateLimits.key, set: { points: sql`${points} + 1` } })
    .returning({ points, expire })
  if (!window || window.points <= maxGuesses) return
  throw new ServiceError('rate-limited', 'Too many wrong promotion codes: wait before the next one', {
    retryAfterSeconds: Math.ceil(((window.expire ?? nowMs) - nowMs) / 1000),
  })
}

const takeBack = async ({ db }: GuessDeps, call: Call): Promise<void> => {
  const key = keyOf(call)
  if (key === undefined) return
  const { points } = rateLimits
  await db
    .update(rateLimits)
    .set({ points: sql`greatest(0, ${points} - 1)` })
    .where(eq(rateLimits.key, key))
}

/**
 * Asserts that the promotion code that a caller just sent lowers the price.
 *
 * @throws {@link ServiceError} `input-invalid`, saying why it does not.
 */
export const requirePromoted = async (deps: GuessDeps, call: Call, terms: QuotedTerms): Promise<void> => {
  checkInput(() => assertPromoted(terms))
  await takeBack(deps, call)
}
