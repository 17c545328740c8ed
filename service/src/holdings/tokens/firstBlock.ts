import type { Deps } from '#base/deps.js'
import type { BlockRef, ChainPort } from '#base/ports/chain.js'
import { blocksWithin } from '#base/watch/reorgDepth.js'
import { isWallet, type TokenPlace } from './tokenPlace.js'

/** A margin for changes of a chain's block time, in percent of the present one. */
const marginPercent = 125n
/** A margin for clocks that differ. No token is older than its collection's or wallet's request by more than this. */
const slackMs = 60 * 60_000

/** Returns a block that is before a moment, or the first block if the chain's block time cannot be measured. */
const blockBefore = async (
  { now }: Pick<Deps, 'now'>,
  chain: ChainPort,
  { head, moment }: { head: BlockRef; moment: Date },
): Promise<bigint> => {
  const blocks = await blocksWithin(chain, head, now() - moment.getTime() + slackMs)
  const most = blocks === undefined ? head.number : (blocks * marginPercent) / 100n
  return most < head.number ? head.number - most : 0n
}

/**
 * Returns the first block to read for a contract or wallet. For a wallet, it is the block in which the service first
 * knew the wallet. For a collection, it is the block of the transaction that created it, or if the node no longer has
 * that, a block estimated from the time of the collection's request. A development chain is short enough to be read
 * from its beginning.
 */
export const firstBlock = async (
  deps: Pick<Deps, 'now'>,
  chain: ChainPort,
  { head, place }: { head: BlockRef; place: TokenPlace },
): Promise<bigint> => {
  if (chain.isLocal) return 0n
  if (isWallet(place)) return blockBefore(deps, chain, { head, moment: place.createdAt })
  const { collection, fromBlock } = place
  if (fromBlock !== undefined || !collection?.contractTxId) return fromBlock ?? 0n
  const found = await chain.findTransactionBlock(collection.contractTxId)
  if (found !== undefined) return found
  return blockBefore(deps, chain, { head, moment: collection.createdAt })
}
