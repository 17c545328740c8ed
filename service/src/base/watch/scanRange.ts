/** How far back blocks are read again, and how many are read at once. */
export type ScanLimits = { reorgDepth: bigint; maxBlocks: bigint }

/** The blocks to read next. */
export type ScanRange = { fromBlock: bigint; toBlock: bigint }

const min = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/**
 * Chooses the blocks to read next: from a little before the cursor towards the head.
 *
 * @returns `undefined` if the node is behind what was read already: its answer is old, and acting on it would
 * undo valid payments.
 */
export const scanRange = (
  cursor: bigint,
  head: bigint,
  { reorgDepth, maxBlocks }: ScanLimits,
): ScanRange | undefined => {
  if (head < cursor) return undefined
  const start = cursor - reorgDepth
  const fromBlock = start < 0n ? 0n : start
  // Always past the cursor; otherwise the same blocks would be read forever.
  const span = maxBlocks > reorgDepth + 1n ? maxBlocks : reorgDepth + 2n
  return { fromBlock, toBlock: min(head, fromBlock + span - 1n) }
}
