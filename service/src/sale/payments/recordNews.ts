import { inArray } from 'drizzle-orm'
import { payments } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import { groupBy } from '#base/lib/groupBy.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { EmitDeps } from '../orders/emitOrderEvents.js'
import type { FoundPayment } from './findPayments.js'
import { type Finds, recordForeign } from './recordForeign.js'
import { isNews, recordPayments } from './recordPayments.js'

const idsPerQuery = 1000

/** Returns the found payments that are new or have changed. */
const findNews = async (
  { db }: Pick<Deps, 'db'>,
  found: readonly FoundPayment[],
): Promise<FoundPayment[]> => {
  const news: FoundPayment[] = []
  for (const some of chunk(found, idsPerQuery)) {
    const rows = await db
      .select({ id: payments.id, status: payments.status, blockHash: payments.blockHash })
      .from(payments)
      .where(
        inArray(
          payments.id,
          some.map(({ id }) => id),
        ),
      )
    const known = new Map(rows.map((row) => [row.id, row]))
    news.push(...some.filter((seen) => isNews(known.get(seen.id), seen)))
  }
  return news
}

/** What was found, and the last block that cannot be reorganised away, if that was read before. */
type NewFinds = Finds & { finalBlock?: bigint }

/** Records the found payments that are new or have changed. */
export const recordNews = async (
  deps: EmitDeps & Pick<Deps, 'db' | 'log'>,
  chain: ChainPort,
  { found, targets, finalBlock }: NewFinds,
): Promise<void> => {
  const taken = new Set(chain.currencies.map(({ currency }) => currency))
  const foreign = found.filter(({ currency }) => !taken.has(currency))
  await recordForeign(deps, chain.chain, { found: foreign, targets })
  const news = await findNews(
    deps,
    found.filter(({ currency }) => taken.has(currency)),
  )
  const byOrder = groupBy(news, ({ target }) => targets.get(target) ?? '')
  byOrder.delete('')
  await recordPayments(deps, chain, { byOrder, finalBlock })
}
