import { and, asc, gt, isNull } from 'drizzle-orm'
import { files } from '../db/tables/index.js'
import type { Deps } from '../deps.js'

/**
 * Enqueues the pinning of every file that the deployment's IPFS node does not have, such as those stored before there
 * was a node. Pinning a file twice does no harm.
 *
 * @param atOnce - How many are enqueued in one transaction.
 */
export const pinWaiting = async ({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, atOnce = 500): Promise<void> => {
  let last: string | undefined = ''
  while (last !== undefined) {
    const isNext = and(isNull(files.pinnedAt), gt(files.cid, last))
    const chunk = await db.transaction(async (tx) => {
      const rows = await tx
        .select({ cid: files.cid })
        .from(files)
        .where(isNext)
        .orderBy(asc(files.cid))
        .limit(atOnce)
      for (const { cid } of rows) await jobs.enqueue(tx, 'files.pin', { cid })
      return rows
    })
    last = chunk.at(-1)?.cid
  }
}
