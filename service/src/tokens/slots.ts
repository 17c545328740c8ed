import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, min, or, sql } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { tokenHoldings } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { ChainPort } from '../ports/chain.js'
import type { HeldToken } from '../ports/wallet.js'

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
const keepsSlot = (nowMs: number) =>
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

type Row = typeof tokenHoldings.$inferSelect

/** A place in a list: one token, and who may hold it. */
type TokenSlot = { contract: string; tokenId: string; rows: readonly Row[] }

/** The part of a list to read, and its holders. */
type SlotQuery = {
  chain: string
  holders: readonly string[]
  page: number
  perPage: number
}

/**
 * Reads a page of places in the order in which the tokens arrived. A token that several of the holders have is in the
 * place of its first holder.
 */
export const readSlots = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { chain, holders, page, perPage }: SlotQuery,
): Promise<TokenSlot[]> => {
  const isTheirs = and(eq(tokenHoldings.chain, chain), inArray(tokenHoldings.holder, [...holders]))
  const hasPlace = and(isTheirs, keepsSlot(now()))
  const first = min(tokenHoldings.id)
  const places = await db
    .select({ contract: tokenHoldings.contract, tokenId: tokenHoldings.tokenId })
    .from(tokenHoldings)
    .where(hasPlace)
    .groupBy(tokenHoldings.contract, tokenHoldings.tokenId)
    .orderBy(asc(first))
    .limit(perPage)
    .offset((page - 1) * perPage)
  if (!places.length) return []
  const pairs = sql.join(
    places.map(({ contract, tokenId }) => sql`(${contract}, ${tokenId})`),
    sql`, `,
  )
  const isOnPage = sql`(${tokenHoldings.contract}, ${tokenHoldings.tokenId}) in (${pairs})`
  const rows = await db
    .select()
    .from(tokenHoldings)
    .where(and(hasPlace, isOnPage))
    .orderBy(asc(tokenHoldings.id))
  return places.map((place) => ({
    ...place,
    rows: rows.filter(({ contract, tokenId }) => contract === place.contract && tokenId === place.tokenId),
  }))
}

/** A token that was held when the chain was asked. */
export type VerifiedToken = { contract: string; tokenId: string; token: HeldToken }

/**
 * Asks the chain which of the tokens are held, and records its answer.
 *
 * @throws {@link ServiceError} `chain-unavailable`.
 */
export const verifySlots = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  chain: ChainPort,
  slots: readonly TokenSlot[],
): Promise<VerifiedToken[]> => {
  const rows = slots.flatMap((slot) => slot.rows)
  const held = rows.length ? await chain.wallets.readTokens(rows) : []
  const tokens = new Map(rows.map(({ id }, index) => [id, held[index]]))
  const left = rows.filter(({ id, leftAt }) => leftAt === null && !tokens.get(id)).map(({ id }) => id)
  const back = rows.filter(({ id, leftAt }) => leftAt !== null && tokens.get(id)).map(({ id }) => id)
  if (left.length) {
    const isNews = and(inArray(tokenHoldings.id, left), isNull(tokenHoldings.leftAt))
    await db
      .update(tokenHoldings)
      .set({ leftAt: new Date(now()) })
      .where(isNews)
  }
  if (back.length) {
    const isNews = and(inArray(tokenHoldings.id, back), isNotNull(tokenHoldings.leftAt))
    await db.update(tokenHoldings).set({ leftAt: null }).where(isNews)
  }
  return slots.flatMap(({ contract, tokenId, rows: ofSlot }) => {
    const token = ofSlot.map(({ id }) => tokens.get(id)).find((found) => found !== undefined)
    return token ? [{ contract, tokenId, token }] : []
  })
}
