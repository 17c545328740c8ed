import type { BlockRef, ChainPort } from '#base/ports/chain.js'

/** Returns the number of the last final block: what the chain says, or by its confirmations. */
export const findFinalBlock = async (chain: ChainPort, head: BlockRef): Promise<bigint> =>
  (await chain.getFinalBlock()) ?? head.number - BigInt(chain.confirmations) + 1n
