import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, min, or, sql } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { tokenHoldings } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { HeldToken } from '#base/ports/wallet.js'

type Row = typeof tokenHoldings.$inferSelect

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

/**
 * Selects the tokens that have a place in a list: held ones, and those that were held and left a short while ago. Any
 * contract can log transfers to a holder who got nothing: what was never held has no place.
 */
const keepsSlot = (nowMs: number) => {
  const isKept = gt(tokenHoldings.leftAt, slotsKeptSince(nowMs))
  return or(isNull(tokenHoldings.leftAt), and(isNotNull(tokenHoldings.heldAt), isKept))
}

/** Whether the chain has just denied that a token was ever held. Logs that are read again do not bring it back. */
export const wasDenied = ({ heldAt, leftAt }: Pick<Row, 'heldAt' | 'leftAt'>, nowMs: number): boolean =>
  heldAt === null && leftAt !== null && leftAt.getTime() > nowMs - minMs

/** Gives up the places of tokens that have left some holders, except in lists that may be half read. */
export const giveUpSlots = async (
  db: Database,
  { chain, holders }: { chain: string; holders: readonly string[] },
  nowMs: number,
): Promise<void> => {
  const areTheirs = and(eq(tokenHoldings.chain, chain), inArray(tokenHoldings.holder, [...holders]))
  const { leftAt } = tokenHoldings
  const isWhile = and(gt(leftAt, slotsKeptSince(nowMs)), lte(leftAt, new Date(nowMs - minMs)))
  await db.update(tokenHoldings).set({ leftAt: givenUp }).where(and(areTheirs, isWhile))
}

/** A place in a list: one token, and who may hold it. */
type TokenSlot = { contract: string; tokenId: string; rows: readonly Row[] }

/** The part of a list to read, and its holders. */
type SlotQuery = {
  chain: string
  holders: readonly string[]
  page: number
  perPage: number
  /** How many places to read from the beginning of the page. The whole page by default. */
  most?: number
}

/**
 * Reads a page of places in the order in which the tokens arrived. A token that several of the holders have is in the
 * place of its first holder.
 */
const readSlots = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { chain, holders, page, perPage, most = perPage }: SlotQuery,
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
    .limit(most)
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
 * @returns the held tokens, and how many others were never held.
 * @throws {@link ServiceError} `chain-unavailable`.
 */
const verifySlots = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  chain: ChainPort,
  slots: readonly TokenSlot[],
): Promise<{ verified: VerifiedToken[]; falseCount: number }> => {
  const rows = slots.flatMap((slot) => slot.rows)
  const held = rows.length ? await chain.wallets.readTokens(rows) : []
  const tokens = new Map(rows.map(({ id }, index) => [id, held[index]]))
  const gone = rows.filter(({ id, leftAt }) => leftAt === null && !tokens.get(id))
  const left = gone.map(({ id }) => id)
  const firstHeld = rows.filter(({ id, heldAt }) => heldAt === null && tokens.get(id)).map(({ id }) => id)
  const back = rows.filter(({ id, leftAt }) => leftAt !== null && tokens.get(id)).map(({ id }) => id)
  if (left.length) {
    const isNews = and(inArray(tokenHoldings.id, left), isNull(tokenHoldings.leftAt))
    await db
      .update(tokenHoldings)
      .set({ leftAt: new Date(now()) })
      .where(isNews)
  }
  if (firstHeld.length) {
    await db
      .update(tokenHoldings)
      .set({ heldAt: new Date(now()) })
      .where(inArray(tokenHoldings.id, firstHeld))
  }
  if (back.length) {
    const isNews = and(inArray(tokenHoldings.id, back), isNotNull(tokenHoldings.leftAt))
    await db.update(tokenHoldings).set({ leftAt: null }).where(isNews)
  }
  const verified = slots.flatMap(({ contract, tokenId, rows: ofSlot }) => {
    const token = ofSlot.map(({ id }) => tokens.get(id)).find((found) => found !== undefined)
    return token ? [{ contract, tokenId, token }] : []
  })
  return { verified, falseCount: gone.filter(({ heldAt }) => heldAt === null).length }
}

/** How many places are verified ahead once a page had a token that was never held. */
const placesAhead = 500

/**
 * Reads the held tokens of a page. Tokens that were never held take no place in it.
 *
 * @returns `undefined` if it has more of those than the time allows. They have given up their places by the next call.
 * @throws {@link ServiceError} `chain-unavailable`.
 */
export const readHeld = async (
  deps: Pick<Deps, 'db' | 'now'>,
  chain: ChainPort,
  query: SlotQuery,
  mayGoOn: () => boolean,
): Promise<VerifiedToken[] | undefined> => {
  let most = query.perPage
  for (;;) {
    const { verified, falseCount } = await verifySlots(deps, chain, await readSlots(deps, { ...query, most }))
    if (!falseCount && most === query.perPage) return verified
    if (!mayGoOn()) return undefined
    most = falseCount ? placesAhead : query.perPage
  }
}
