import { eq } from 'drizzle-orm'
import { mails } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { renderMail } from './renderMail.js'
import { selectMails } from './storedMail.js'

/**
 * Sends one e-mail and records that it is sent. If the process is killed between the two, it sends the mail again under
 * the same message id. A mail that the server refuses permanently is given up.
 */
export const sendMail =
  ({ db, mailer, now, log }: Pick<Deps, 'db' | 'mailer' | 'now' | 'log'>): JobHandler<'mails.send'> =>
  async ({ mailId }) => {
    const [mail] = await selectMails(db).where(eq(mails.id, mailId))
    if (!mail || mail.sentAt) return
    const outcome = await mailer.send(renderMail(mail))
    if (outcome.status === 'refused') {
      log.warn({ mailId, code: outcome.code }, 'the mail server refused a mail for good')
    }
    if (outcome.status === 'sent') {
      await db
        .update(mails)
        .set({ sentAt: new Date(now()) })
        .where(eq(mails.id, mailId))
    }
  }
