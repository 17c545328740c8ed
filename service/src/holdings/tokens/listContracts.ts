import { and, eq, isNotNull, type SQL } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { collections } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { Collection } from '#goods/collections/viewCollection.js'
import { toCollectionRef } from '#goods/collections/viewCollection.js'

/** A contract whose tokens are known: a collection's, or one that the operator named. */
export type KnownContract = {
  address: string
  collection: Collection | undefined
  /** The first block to read; undefined if only the collection determines it. */
  fromBlock: bigint | undefined
}

/** Describes the collection of a listed token. */
export const describeListed = ({ id, name, description, imageUrl }: Collection) => ({
  id,
  name,
  ...(description && { description }),
  ...(imageUrl && { image: imageUrl }),
})

/** A collection's address never changes, and takes several hashes to compute. */
const addresses = new WeakMap<ChainPort, Map<string, string>>()

const addressOf = (chain: ChainPort, collection: Collection): string => {
  const ref = toCollectionRef(collection)
  const known = addresses.get(chain) ?? new Map<string, string>()
  addresses.set(chain, known)
  const name = `${ref.standard} ${ref.key}`
  const address = known.get(name) ?? canonicalAddress(chain, chain.collectionAddress(ref))
  known.set(name, address)
  return address
}

/** Returns an address in the chain's own spelling. */
export const canonicalAddress = (chain: ChainPort, text: string): string => chain.parseAddress(text) ?? text

/** Reads the deployed collections, on all chains unless one is named. */
export const readDeployed = (db: Database, areTheirs?: SQL): Promise<Collection[]> =>
  db
    .select()
    .from(collections)
    .where(and(isNotNull(collections.contractTxId), areTheirs))

/** Lists the contracts of deployed collections on a chain, and those that the operator named. */
export const toContracts = (
  { config }: Pick<Deps, 'config'>,
  chain: ChainPort,
  deployed: readonly Collection[],
): KnownContract[] => {
  const known = new Map<string, KnownContract>()
  for (const { address, fromBlock } of config.chains[chain.chain]?.nftContracts ?? []) {
    const named = canonicalAddress(chain, address)
    known.set(named, { address: named, collection: undefined, fromBlock })
  }
  for (const collection of deployed) {
    if (collection.chain !== chain.chain) continue
    const address = addressOf(chain, collection)
    known.set(address, { fromBlock: known.get(address)?.fromBlock, address, collection })
  }
  return [...known.values()]
}

/**
 * Lists the contracts whose tokens a project may see on a chain: those of its deployed collections, and those that the
 * operator named for all projects. Sends no request to the chain.
 */
export const listContracts = async (
  deps: Pick<Deps, 'db' | 'config'>,
  chain: ChainPort,
  projectId: string,
): Promise<KnownContract[]> => {
  const areTheirs = and(eq(collections.chain, chain.chain), eq(collections.projectId, projectId))
  return toContracts(deps, chain, await readDeployed(deps.db, areTheirs))
}
