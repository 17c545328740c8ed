import { and, eq } from 'drizzle-orm'
import { payments } from '#base/db/tables/index.js'
import type { BlockRef, ChainPort } from '#base/ports/chain.js'
import { blocksWithin, reorgDepth } from '#base/watch/reorgDepth.js'
import { scanRange } from '#base/watch/scanRange.js'
import { readTip } from '../orders/findFinalBlock.js'
import { hasTargets, readFirstEnd, readTargets } from '../orders/readTargets.js'
import { liveForMs } from '../orders/watchTargets.js'
import { type Cursor, readCursor, saveCursor, saveLateCursor } from './chainCursor.js'
import { findPayments } from './findPayments.js'
import { endedForMs, type LateOptions, lookForLate, startLateSearch } from './lookForLate.js'
import { recheckFinal } from './recheckFinal.js'
import type { LookDeps } from './recordLost.js'
import { recordNews } from './recordNews.js'
import type { PaymentRow } from './recordPayments.js'
import { recordConfirmed, recordReorganised } from './settlePayments.js'

/** How much one search reads. */
export type LookOptions = LateOptions & {
  /** How far back blocks are read again. */
  rereadMs: number
}

/** How long a chain may lack the last block read of it before reading resumes from an earlier one. */
const behindForMs = 10 * 60_000

const readPending = (deps: LookDeps, chain: string): Promise<PaymentRow[]> =>
  deps.db
    .select()
    .from(payments)
    .where(and(eq(payments.chain, chain), eq(payments.status, 'seen')))
    .orderBy(payments.blockNumber, payments.logIndex)

/**
 * Creates a check of whether a payment's block is still on the chain. It returns `undefined` if the node does
 * not say.
 */
const createBlockCheck = (chain: ChainPort) => {
  const blocks = new Map<bigint, Promise<BlockRef | undefined>>()
  return async (row: PaymentRow): Promise<boolean | undefined> => {
    const asked = blocks.get(row.blockNumber) ?? chain.getBlock(row.blockNumber)
    blocks.set(row.blockNumber, asked)
    const block = await asked
    return block && block.hash === row.blockHash
  }
}

/** Whether the local chain was reset: its node lacks the last block read, or has another one in its place. */
const isStartedAnew = async (chain: ChainPort, cursor: Cursor | undefined): Promise<boolean> =>
  chain.isLocal &&
  !!cursor?.hash &&
  cursor.number !== null &&
  (await chain.getBlock(cursor.number))?.hash !== cursor.hash

/**
 * Handles a node whose head is below the last block read. Usually another node is ahead of it. If the node
 * lacks that block for long, the cursor moves back to where this chain's head was, at its own pace, when it
 * was last read.
 *
 * @returns Whether the cursor moved.
 */
const stepBack = async (
  deps: LookDeps,
  chain: ChainPort,
  head: BlockRef,
  { number, savedAtMs }: Cursor & { savedAtMs: number },
): Promise<boolean> => {
  const sinceMs = deps.now() - savedAtMs
  if (sinceMs < behindForMs || number === null || (await chain.getBlock(number))) return false
  const blocks = (await blocksWithin(chain, head, sinceMs)) ?? head.number
  const from = blocks < head.number ? head.number - blocks : 0n
  const fields = { chain: chain.chain, head: `${head.number}`, read: `${number}`, from: `${from}` }
  deps.log.warn(fields, 'the chain lacks the last block that was read: reading it from an earlier one')
  await saveCursor(deps.db, chain.chain, { number: from, hash: null, savedAtMs: deps.now() })
  return true
}

/**
 * Returns the block from which a chain is read that was not read before, or not for long: its head when the first of the
 * live targets was given out. Buyers mistake the chain, so that may be long before the first order to be paid on it.
 */
const findFirst = async ({ db, now }: LookDeps, chain: ChainPort, head: BlockRef): Promise<bigint> => {
  const endsMs = await readFirstEnd(db, chain.family, now())
  if (endsMs === undefined) return head.number
  const sinceMs = Math.max(0, now() - (endsMs - liveForMs))
  const blocks = (await blocksWithin(chain, head, sinceMs)) ?? head.number
  return blocks < head.number ? head.number - blocks : 0n
}

/**
 * Searches for payments while final blocks are checked, because both questions fit into one request. If blocks were
 * replaced, the search is repeated: it may have shown what the check has just recorded as lost.
 */
