import type { BlockRef, ChainPort } from '../chains/port.js'
import type { Deps } from '../deps.js'
import { blocksWithin } from '../payments/reorgDepth.js'
import type { KnownContract } from './listContracts.js'

/** The pace of a chain changes: so much more than its present one is reckoned with, in percent. */
const marginPercent = 125n
/** How long before its collection was asked for a contract cannot have been there, however clocks differ. */
const slackMs = 60 * 60_000

/**
 * The first block in which tokens of a contract may have moved. One of a collection is found by the transaction that
 * made it; where the node has forgotten that one, by the time since the collection was asked for. A development chain
 * is short enough to be read from its beginning.
 */
export const firstBlock = async (
  { now }: Pick<Deps, 'now'>,
  chain: ChainPort,
  head: BlockRef,
  { collection, fromBlock }: KnownContract,
): Promise<bigint> => {
  if (chain.isLocal) return 0n
  if (fromBlock !== undefined || !collection?.contractTxId) return fromBlock ?? 0n
  const found = await chain.findTransactionBlock(collection.contractTxId)
  if (found !== undefined) return found
  const sinceMs = now() - collection.createdAt.getTime() + slackMs
  const blocks = await blocksWithin(chain, head, sinceMs)
  const most = blocks === undefined ? head.number : (blocks * marginPercent) / 100n
  return most < head.number ? head.number - most : 0n
}
