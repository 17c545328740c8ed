import type { BlockRef, ChainPort } from '../ports/chain.js'

/** How many blocks were made in how many milliseconds, and the block at which this was measured. */
type Pace = { blocks: bigint; ms: bigint; at: bigint }

const sampleBlocks = 150n
const minDepth = 12n
/** Five minutes of the quickest chain, at six blocks a second. Nodes rarely search more at once. */
const maxDepth = 1800n

const paces = new WeakMap<ChainPort, Pace>()

const measurePace = async (chain: ChainPort, head: BlockRef): Promise<Pace | undefined> => {
  const known = paces.get(chain)
  if (known && head.number >= known.at && head.number < known.at + sampleBlocks) return known
  const from = await chain.getBlock(head.number > sampleBlocks ? head.number - sampleBlocks : 0n)
  if (!from) return undefined
  const ms = BigInt(Math.max(1, head.timestampMs - from.timestampMs))
  const pace = { blocks: head.number - from.number, ms, at: head.number }
  paces.set(chain, pace)
  return pace
}

/**
 * Returns how many blocks a span of time contains at the chain's recent pace, or `undefined` if that cannot
 * be measured.
 */
export const blocksWithin = async (
  chain: ChainPort,
  head: BlockRef,
  spanMs: number,
): Promise<bigint | undefined> => {
  const pace = await measurePace(chain, head)
  return pace && (BigInt(spanMs) * pace.blocks) / pace.ms + 1n
}

/**
 * Returns how many blocks every search reads again: those of a span of time, at the chain's recent pace. They
 * may have been reorganised since, or hidden at the first read by a node that was behind.
 */
export const reorgDepth = async (chain: ChainPort, head: BlockRef, spanMs: number): Promise<bigint> => {
  const blocks = (await blocksWithin(chain, head, spanMs)) ?? maxDepth
  const depth = blocks < maxDepth ? blocks : maxDepth
  const least = BigInt(chain.confirmations) > minDepth ? BigInt(chain.confirmations) : minDepth
  return depth > least ? depth : least
}
