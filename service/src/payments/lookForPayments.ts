import { and, eq, inArray } from 'drizzle-orm'
import type { ChainPort, SeenPayment } from '../chains/port.js'
import { payments } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { type Cursor, readCursor, saveCursor } from './chainCursor.js'
import { hasTargets, readTargets } from './readTargets.js'
import {
  type PaymentRow,
  paymentId,
  recordConfirmed,
  recordPayment,
  recordReorganised,
} from './recordPayment.js'
import { reorgDepth } from './reorgDepth.js'
import { scanRange } from './scanRange.js'

/** What it takes to look. */
export type LookDeps = Pick<Deps, 'db' | 'jobs' | 'now' | 'log'>

/** How much is read at a look. */
export type LookOptions = {
  /** How far back blocks are read again. */
  rereadMs: number
  /** Blocks asked for at once. */
  maxBlocks: number
}

/** Nodes refuse filters that name too many addresses. */
const targetsPerQuery = 500

const readPending = (deps: LookDeps, chain: string): Promise<PaymentRow[]> =>
  deps.db
    .select()
    .from(payments)
    .where(and(eq(payments.chain, chain), eq(payments.status, 'seen')))
    .orderBy(payments.blockNumber, payments.logIndex)

const findPayments = async (
  chain: ChainPort,
  range: { fromBlock: bigint; toBlock: bigint },
  targets: readonly string[],
): Promise<SeenPayment[]> => {
  const { fromBlock, toBlock } = range
  const found: SeenPayment[] = []
  for (let at = 0; at < targets.length; at += targetsPerQuery) {
    const some = targets.slice(at, at + targetsPerQuery)
    found.push(...(await chain.findPayments({ fromBlock, toBlock, targets: some })))
  }
  return found
}

/** The payments among those found that are news: unknown ones, and those whose block is another one now. */
const findNews = async (
  deps: LookDeps,
  chain: string,
  found: readonly SeenPayment[],
): Promise<SeenPayment[]> => {
  if (!found.length) return []
  const ids = found.map((seen) => paymentId(chain, seen))
  const rows = await deps.db.select().from(payments).where(inArray(payments.id, ids))
  const known = new Map(rows.map((row) => [row.id, row]))
  return found.filter((seen) => {
    const row = known.get(paymentId(chain, seen))
    if (!row || row.status === 'reorganised') return true
    return row.status === 'seen' && row.blockHash !== seen.block.hash
  })
}

/** Writes down the payments among those found that are news. */
export const recordNews = async (
  deps: LookDeps,
  chain: ChainPort,
  found: readonly SeenPayment[],
  targets: ReadonlyMap<string, string>,
): Promise<void> => {
  for (const seen of await findNews(deps, chain.chain, found)) {
    const orderId = targets.get(seen.target)
    if (orderId !== undefined) await recordPayment(deps, chain, orderId, seen)
  }
}

/** Whether the block of a payment is still one of the chain's; undefined when the node does not say. */
const isBlockKept = async (chain: ChainPort, row: PaymentRow): Promise<boolean | undefined> => {
  const block = await chain.getBlock(row.blockNumber)
  return block && block.hash === row.blockHash
}

/** Our own node lacks, or has another one in place of, the last block that was read of it. */
const isStartedAnew = async (chain: ChainPort, cursor: Cursor | undefined): Promise<boolean> =>
  chain.isLocal && !!cursor?.hash && (await chain.getBlock(cursor.number))?.hash !== cursor.hash

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
    deps.log.info({ chain: name, head: String(head.number) }, 'the node is behind; not looking this time')
    return false
  }

  const found = await findPayments(chain, range, [...targets.keys()])
  await recordNews(deps, chain, found, targets)
  const foundIds = new Set(found.map((seen) => paymentId(name, seen)))
  for (const row of pendingBefore) {
    if (foundIds.has(row.id)) continue
    // A node may lack a log that it is to have: only another block in its place undoes a payment.
    const isKept = (await isBlockKept(chain, row)) ?? !isReset
    if (!isKept) await recordReorganised(deps, row)
  }
  for (const row of await readPending(deps, name)) {
    const isDeep = head.number - row.blockNumber + 1n >= BigInt(chain.confirmations)
    if (isDeep && (foundIds.has(row.id) || (await isBlockKept(chain, row)))) await recordConfirmed(deps, row)
  }
  const last = range.toBlock === head.number ? head : await chain.getBlock(range.toBlock)
  await saveCursor(deps.db, name, { number: range.toBlock, hash: last?.hash ?? null }, deps.now())
  return range.toBlock < head.number
}

/**
 * Looks for payments on a chain, from the cursor to the head, reading again the blocks that may have been
 * reorganised. Payments are matched by their logs alone. Several processes may do this at once.
 *
 * @returns Whether anybody waits for money on this chain; if not, the chain is left alone.
 */
export const lookForPayments = async (
  deps: LookDeps,
  chain: ChainPort,
  options: LookOptions,
): Promise<boolean> => {
  if (!(await hasTargets(deps.db, chain.chain, deps.now()))) return false
  await chain.ready()
  while (await lookOnce(deps, chain, options));
  return true
}
