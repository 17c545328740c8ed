/** How far back blocks are read again, because they may have been reorganised since. */
export type ScanLimits = {
  reorgDepth: bigint
  maxBlocks: bigint
  /** Whether this is a development chain, which may have lost its blocks. */
  mayReset: boolean
}

/** The blocks to read next. `isReset` when the chain is younger than what was read of it: it was started anew. */
export type ScanRange = { fromBlock: bigint; toBlock: bigint; isReset: boolean }

const min = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/**
 * Chooses the blocks to read next: from a little before the cursor towards the head.
 *
 * @returns Undefined when the node that was asked is far behind what was read already: what it says now is old,
 * and acting on it would undo payments that stand.
 */
export const scanRange = (
  cursor: bigint,
  head: bigint,
  { reorgDepth, maxBlocks, mayReset }: ScanLimits,
): ScanRange | undefined => {
  if (!mayReset && head < cursor - reorgDepth) return undefined
  // Our own node never lags behind itself.
  const isReset = mayReset && head < cursor
  const start = isReset ? 0n : min(cursor, head) - reorgDepth
  const fromBlock = start < 0n ? 0n : start
  // Always beyond the cursor, or the same blocks would be read for ever.
  const span = maxBlocks > reorgDepth + 1n ? maxBlocks : reorgDepth + 2n
  return { fromBlock, toBlock: min(head, fromBlock + span - 1n), isReset }
}
