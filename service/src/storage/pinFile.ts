import { eq } from 'drizzle-orm'
import { files } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
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
