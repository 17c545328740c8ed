import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import { tokenHoldings } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import type { ChainPort } from '#base/ports/chain.js'
import { slotsKeptSince } from './slots.js'

const tokensAtOnce = 500

/**
 * Checks again the tokens that have left their holders. A reorganisation may have brought one back without a log, or the
 * node was behind at the first check. Tokens that have finally left are deleted.
 */
export const recheckLeft = async (deps: Pick<Deps, 'db' | 'now'>, chain: ChainPort): Promise<void> => {
  const rows = await deps.db
    .select()
    .from(tokenHoldings)
    .where(and(eq(tokenHoldings.chain, chain.chain), isNotNull(tokenHoldings.leftAt)))
    .orderBy(asc(tokenHoldings.id))
  for (const some of chunk(rows, tokensAtOnce)) {
    const held = await chain.wallets.readTokens(some)
    const keptSince = slotsKeptSince(deps.now())
    const isForgotten = ({ heldAt, leftAt }: (typeof rows)[number]) =>
      heldAt === null || (leftAt !== null && leftAt <= keptSince)
    const back = some.filter((_, index) => held[index])
    const kept = back.filter((row) => !isForgotten(row)).map(({ id }) => id)
    const late = back.filter(isForgotten)
    const forgotten = some.filter(isForgotten).map(({ id }) => id)
    await deps.db.transaction(async (tx) => {
      if (kept.length) {
        await tx.update(tokenHoldings).set({ leftAt: null }).where(inArray(tokenHoldings.id, kept))
      }
      if (!forgotten.length) return
      const isStillAway = and(inArray(tokenHoldings.id, forgotten), isNotNull(tokenHoldings.leftAt))
      await tx.delete(tokenHoldings).where(isStillAway)
      // Others are in its place, so it is added at the end.
      const values = late.map(({ contract, tokenId, holder }) => {
        return { chain: chain.chain, contract, tokenId, holder }
      })
      if (values.length) await tx.insert(tokenHoldings).values(values).onConflictDoNothing()
    })
  }
}
