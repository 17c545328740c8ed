import type { BlockRef, ChainPort } from '../chains/port.js'
import type { Deps } from '../deps.js'
import { blocksWithin } from '../payments/reorgDepth.js'
import { isWallet, type TokenPlace } from './tokenPlace.js'

/** The pace of a chain changes: so much more than its present one is reckoned with, in percent. */
const marginPercent = 125n
/** How long before its collection, or its wallet, was asked for a token cannot have been there, however clocks differ. */
const slackMs = 60 * 60_000

/** A block that is surely before a moment; the first block, where the pace of the chain cannot be measured. */
const blockBefore = async (
  { now }: Pick<Deps, 'now'>,
  chain: ChainPort,
  head: BlockRef,
  moment: Date,
): Promise<bigint> => {
  const blocks = await blocksWithin(chain, head, now() - moment.getTime() + slackMs)
  const most = blocks === undefined ? head.number : (blocks * marginPercent) / 100n
  return most < head.number ? head.number - most : 0n
}

/**
 * The first block in which tokens of a contract may have moved, or from which those of a wallet are read: the one in
 * which the service first knew the wallet. One of a collection is found by the transaction that
 * made it; where the node has forgotten that one, by the time since the collection was asked for. A development chain
 * is short enough to be read from its beginning.
 */
export const firstBlock = async (
  deps: Pick<Deps, 'now'>,
  chain: ChainPort,
  head: BlockRef,
  place: TokenPlace,
): Promise<bigint> => {
  if (chain.isLocal) return 0n
  if (isWallet(place)) return blockBefore(deps, chain, head, place.createdAt)
  const { collection, fromBlock } = place
  if (fromBlock !== undefined || !collection?.contractTxId) return fromBlock ?? 0n
  const found = await chain.findTransactionBlock(collection.contractTxId)
  if (found !== undefined) return found
  return blockBefore(deps, chain, head, collection.createdAt)
}
