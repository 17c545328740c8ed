import { and, eq, like, lt, lte, sql } from 'drizzle-orm'
import { type OrderState, type QuotedTerms, transition } from 'kassa/engine'
import type { Call } from '#base/call.js'
import { advances } from '#base/config/advances.js'
import type { Transaction } from '#base/db/database.js'
import { rateLimits } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { audienceOf } from '#identity/authorize.js'

const { windowMs } = advances.claims

/** Returns how many tokens an order would be delivered without a payment once it has these terms. */
const countFree = (order: OrderState, terms: QuotedTerms, nowMs: number): number => {
  const quoted = transition(order, { type: 'quoted', terms }, nowMs).order
  const claimed = transition(quoted, { type: 'claim-requested' }, nowMs).order
  if (claimed === quoted) return 0
  const due = claimed.lineItems.filter(({ delivery }) => delivery.status === 'in-progress')
  return due.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** Adds to a count of this hour, unless that would bring it above the cap. Returns the seconds to wait if it would. */
const add = async (
  tx: Transaction,
  { key, cap, count, nowMs }: { key: string; cap: number; count: number; nowMs: number },
): Promise<number | undefined> => {
  const { points, expire } = rateLimits
  const added = await tx
    .insert(rateLimits)
    .values({ key, points: count, expire: nowMs + windowMs })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { points: sql`${points} + ${count}` },
      setWhere: lte(points, cap - count),
    })
    .returning({ points })
  if (added.length && count <= cap) return undefined
  const [window] = await tx.select({ expire }).from(rateLimits).where(eq(rateLimits.key, key))
  return Math.max(1, Math.ceil(((window?.expire ?? nowMs + windowMs) - nowMs) / 1000))
}

/**
 * Counts the tokens that an order of a stranger claims for nothing, before it does. A merchant's server limits its own
 * callers, so what it creates or changes is not counted.
 *
 * @returns Whether they were counted.
 * @throws {@link ServiceError} `rate-limited`, naming the field, if they are over a cap.
 */
export const countClaim = async (
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  { actor, client }: Call,
  { order, terms }: { order: OrderState; terms: QuotedTerms },
): Promise<boolean> => {
  if (!order.isPublic || audienceOf(actor) === 'merchant') return false
  const nowMs = now()
  const count = countFree(order, terms, nowMs)
  if (count === 0) return false
  const { network, project } = advances.claims.caps(config)
  const ofProject = `claim:${order.projectId}`
  const scopes = [
    { key: `${ofProject}:${client.network ?? 'unknown'}`, cap: network, of: 'your network' },
    { key: ofProject, cap: project, of: 'this shop' },
  ]
  await db.delete(rateLimits).where(and(like(rateLimits.key, 'claim:%'), lt(rateLimits.expire, nowMs)))
  await db.transaction(async (tx) => {
    for (const { key, cap, of } of scopes) {
      const retryAfterSeconds = await add(tx, { key, cap, count, nowMs })
      if (retryAfterSeconds === undefined) continue
      const message = `lineItems: ${of} can claim ${cap} free tokens an hour. Claim fewer, or try again later.`
      throw new ServiceError('rate-limited', message, { retryAfterSeconds })
    }
  })
  return true
}
