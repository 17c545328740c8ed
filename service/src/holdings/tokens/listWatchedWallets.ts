import { and, eq, inArray, min, type SQL } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WatchedWallet } from './tokenPlace.js'

/** An address that is a wallet, of one project or several, and when the service first knew it. */
export type WalletRow = { address: string; createdAt: Date | null }

/** Reads the addresses of wallets, on any chain. */
export const readWallets = (db: Database, areTheirs?: SQL): Promise<WalletRow[]> =>
  db
    .select({ address: wallets.address, createdAt: min(wallets.createdAt) })
    .from(wallets)
    .where(areTheirs)
    .groupBy(wallets.address)

/** Converts those of the wallets that have an address on a chain to what is read of it. */
export const toWatchedWallets = (chain: ChainPort, rows: readonly WalletRow[]): WatchedWallet[] =>
  rows.flatMap(({ address: text, createdAt }): WatchedWallet[] => {
    const address = chain.parseAddress(text)
    if (address === undefined || createdAt === null) return []
    return [{ address, cursor: `wallet:${address}`, createdAt }]
  })

/**
 * Lists the wallets of a project whose tokens are read on a chain, with the moment at which the service first knew
 * them. Sends no request to the chain.
 *
 * @param of - The project, and some of its wallets.
 */
export const listWatchedWallets = async (
  { db }: Pick<Deps, 'db'>,
  chain: ChainPort,
  of: { projectId: string; holders: readonly string[] },
): Promise<WatchedWallet[]> => {
  const areTheirs = and(eq(wallets.projectId, of.projectId), inArray(wallets.address, [...of.holders]))
  return toWatchedWallets(chain, await readWallets(db, areTheirs))
}
