import { and, asc, gt, isNull } from 'drizzle-orm'
import { files } from '../db/tables/index.js'
import type { Deps } from '../deps.js'

/**
 * Asks for every file to be kept by the deployment's IPFS node that is not yet: those that were stored before there
 * was one. Asking for a file twice does no harm.
 *
 * @param atOnce - How many are asked for in one transaction.
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