const readBeside = async <Found>(recheck: Promise<boolean>, search: () => Promise<Found>): Promise<Found> => {
  // Both end before one of them fails, so that nothing is left running.
  const [rechecked, found] = await Promise.allSettled([recheck, search()])
  if (rechecked.status === 'rejected') throw rechecked.reason
  if (found.status === 'rejected') throw found.reason
  return rechecked.value ? search() : found.value
}

/** Reads the next blocks of a chain. Returns whether more are waiting. */
const lookOnce = async (deps: LookDeps, chain: ChainPort, options: LookOptions): Promise<boolean> => {
  const name = chain.chain
  // The order matters: a target missing from this read cannot have been paid up to this head.
  const { head, finalBlock } = await readTip(chain)
  const pendingBefore = await readPending(deps, name)
  const targets = await readTargets(deps.db, chain.family, { nowMs: deps.now(), isLive: true })
  const cursor = await readCursor(deps.db, name)
  const isReset = await isStartedAnew(chain, cursor)
  if (isReset) {
    deps.log.warn({ chain: name }, 'local chain was reset: rescanning from block 0')
    await saveLateCursor(deps.db, name, { number: 0n, savedAtMs: 0 })
  }
  const limits = {
    reorgDepth: await reorgDepth(chain, head, options.rereadMs),
    maxBlocks: chain.searchesAnyRange ? head.number + 1n : BigInt(options.maxBlocks),
  }
  const from = isReset ? 0n : (cursor?.number ?? (await findFirst(deps, chain, head)))
  const range = scanRange(from, head.number, limits)
  if (!range) {
    if (cursor && (await stepBack(deps, chain, head, cursor))) return true
    deps.log.info({ chain: name, head: String(head.number) }, 'the node is behind; not looking this time')
    return false
  }

  // What arrived long ago, before an outage or a restored backup, may have been paid out again.
  const includesEmptied = range.toBlock - range.fromBlock > 2n * limits.reorgDepth
  const asked = { ...range, includesEmptied, targets: [...targets.keys()] }
  const search = () => findPayments(deps, chain, asked)
  const recheck = recheckFinal(deps, chain, { head, finalBlock, rereadMs: options.rereadMs })
  const found = await readBeside(recheck, search)
  await recordNews(deps, chain, { found, targets, finalBlock })
  const foundIds = new Set(found.map(({ id }) => id))
  const isBlockKept = createBlockCheck(chain)
  const undone: PaymentRow[] = []
  for (const row of pendingBefore) {
    if (foundIds.has(row.id)) continue
    // A node may lack a log temporarily. Only another block in its place undoes a payment.
    if (!((await isBlockKept(row)) ?? !isReset)) undone.push(row)
  }
  await recordReorganised(deps, chain, undone)
  const final: PaymentRow[] = []
  for (const row of await readPending(deps, name)) {
    if (row.blockNumber <= finalBlock && (foundIds.has(row.id) || (await isBlockKept(row)))) final.push(row)
  }
  await recordConfirmed(deps, chain, final)
  const last = range.toBlock === head.number ? head : await chain.getBlock(range.toBlock)
  const read = { number: range.toBlock, hash: last?.hash ?? null, savedAtMs: deps.now() }
  await saveCursor(deps.db, name, read)
  return range.toBlock < head.number
}

/**
 * Searches a chain for payments, from the cursor to the head, and reads again the blocks that may have been
 * reorganised. While an order waits for money, it searches every enabled chain of a family, because the order's address
 * is the same on all of them. Payments are matched by their logs alone. Several processes may do this at once.
 *
 * @returns Whether the chain is in use because an order waits for money. If not, the chain is left alone.
 */
export const lookForPayments = async (
  deps: LookDeps,
  chain: ChainPort,
  options: LookOptions,
): Promise<boolean> => {
  if (!(await readCursor(deps.db, chain.chain))) {
    if (!chain.isStarted() || (await readFirstEnd(deps.db, chain.family, deps.now())) === undefined)
      return false
  }
  if (!(await hasTargets(deps.db, deps.now() - endedForMs, chain.chain))) return false
  await chain.ready()
  await startLateSearch(deps, chain.chain)
  while (await lookOnce(deps, chain, options));
  // What was found has to be followed like any payment.
  if (await lookForLate(deps, chain, options)) while (await lookOnce(deps, chain, options));
  return true
}
