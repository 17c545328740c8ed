/** How far back blocks are read again, because they may have been reorganised since. */
export type ScanLimits = { reorgDepth: bigint; maxBlocks: bigint }

/** The blocks to read next. `isReset` when the chain is younger than what was read of it: it was started anew. */
export type ScanRange = { fromBlock: bigint; toBlock: bigint; isReset: boolean }

const min = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/** Chooses the blocks to read next: from a little before the cursor towards the head. */
export const scanRange = (cursor: bigint, head: bigint, { reorgDepth, maxBlocks }: ScanLimits): ScanRange => {
  const isReset = head < cursor - reorgDepth
  const start = isReset ? 0n : min(cursor, head) - reorgDepth
  const fromBlock = start < 0n ? 0n : start
  // Always beyond the cursor, or the same blocks would be read for ever.
  const span = maxBlocks > reorgDepth + 1n ? maxBlocks : reorgDepth + 2n
  return { fromBlock, toBlock: min(head, fromBlock + span - 1n), isReset }
}
