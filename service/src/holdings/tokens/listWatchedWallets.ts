import { and, eq, inArray, min } from 'drizzle-orm'
import { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WatchedWallet } from './tokenPlace.js'

/**
 * Lists the wallets whose tokens are read on a chain, with the moment at which the service first knew them. Sends no
 * request to the chain.
 *
 * @param of - Some wallets of a project; without it, those of every project.
 */
export const listWatchedWallets = async (
  { db }: Pick<Deps, 'db'>,
  chain: ChainPort,
  of?: { projectId: string; holders: readonly string[] },
): Promise<WatchedWallet[]> => {
  const areTheirs = of && and(eq(wallets.projectId, of.projectId), inArray(wallets.address, [...of.holders]))
  const rows = await db
    .select({ address: wallets.address, createdAt: min(wallets.createdAt) })
    .from(wallets)
    .where(areTheirs)
    .groupBy(wallets.address)
  return rows.flatMap(({ address: text, createdAt }): WatchedWallet[] => {
    const address = chain.parseAddress(text)
    if (address === undefined || createdAt === null) return []
    return [{ address, cursor: `wallet:${address}`, createdAt }]
  })
}
