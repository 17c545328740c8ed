import { and, eq, gt, inArray, isNull, lte, or } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { tokenHoldings } from '../db/tables/index.js'

/** The shortest time for which a token that has left keeps its place in the list, even if the list is read anew. */
const minMs = 30_000
/** The longest time, when the list is not read anew. */
const maxMs = 10 * 60_000
/** A moment long ago. A token that left then has no place. */
const givenUp = new Date(0)

/**
 * Returns the moment after which a token must have left to keep its place. It moves in whole steps, so that places are
 * given up seldom and all at once. Only then do later pages of a list move up.
 */
export const slotsKeptSince = (nowMs: number): Date => new Date(Math.floor(nowMs / maxMs) * maxMs - maxMs)

/** Selects the tokens that have a place in a list: held ones, and those that left a short while ago. */
export const keepsSlot = (nowMs: number) =>
  or(isNull(tokenHoldings.leftAt), gt(tokenHoldings.leftAt, slotsKeptSince(nowMs)))

/** Gives up the places of tokens that have left some holders, except in lists that may be half read. */
export const giveUpSlots = async (
  db: Database,
  chain: string,
  holders: readonly string[],
  nowMs: number,
): Promise<void> => {
  const areTheirs = and(eq(tokenHoldings.chain, chain), inArray(tokenHoldings.holder, [...holders]))
  const { leftAt } = tokenHoldings
  const isWhile = and(gt(leftAt, slotsKeptSince(nowMs)), lte(leftAt, new Date(nowMs - minMs)))
  await db.update(tokenHoldings).set({ leftAt: givenUp }).where(and(areTheirs, isWhile))
}
