import { eq, sql } from 'drizzle-orm'
import { projects } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createHtml } from '#base/lib/createHtml.js'
import type { AccessAlert, JobHandler } from '#base/ports/jobs.js'
import type { Mail } from '#base/ports/mail.js'

/** The name by which a project is known in e-mails. */
export const senderName = sql<string>`coalesce(${projects.displayName}, ${projects.name})`

type ConsoleMail = Pick<Mail, 'id' | 'to' | 'sender'> & {
  title: string
  sentences: readonly string[]
  facts?: readonly (readonly [string, string])[]
  link?: { url: string; label: string }
}

/** Writes an e-mail of the console. */
export const writeConsoleMail = ({ title, sentences, facts = [], link, ...mail }: ConsoleMail): Mail => ({
  ...mail,
  subject: title,
  locale: 'en-US',
  text: [
    title,
    '',
    ...sentences,
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
    ...(link ? [`${link.label}: ${link.url}`] : []),
    '',
  ].join('\n'),
  html: createHtml({
    locale: 'en-US',
    title,
    sentences,
    facts,
    sender: mail.sender,
    ...(link && { link }),
  }),
})

const events: Readonly<Record<AccessAlert['kind'], { title: string; subject: string }>> = {
  invitation: { title: 'A person was invited', subject: 'Invitation' },
  key: { title: 'An API key was created', subject: 'Key' },
  passkey: { title: 'A passkey was added', subject: 'Account' },
  role: { title: 'A person became an owner', subject: 'Account' },
}

/** Sends an e-mail about a new way into a project. */
export const sendAlert =
  ({
    db,
    mailer,
    config,
    log,
  }: Pick<Deps, 'db' | 'mailer' | 'config' | 'log'>): JobHandler<'console.alert'> =>
  async ({ mailId, projectId, to, at, kind, actor, subject }) => {
    const [project] = await db.select({ sender: senderName }).from(projects).where(eq(projects.id, projectId))
    if (!project) return
    const { sender } = project
    const event = events[kind]
    const mail = writeConsoleMail({
      id: mailId,
      to,
      sender,
      title: `${event.title}: ${sender}`,
      sentences: [
        'You get this e-mail because it opens a way into your shop.',
        'If you did not expect it, remove the account, the invitation or the key in the console.',
      ],
      facts: [
        [event.subject, subject],
        ['By', actor],
        ['At', at],
      ],
      link: { url: `${config.publicUrl}/console/audit-log`, label: 'Open the audit log' },
    })
    const { status } = await mailer.send(mail)
    if (status === 'refused') log.warn({ mailId, projectId }, 'the mail server refused an alert to an owner')
  }
