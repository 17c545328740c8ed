import { and, eq, inArray } from 'drizzle-orm'
import type { ChainPort, SeenPayment } from '../chains/port.js'
import { payments } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { readCursor, saveCursor } from './chainCursor.js'
import { hasTargets, readTargets } from './readTargets.js'
import {
  type PaymentRow,
  paymentId,
  recordConfirmed,
  recordPayment,
  recordReorganised,
} from './recordPayment.js'
import { type ScanLimits, scanRange } from './scanRange.js'

type LookDeps = Pick<Deps, 'db' | 'jobs' | 'now' | 'log'>

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
const findNews = async (deps: LookDeps, chain: string, found: SeenPayment[]): Promise<SeenPayment[]> => {
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

/** Reads the next blocks of a chain; returns whether more are waiting. */
const lookOnce = async (deps: LookDeps, chain: ChainPort, limits: ScanLimits): Promise<boolean> => {
  const name = chain.chain
  // In this order: a target that is not read here cannot have been paid up to this head.
  const { number: head } = await chain.getHead()
  const pendingBefore = await readPending(deps, name)
  const targets = await readTargets(deps.db, name, deps.now())
  const range = scanRange((await readCursor(deps.db, name)) ?? head, head, limits)
  if (!range) {
    deps.log.warn({ chain: name, head: String(head) }, 'the node is far behind; not looking this time')
    return false
  }
  const { fromBlock, toBlock, isReset } = range
  if (isReset) deps.log.warn({ chain: name }, 'the chain was started anew: reading it from its first block')

  const found = await findPayments(chain, range, [...targets.keys()])
  for (const seen of await findNews(deps, name, found)) {
    const orderId = targets.get(seen.target)
    if (orderId !== undefined) await recordPayment(deps, chain, orderId, seen)
  }
  const foundIds = new Set(found.map((seen) => paymentId(name, seen)))
  for (const row of pendingBefore) {
    const isRead = row.blockNumber >= fromBlock && row.blockNumber <= toBlock
    if ((isRead || (isReset && row.blockNumber > head)) && !foundIds.has(row.id)) {
      await recordReorganised(deps, row)
    }
  }
  for (const row of await readPending(deps, name)) {
    const isDeep = head - row.blockNumber + 1n >= BigInt(chain.confirmations)
    if (isDeep && foundIds.has(row.id)) await recordConfirmed(deps, row)
  }
  await saveCursor(deps.db, name, toBlock, deps.now())
  return toBlock < head
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
  options: { reorgDepth: number; maxBlocks: number },
): Promise<boolean> => {
  if (!(await hasTargets(deps.db, chain.chain, deps.now()))) return false
  await chain.ready()
  const reorgDepth = BigInt(Math.max(options.reorgDepth, chain.confirmations))
  const limits = { reorgDepth, maxBlocks: BigInt(options.maxBlocks), mayReset: chain.isLocal }
  while (await lookOnce(deps, chain, limits));
  return true
}
