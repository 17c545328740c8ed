import { and, desc, eq, gt, lt } from 'drizzle-orm'
import { payments } from '#base/db/tables/index.js'
import type { BlockRef, ChainPort } from '#base/ports/chain.js'
import { reorgDepth } from '#base/watch/reorgDepth.js'
import { type FoundPayment, findPayments } from './findPayments.js'
import type { LookDeps } from './recordLost.js'
import { recordLost } from './recordLost.js'
import { recordNews } from './recordNews.js'
import type { PaymentRow } from './recordPayments.js'

const blocksPerQuery = 50

type FinalBlock = Pick<PaymentRow, 'blockNumber' | 'blockHash'>

/** What checking a chain's final blocks again needs. */
export type RecheckOptions = {
  head: BlockRef
  /** The last block that is final now. */
  finalBlock: bigint
  /** How far back blocks are read again. */
  rereadMs: number
}

const readFinalBlocks = (
  { db }: LookDeps,
  chain: string,
  { limit, below }: { limit: number; below: bigint | undefined },
): Promise<FinalBlock[]> =>
  db
    .selectDistinct({ blockNumber: payments.blockNumber, blockHash: payments.blockHash })
    .from(payments)
    .where(
      and(
        eq(payments.chain, chain),
        eq(payments.status, 'confirmed'),
        below === undefined ? undefined : lt(payments.blockNumber, below),
      ),
    )
    .orderBy(desc(payments.blockNumber))
    .limit(limit)

/**
 * Finds the newest block with a final payment that the chain still has, and the hashes of those above it that
 * it lacks.
 *
 * @returns `undefined` if nothing was lost; `unclear` while the node lacks a block.
 */
const findLostBlocks = async (
  deps: LookDeps,
  chain: ChainPort,
): Promise<{ hashes: ReadonlySet<string>; lowest: bigint } | 'unclear' | undefined> => {
  const hashes = new Set<string>()
  let lowest: bigint | undefined
  for (;;) {
    const limit = lowest === undefined ? 1 : blocksPerQuery
    const blocks = await readFinalBlocks(deps, chain.chain, { limit, below: lowest })
    for (const { blockNumber, blockHash } of blocks) {
      const block = await chain.getBlock(blockNumber)
      if (!block) return 'unclear'
      if (block.hash === blockHash) return lowest === undefined ? undefined : { hashes, lowest }
      hashes.add(blockHash)
      lowest = blockNumber
    }
    if (!blocks.length) return lowest === undefined ? undefined : { hashes, lowest }
  }
}

const readSuspects = async (
  { db }: LookDeps,
  chain: string,
  { hashes, lowest }: { hashes: ReadonlySet<string>; lowest: bigint },
): Promise<PaymentRow[]> => {
  const isAbove = gt(payments.blockNumber, lowest - 1n)
  const isFinal = and(eq(payments.chain, chain), eq(payments.status, 'confirmed'))
  const rows = await db.select().from(payments).where(and(isFinal, isAbove))
  return rows.filter(({ blockHash }) => hashes.has(blockHash))
}

/** Whether the chain has the same payment in another block, and that block is final. */
const isMoved = (row: PaymentRow, found: FoundPayment | undefined, finalBlock: bigint): boolean =>
  found !== undefined &&
  found.block.number <= finalBlock &&
  (found.payer === row.payer || found.signers?.includes(row.payer) === true) &&
  `${found.units}` === row.units

/**
 * Reads the payments of all replaced blocks again: those that are final in other blocks stay, the others are
 * lost. A node that is behind lacks blocks, which proves nothing.
 *
 * @returns Whether blocks were replaced.
 */
const readLostBlocks = async (
  deps: LookDeps,
  chain: ChainPort,
  { head, finalBlock, rereadMs }: RecheckOptions,
): Promise<boolean> => {
  const lostBlocks = await findLostBlocks(deps, chain)
  if (!lostBlocks || lostBlocks === 'unclear') return false
  const suspects = await readSuspects(deps, chain.chain, lostBlocks)
  const fields = { chain: chain.chain, block: `${lostBlocks.lowest}`, payments: suspects.length }
  deps.log.error(fields, 'the chain has replaced final blocks: reading their payments again')
  // The transaction may have moved to an earlier block.
  const depth = await reorgDepth(chain, head, rereadMs)
  const fromBlock = lostBlocks.lowest > depth ? lostBlocks.lowest - depth : 0n
  const targets = new Map(suspects.map(({ target, orderId }) => [target, orderId]))
  const range = { fromBlock, toBlock: head.number, includesEmptied: true }
  const found = await findPayments(deps, chain, { ...range, targets: [...targets.keys()] })
  const foundById = new Map(found.map((payment) => [payment.id, payment]))
  const lost: PaymentRow[] = []
  for (const row of suspects) {
    const now = foundById.get(row.id)
    if (!now || !isMoved(row, now, finalBlock)) {
      lost.push(row)
      continue
    }
    const { block, logIndex } = now
    const place = {
      blockNumber: block.number,
      blockHash: block.hash,
      minedAt: new Date(block.timestampMs),
      logIndex,
    }
    await deps.db
      .update(payments)
      .set(place)
      .where(and(eq(payments.id, row.id), eq(payments.blockHash, row.blockHash)))
  }
  await recordLost(deps, lost)
  await recordNews(deps, chain, { found, targets })
  return true
}

/**
 * Checks whether the chain still has the block of the newest final payment. If not, it checks the blocks of all final
 * payments, newest first, down to one that the chain still has. Every search does so before it makes other payments
 * final: a newer one would hide from all processes that older ones are lost.
 *
 * @returns Whether blocks were replaced, so that what was read of them meanwhile may be out of date.
 */
export const recheckFinal = async (
  deps: LookDeps,
  chain: ChainPort,
  options: RecheckOptions,
): Promise<boolean> =>
  // The service's own development chain is reset now and then, and loses its blocks that way.
  !chain.isLocal && readLostBlocks(deps, chain, options)
