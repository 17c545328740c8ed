import { and, asc, eq, inArray, min, sql } from 'drizzle-orm'
import { tokenHoldings } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { keepsSlot } from './keepsSlot.js'

type Row = typeof tokenHoldings.$inferSelect

/** A place in a list: one token, and who may hold it. */
export type TokenSlot = { contract: string; tokenId: string; rows: readonly Row[] }

/** The part of a list to read, and its holders. */
export type SlotQuery = {
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
