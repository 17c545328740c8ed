import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { mails, projects } from '#base/db/tables/index.js'
import type {
  NftMinted,
  OrderConfirmed,
  OrderDelivered,
  OrderRefunded,
  OrderShipped,
} from '#base/db/tables/mailData.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import type { JobHandler } from '#base/ports/jobs.js'
import type { Mail } from '#base/ports/mail.js'
import { renderMail } from './renderMail.js'

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
      log.warn({ mailId, code: outcome.code }, 'the mail server permanently refused an e-mail')
    }
    if (outcome.status === 'sent') {
      await db
        .update(mails)
        .set({ sentAt: new Date(now()) })
        .where(eq(mails.id, mailId))
    }
  }

/** The name under which customers know a project. */
const project = sql<string>`coalesce(${projects.displayName}, ${projects.name})`

/** Selects mails, each with the name of its project. */
const selectMails = (db: Database) =>
  db
    .select({ ...getTableColumns(mails), project })
    .from(mails)
    .innerJoin(projects, eq(projects.id, mails.projectId))

/** An e-mail that has become due. */
type MailInput = {
  projectId: string
  recipient: string
  locale: string
  /** The order that it is about. */
  orderId?: string
} & (
  | { kind: 'nft-minted'; data: NftMinted }
  | { kind: 'order-confirmed'; data: OrderConfirmed }
  | { kind: 'order-delivered'; data: OrderDelivered }
  | { kind: 'order-refunded'; data: OrderRefunded }
  | { kind: 'order-shipped' | 'shipment-cancelled'; data: OrderShipped }
)

/** Stores an e-mail in the transaction that makes it due. It is sent only if that transaction commits. Returns its id. */
export const enqueueMail = async (
  { jobs, now, randomBytes }: Pick<Deps, 'jobs' | 'now' | 'randomBytes'>,
  tx: Transaction,
  { projectId, recipient, locale, kind, data, orderId }: MailInput,
): Promise<string> => {
  const id = createUuid(randomBytes)
  const createdAt = new Date(now())
  await tx.insert(mails).values({ id, projectId, recipient, locale, kind, data, orderId, createdAt })
  await jobs.enqueue(tx, 'mails.send', { mailId: id })
  return id
}

/** Stores an e-mail once more, and returns the id of the copy. */
export const copyMail = async (
  { jobs, now, randomBytes }: Pick<Deps, 'jobs' | 'now' | 'randomBytes'>,
  tx: Transaction,
  mail: typeof mails.$inferSelect,
): Promise<string> => {
  const id = createUuid(randomBytes)
  await tx.insert(mails).values({ ...mail, id, createdAt: new Date(now()), sentAt: null })
  await jobs.enqueue(tx, 'mails.send', { mailId: id })
  return id
}

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
