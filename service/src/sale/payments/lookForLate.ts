import type { Database } from '#base/db/database.js'
import type { ChainPort } from '#base/ports/chain.js'
import { readTip } from '../orders/findFinalBlock.js'
import { readTargets } from '../orders/readTargets.js'
import { readCursor, saveLateCursor } from './chainCursor.js'
import { findPayments } from './findPayments.js'
import type { LookDeps } from './recordLost.js'
import { recordNews } from './recordNews.js'

/** How often late payments are searched for, and how much at once. */
export type LateOptions = {
  /** How many blocks one query covers. */
  maxBlocks: number
  /** Pause between searches for late payments. */
  lateEveryMs: number
}

/**
 * How long after the end of its watch a target is still part of the search for late payments: until the blocks of its
 * last minute are final, and were searched.
 */
export const endedForMs = 60 * 60_000

/** How many blocks before the cursor the first search for late payments begins: more than every search reads again. */
const firstLateBlocks = 2_000n

/** Begins the search for late payments where, until now, every search looked for all targets. */
export const startLateSearch = async ({ db }: { db: Database }, chain: string): Promise<void> => {
  const cursor = await readCursor(db, chain)
  if (!cursor || cursor.late || cursor.number === null) return
  const start = cursor.number - firstLateBlocks
  await saveLateCursor(db, chain, { number: start > 0n ? start : 0n, savedAtMs: 0 })
}

/**
 * Searches final blocks for payments to every watched target, once in a while. The cost of each search for live targets
 * grows with the orders of the last hours only, and that of this one with those of a month. It ends where the search for
 * live targets is, so that a target that is live no more, or live again, is never missed in between.
 *
 * @returns Whether there was a payment.
 */
export const lookForLate = async (
  deps: LookDeps,
  chain: ChainPort,
  { lateEveryMs, maxBlocks }: LateOptions,
): Promise<boolean> => {
  const cursor = await readCursor(deps.db, chain.chain)
  const nowMs = deps.now()
  if (!cursor?.late || cursor.number === null || nowMs - cursor.late.savedAtMs < lateEveryMs) {
    return false
  }
  const { finalBlock } = await readTip(chain)
  const last = finalBlock < cursor.number ? finalBlock : cursor.number
  const targets = await readTargets(deps.db, chain.family, { nowMs: nowMs - endedForMs })
  let searched = cursor.late.number
  let hasFound = false
  while (searched < last) {
    const fromBlock = searched + 1n
    const isWhole = chain.searchesAnyRange || last - searched <= BigInt(maxBlocks)
    const toBlock = isWhole ? last : searched + BigInt(maxBlocks)
    const found = await findPayments(deps, chain, { fromBlock, toBlock, targets: [...targets.keys()] })
    await recordNews(deps, chain, { found, targets })
    hasFound ||= found.length > 0
    searched = toBlock
    await saveLateCursor(deps.db, chain.chain, { number: searched, savedAtMs: 0 })
  }
  await saveLateCursor(deps.db, chain.chain, { number: searched, savedAtMs: nowMs })
  return hasFound
}
