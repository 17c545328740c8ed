import { and, eq, gt } from 'drizzle-orm'
import { consoleAccounts, consoleTokens, projects } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { senderName, writeConsoleMail } from './mails.js'
import { confirmSession, type SessionActor } from './sessions.js'
import { createToken, takeToken } from './tokens.js'

/** How many codes of an account work at a time. */
const maxCodes = 5
const digits = 8

/** A code counts with its account only. */
const secretOf = (accountId: string, code: string): string => `${accountId}:${code}`

/**
 * Has a code sent to the e-mail address of the caller's account.
 *
 * @throws {@link ServiceError} `conflict` if the account has no address.
 */
export const requestCode = async (
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { accountId }: SessionActor,
): Promise<void> => {
  const [account] = await db.select().from(consoleAccounts).where(eq(consoleAccounts.id, accountId))
  if (!account?.email) {
    throw new ServiceError('conflict', 'This account has no e-mail address: confirm with a passkey')
  }
  await db.transaction((tx) => jobs.enqueue(tx, 'console.code', { accountId }))
}

/** Sends an account a code. The mail is not stored: an attempt that is repeated sends a new code. */
export const sendCode =
  (deps: Pick<Deps, 'db' | 'mailer' | 'now' | 'randomBytes' | 'log'>): JobHandler<'console.code'> =>
  async ({ accountId }) => {
    const { db, mailer, now, randomBytes } = deps
    const [account] = await db
      .select({ email: consoleAccounts.email, sender: senderName })
      .from(consoleAccounts)
      .innerJoin(projects, eq(projects.id, consoleAccounts.projectId))
      .where(eq(consoleAccounts.id, accountId))
    if (!account?.email) return
    const isOpen = and(
      eq(consoleTokens.accountId, accountId),
      eq(consoleTokens.kind, 'confirmation'),
      gt(consoleTokens.expiresAt, new Date(now())),
    )
    if ((await db.$count(consoleTokens, isOpen)) >= maxCodes) return
    const number = Buffer.from(randomBytes(8)).readBigUInt64BE() % 10n ** BigInt(digits)
    const code = `${number}`.padStart(digits, '0')
    await createToken(deps, db, { kind: 'confirmation', accountId, secret: secretOf(accountId, code) })
    const mail = writeConsoleMail({
      id: createUuid(randomBytes),
      to: account.email,
      sender: account.sender,
      title: `Your code for ${account.sender}`,
      sentences: [
        'Somebody who is signed in with your account wants to move what belongs to a buyer.',
        'If it is you, enter this code. It works once, for 15 minutes. If not, end all sessions in the console.',
      ],
      facts: [['Code', code]],
    })
    const { status } = await mailer.send(mail)
    if (status === 'refused') deps.log.warn({ accountId }, 'the mail server refused a code')
  }

/**
 * Confirms with a code that the person of a session is there.
 *
 * @throws {@link ServiceError} `input-invalid` if the code was used, has expired, or is not this account's.
 */
export const confirmByCode = async (
  deps: Pick<Deps, 'db' | 'now'>,
  actor: SessionActor,
  code: string,
): Promise<void> => {
  const secret = secretOf(actor.accountId, code.replaceAll(/\s/g, ''))
  const token = await takeToken(deps, deps.db, { kind: 'confirmation', secret })
  if (!token) throw new ServiceError('input-invalid', 'code: wrong, used or expired')
  await confirmSession(deps, actor)
}
