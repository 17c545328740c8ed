import { desc, eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { mails } from '../db/tables/index.js'
import type { Mail } from '../mail/port.js'
import { renderMail } from './renderMail.js'
import { selectMails } from './storedMail.js'

const most = 50

/** Lists the newest e-mails of a project, as they are sent. Unsent ones have no `sentAt`. */
export const listMails = async (
  db: Database,
  projectId: string,
): Promise<(Mail & { sentAt: string | null })[]> => {
  const rows = await selectMails(db)
    .where(eq(mails.projectId, projectId))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(most)
  return rows.map((row) => ({ ...renderMail(row), sentAt: row.sentAt?.toISOString() ?? null }))
}
