import type { Config } from '#base/config/config.js'
import type { Log } from '#base/deps.js'
import type { Mailer } from '#base/ports/mail.js'
import { createSmtpMailer } from './createSmtpMailer.js'

/**
 * Creates the deployment's mailer: its mail server or, in a sandbox without one, the mailbox, which shows the
 * e-mails in the database. Otherwise e-mails are kept unsent, which is logged once.
 */
export const createMailer = ({ smtp, isSandbox }: Pick<Config, 'smtp' | 'isSandbox'>, log: Log): Mailer => {
  if (smtp) return createSmtpMailer(smtp)
  if (isSandbox) return { send: async () => ({ status: 'sent' }) }
  log.warn({}, 'no e-mails are sent: set KASSA_SMTP_URL and KASSA_MAIL_FROM to send them')
  return { send: async () => ({ status: 'kept' }) }
}
