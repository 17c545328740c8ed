import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import { files } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { JobHandler } from '#base/ports/jobs.js'
import type { IpfsNode } from './createIpfsNode.js'

/** Pins a file on the deployment's IPFS node, under the identifier that this service gave it. */
export const pinFile =
  ({ db, log, now }: Pick<Deps, 'db' | 'log' | 'now'>, node: IpfsNode): JobHandler<'files.pin'> =>
  async ({ cid }) => {
    const [file] = await db
      .select({ bytes: files.bytes, pinnedAt: files.pinnedAt })
      .from(files)
      .where(eq(files.cid, cid))
    if (!file || file.pinnedAt) return
    const hash = await node.add(file.bytes)
    // Asking again would give the same answer, so the job ends. The operator must look at the node.
    if (hash !== cid) return log.error({ cid, hash }, 'the IPFS node gives a file another identifier')
    await db
      .update(files)
      .set({ pinnedAt: new Date(now()) })
      .where(eq(files.cid, cid))
  }

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
