import { asc, inArray, lt } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { mails } from '#base/db/tables/index.js'
import { deleteInBatches } from '#base/lib/deleteInBatches.js'

/** Deletes e-mails, sent or not, so long after they became due. Without a time, all are kept. */
export const forgetMails = async (db: Database, nowMs: number, keepMs: number | undefined): Promise<void> => {
  if (keepMs === undefined) return
  const isOld = lt(mails.createdAt, new Date(nowMs - keepMs))
  await deleteInBatches(async (limit) => {
    const oldest = db
      .select({ id: mails.id })
      .from(mails)
      .where(isOld)
      .orderBy(asc(mails.createdAt))
      .limit(limit)
    return (await db.delete(mails).where(inArray(mails.id, oldest)).returning({ id: mails.id })).length
  })
}
