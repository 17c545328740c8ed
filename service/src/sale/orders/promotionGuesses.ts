import { eq, sql } from 'drizzle-orm'
import { assertPromoted, type QuotedTerms } from 'kassa/engine'
import type { Call } from '#base/call.js'
import { countInWindow } from '#base/db/countInWindow.js'
import { rateLimits } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { audienceOf } from '#identity/authorize.js'

/** How many wrong promotion codes one network may send to a project within a window. */
const maxGuesses = 10
const windowMs = 60_000
const kind = 'promotion'

type GuessDeps = Pick<Deps, 'db' | 'now'>

/** What wrong codes count against. A merchant's server limits its own callers, so a server key has no such limit. */
const guesserOf = ({ actor, client }: Call): string | undefined =>
  audienceOf(actor) === 'merchant' ? undefined : `${actor.projectId}:${client.network ?? 'unknown'}`

/**
 * Refuses a promotion code, right or wrong, from a network that has sent too many wrong ones. Every code counts as
 * wrong until it turns out to be right, so that codes sent at the same moment are limited too.
 *
 * @throws {@link ServiceError} `rate-limited`.
 */
export const countGuess = async ({ db, now }: GuessDeps, call: Call): Promise<void> => {
  const of = guesserOf(call)
  if (of === undefined) return
  const nowMs = now()
  const { count, endsAtMs } = await countInWindow(db, { kind, of, windowMs, nowMs })
  if (count <= maxGuesses) return
  throw new ServiceError('rate-limited', 'Too many wrong promotion codes: wait before the next one', {
    retryAfterSeconds: Math.ceil((endsAtMs - nowMs) / 1000),
  })
}

const takeBack = async ({ db }: GuessDeps, call: Call): Promise<void> => {
  const of = guesserOf(call)
  if (of === undefined) return
  const { points } = rateLimits
  await db
    .update(rateLimits)
    .set({ points: sql`greatest(0, ${points} - 1)` })
    .where(eq(rateLimits.key, `${kind}:${of}`))
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
