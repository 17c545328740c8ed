import { and, inArray, isNotNull, isNull } from 'drizzle-orm'
import { tokenHoldings } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { ChainPort } from '../ports/chain.js'
import type { HeldToken } from '../ports/wallet.js'
import type { TokenSlot } from './readSlots.js'

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
