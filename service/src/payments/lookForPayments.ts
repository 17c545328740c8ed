import { and, eq } from 'drizzle-orm'
import type { BlockRef, ChainPort } from '../chains/port.js'
import { payments } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { EmitDeps } from '../orders/emitOrderEvents.js'
import { type Cursor, readCursor, saveCursor } from './chainCursor.js'
import { findPayments } from './findPayments.js'
import { hasTargets, readTargets } from './readTargets.js'
import { recheckFinal } from './recheckFinal.js'
import { recordNews } from './recordNews.js'
import { type PaymentRow, recordConfirmed, recordReorganised } from './recordPayments.js'
import { blocksWithin, reorgDepth } from './reorgDepth.js'
import { scanRange } from './scanRange.js'

/** What it takes to look. */
export type LookDeps = EmitDeps & Pick<Deps, 'db' | 'log'>

/** How much is read at a look. */
export type LookOptions = {
  /** How far back blocks are read again. */
  rereadMs: number
  /** Blocks asked for at once. */
  maxBlocks: number
}

/** How long a chain may lack the last block that was read of it before it is read from where it is. */
const behindForMs = 10 * 60_000

const readPending = (deps: LookDeps, chain: string): Promise<PaymentRow[]> =>
  deps.db
    .select()
    .from(payments)
    .where(and(eq(payments.chain, chain), eq(payments.status, 'seen')))
    .orderBy(payments.blockNumber, payments.logIndex)

/** Tells whether the block of a payment is still one of the chain's; undefined when the node does not say. */
const createBlockCheck = (chain: ChainPort) => {
  const blocks = new Map<bigint, Promise<BlockRef | undefined>>()
  return async (row: PaymentRow): Promise<boolean | undefined> => {
    const asked = blocks.get(row.blockNumber) ?? chain.getBlock(row.blockNumber)
    blocks.set(row.blockNumber, asked)
    const block = await asked
    return block && block.hash === row.blockHash
  }
}

/** Our own node lacks, or has another one in place of, the last block that was read of it. */
const isStartedAnew = async (chain: ChainPort, cursor: Cursor | undefined): Promise<boolean> =>
  chain.isLocal &&
  !!cursor?.hash &&
  cursor.number !== null &&
  (await chain.getBlock(cursor.number))?.hash !== cursor.hash

/**
 * The head of a node is below the last block that was read. Most often another node is ahead of it; when nobody has
 * that block for long, there is none such: the chain is read again from where it was when it was last read.
 *
 * @returns Whether it is to be.
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
  await saveCursor(deps.db, chain.chain, { number: from, hash: null }, deps.now())
  return true
}

/** Reads the next blocks of a chain; returns whether more are waiting. */
const lookOnce = async (deps: LookDeps, chain: ChainPort, options: LookOptions): Promise<boolean> => {
  const name = chain.chain
  // In this order: a target that is not read here cannot have been paid up to this head.
  const head = await chain.getHead()
  const pendingBefore = await readPending(deps, name)
  const targets = await readTargets(deps.db, deps.now())
  const cursor = await readCursor(deps.db, name)
  const isReset = await isStartedAnew(chain, cursor)
  if (isReset) deps.log.warn({ chain: name }, 'the chain was started anew: reading it from its first block')
  const limits = {
    reorgDepth: await reorgDepth(chain, head, options.rereadMs),
    maxBlocks: BigInt(options.maxBlocks),
  }
  const range = scanRange(isReset ? 0n : (cursor?.number ?? head.number), head.number, limits)
  if (!range) {
    if (cursor && (await stepBack(deps, chain, head, cursor))) return true
    deps.log.info({ chain: name, head: String(head.number) }, 'the node is behind; not looking this time')
    return false
  }

  const finalBlock = (await chain.getFinalBlock()) ?? head.number - BigInt(chain.confirmations) + 1n
  await recheckFinal(deps, chain, { head, finalBlock, rereadMs: options.rereadMs })
  const found = await findPayments(deps, chain, range, [...targets.keys()])
  await recordNews(deps, chain, found, targets)
  const foundIds = new Set(found.map(({ id }) => id))
  const isBlockKept = createBlockCheck(chain)
  const undone: PaymentRow[] = []
  for (const row of pendingBefore) {
    if (foundIds.has(row.id)) continue
    // A node may lack a log that it is to have: only another block in its place undoes a payment.
    if (!((await isBlockKept(row)) ?? !isReset)) undone.push(row)
  }
  await recordReorganised(deps, undone)
  const final: PaymentRow[] = []
  for (const row of await readPending(deps, name)) {
    if (row.blockNumber <= finalBlock && (foundIds.has(row.id) || (await isBlockKept(row)))) final.push(row)
  }
  await recordConfirmed(deps, final)
  const last = range.toBlock === head.number ? head : await chain.getBlock(range.toBlock)
  await saveCursor(deps.db, name, { number: range.toBlock, hash: last?.hash ?? null }, deps.now())
  return range.toBlock < head.number
}

/**
 * Looks for payments on a chain, from the cursor to the head, reading again the blocks that may have been
 * reorganised. Payments are matched by their logs alone. Several processes may do this at once.
 *
 * @returns Whether the chain is in use and anybody waits for money; if not, the chain is left alone.
 */
export const lookForPayments = async (
  deps: LookDeps,
  chain: ChainPort,
  options: LookOptions,
): Promise<boolean> => {
  if (!(await readCursor(deps.db, chain.chain))) return false
  if (!(await hasTargets(deps.db, deps.now(), chain.chain))) return false
  await chain.ready()
  while (await lookOnce(deps, chain, options));
  return true
}
