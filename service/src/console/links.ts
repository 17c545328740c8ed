import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Call } from '../call.js'
import type { Transaction } from '../db/database.js'
import { consoleAccounts, consoleTokens, projects } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { hashSecret } from '../keys/secret.js'
import { createUuid } from '../lib/uuid.js'
import { createHtml } from '../mails/createHtml.js'
import type { JobHandler } from '../ports/jobs.js'
import type { Mail } from '../ports/mail.js'
import { type Account, acceptInvitation, linkTo, lockTeam, readEmail } from './accounts.js'
import { startSession } from './sessions.js'
import { createToken, type Token, takeToken } from './tokens.js'

const refuse = () =>
  new ServiceError('key-invalid', 'This link was already used or has expired: request a new one')

type SignInInput = { secret: string; client: Call['client']; oldToken?: string | undefined }

/**
 * Signs in with the secret of an invitation or of an e-mail, which is used up.
 *
 * @returns The secret of the session, for the cookie.
 * @throws {@link ServiceError} `key-invalid` if it was used, has expired, or is unknown.
 */
export const signInByLink = (deps: Deps, { secret, ...browser }: SignInInput): Promise<string> =>
  deps.db.transaction(async (tx) => {
    // Before the link is taken: two links of one person would wait for each other.
    await lockTeamOf(tx, secret)
    const invitation = await takeToken(deps, tx, { kind: 'invitation', secret })
    if (invitation) {
      const account = await acceptInvitation(deps, tx, invitation)
      if (!account) throw refuse()
      return startSession(deps, tx, { ...browser, operation: 'acceptInvitation', account })
    }
    const link = await takeToken(deps, tx, { kind: 'sign-in', secret })
    const account = link && (await findOwner(tx, link))
    if (!account) throw refuse()
    return startSession(deps, tx, { ...browser, operation: 'signInByEmail', account })
  })

/** Locks the team that an invitation leads to. */
const lockTeamOf = async (tx: Transaction, secret: string): Promise<void> => {
  const [token] = await tx
    .select({ projectId: consoleTokens.projectId })
    .from(consoleTokens)
    .where(and(eq(consoleTokens.hash, hashSecret(secret)), eq(consoleTokens.kind, 'invitation')))
  if (token?.projectId) await lockTeam(tx, token.projectId)
}

const findOwner = async (tx: Deps['db'], { accountId }: Token): Promise<Account | undefined> => {
  if (!accountId) return undefined
  const [account] = await tx.select().from(consoleAccounts).where(eq(consoleAccounts.id, accountId))
  return account
}

/**
 * Has a sign-in link sent to an e-mail address. Whether it has an account is looked up later, by a job.
 *
 * @throws {@link ServiceError} `input-invalid` if it is no e-mail address.
 */
export const requestLink = async ({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, text: string): Promise<void> => {
  const email = readEmail(text)
  await db.transaction((tx) => jobs.enqueue(tx, 'console.link', { email }))
}

/** How many links an account has at most, so that a stranger cannot fill its mailbox. */
const maxLinks = 5
/** Who is in more projects than this signs in with passkeys. */
const maxAccounts = 20

const writeMail = (id: string, { to, sender, url }: { to: string; sender: string; url: string }): Mail => {
  const title = `Sign in to ${sender}`
  const sentences = [
    'Open the link to sign in to the console. It works once, for 15 minutes.',
    'If you did not request it, you can ignore this e-mail.',
  ]
  const link = { url, label: 'Sign in' }
  return {
    ...{ id, to, sender, subject: title, locale: 'en-US' },
    text: [title, '', ...sentences, '', `${link.label}: ${url}`, ''].join('\n'),
    html: createHtml({ locale: 'en-US', title, sentences, facts: [], link, sender }),
  }
}

/**
 * Sends a sign-in link to each account of an e-mail address. The mail is not stored, because its link is a secret: an
 * attempt that is repeated sends a new one.
 */
export const sendLinks =
  (
    deps: Pick<Deps, 'db' | 'mailer' | 'config' | 'now' | 'randomBytes' | 'log'>,
  ): JobHandler<'console.link'> =>
  async ({ email }) => {
    const { db, mailer, config, now, randomBytes } = deps
    const sender = sql<string>`coalesce(${projects.displayName}, ${projects.name})`
    const accounts = await db
      .select({ id: consoleAccounts.id, sender })
      .from(consoleAccounts)
      .innerJoin(projects, eq(projects.id, consoleAccounts.projectId))
      .where(eq(consoleAccounts.email, email))
      .orderBy(asc(consoleAccounts.createdAt))
      .limit(maxAccounts)
    for (const account of accounts) {
      const secret = await db.transaction(async (tx) => {
        // Links are counted one process after another.
        await tx
          .select({ id: consoleAccounts.id })
          .from(consoleAccounts)
          .where(eq(consoleAccounts.id, account.id))
          .for('update')
        const isOpen = and(
          ...[eq(consoleTokens.accountId, account.id), eq(consoleTokens.kind, 'sign-in')],
          gt(consoleTokens.expiresAt, new Date(now())),
        )
        if ((await tx.$count(consoleTokens, isOpen)) >= maxLinks) return undefined
        return createToken(deps, tx, { kind: 'sign-in', accountId: account.id })
      })
      if (!secret) continue
      const url = linkTo(config.publicUrl, secret)
      const mail = writeMail(createUuid(randomBytes), { to: email, sender: account.sender, url })
      const { status } = await mailer.send(mail)
      if (status === 'refused')
        deps.log.warn({ accountId: account.id }, 'the mail server refused a sign-in link')
    }
  }
