import type { BlockRef, ChainPort } from '#base/ports/chain.js'

const countedFinal = (chain: ChainPort, head: BlockRef): bigint =>
  head.number - BigInt(chain.confirmations) + 1n

/** Returns the number of the last final block: what the chain says, or by its confirmations. */
export const findFinalBlock = async (chain: ChainPort, head: BlockRef): Promise<bigint> =>
  (await chain.getFinalBlock()) ?? countedFinal(chain, head)

/** Reads the head of a chain and the number of its last final block, in one request where the chain takes several calls. */
export const readTip = async (chain: ChainPort): Promise<{ head: BlockRef; finalBlock: bigint }> => {
  const [head, finalBlock] = await Promise.all([chain.getHead(), chain.getFinalBlock()])
  return { head, finalBlock: finalBlock ?? countedFinal(chain, head) }
}
