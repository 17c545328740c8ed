import { and, asc, eq, gt } from 'drizzle-orm'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { consoleAccounts, consoleTokens, projects } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import type { JobHandler } from '#base/ports/jobs.js'
import type { Mail } from '#base/ports/mail.js'
import { hashSecret } from '../keys/secret.js'
import { lockTeam } from '../projects/projects.js'
import { type Account, acceptInvitation, linkTo, readEmail } from './accounts.js'
import { senderName, writeConsoleMail } from './mails.js'
import { describe, recordRefusedSignIn, startSession } from './sessions.js'
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
  deps.db
    .transaction(async (tx) => {
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
    .catch(async (error: unknown) => {
      await recordRefusedLink(deps, { secret, ...browser })
      throw error
    })

/** Writes a refused link to the audit log of its project, as far as the link is still known. */
const recordRefusedLink = async (deps: Deps, { secret, client }: SignInInput): Promise<void> => {
  const [token] = await deps.db
    .select()
    .from(consoleTokens)
    .where(eq(consoleTokens.hash, hashSecret(secret)))
  if (token?.kind === 'invitation' && token.projectId) {
    const actor = token.email ?? 'an invitation'
    const { projectId } = token
    await recordRefusedSignIn(deps, { operation: 'acceptInvitation', projectId, actor, client })
  }
  const account = token?.kind === 'sign-in' ? await findOwner(deps.db, token) : undefined
  if (account) await recordRefusedSignIn(deps, { operation: 'signInByEmail', ...describe(account), client })
}

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
 * @param input.network - The network that requests it.
 * @throws {@link ServiceError} `input-invalid` if it is no e-mail address.
 */
export const requestLink = async (
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  input: { email: string; network: string },
): Promise<void> => {
  const email = readEmail(input.email)
  const networkHash = hashSecret(input.network)
  await db.transaction((tx) => jobs.enqueue(tx, 'console.link', { email, networkHash }))
}

/** How many links an account has at most that one network requested. */
const maxLinksOfNetwork = 5
/** How many it has at most in all, so that strangers cannot fill its mailbox. Each of them works for its owner. */
const maxLinks = 25
/** Who is in more projects than this signs in with passkeys. */
const maxAccounts = 20

type LinkMail = Pick<Mail, 'id' | 'to' | 'sender'> & { url: string }

const writeMail = ({ url, ...mail }: LinkMail): Mail =>
  writeConsoleMail({
    ...mail,
    title: `Sign in to ${mail.sender}`,
    sentences: [
      'Open the link to sign in to the console. It works once, for 15 minutes.',
      'If you did not request it, you can ignore this e-mail.',
    ],
    link: { url, label: 'Sign in' },
  })

/**
 * Sends a sign-in link to each account of an e-mail address. The mail is not stored, because its link is a secret: an
 * attempt that is repeated sends a new one, and the link of one that failed no longer counts.
 */
export const sendLinks =
  (
    deps: Pick<Deps, 'db' | 'mailer' | 'config' | 'now' | 'randomBytes' | 'log'>,
  ): JobHandler<'console.link'> =>
  async ({ email, networkHash = null }) => {
    const { db, mailer, config, now, randomBytes } = deps
    const accounts = await db
      .select({ id: consoleAccounts.id, sender: senderName })
      .from(consoleAccounts)
      .innerJoin(projects, eq(projects.id, consoleAccounts.projectId))
      .where(eq(consoleAccounts.email, email))
      .orderBy(asc(consoleAccounts.createdAt))
      .limit(maxAccounts)
    for (const { id: accountId, sender } of accounts) {
      const secret = await db.transaction(async (tx) => {
        // Links are counted one process after another.
        await tx
          .select({ id: consoleAccounts.id })
          .from(consoleAccounts)
          .where(eq(consoleAccounts.id, accountId))
          .for('update')
        const isOpen = and(
          eq(consoleTokens.accountId, accountId),
          eq(consoleTokens.kind, 'sign-in'),
          gt(consoleTokens.expiresAt, new Date(now())),
        )
        const open = await tx.select().from(consoleTokens).where(isOpen)
        const own = open.filter((token) => token.networkHash === networkHash)
        if (open.length >= maxLinks || own.length >= maxLinksOfNetwork) return undefined
        return createToken(deps, tx, { kind: 'sign-in', accountId, networkHash })
      })
      if (!secret) continue
      const mail = writeMail({
        id: createUuid(randomBytes),
        to: email,
        sender,
        url: linkTo(config.publicUrl, secret),
      })
      const forget = () => db.delete(consoleTokens).where(eq(consoleTokens.hash, hashSecret(secret)))
      const { status } = await mailer.send(mail).catch(async (error: unknown) => {
        await forget()
        throw error
      })
      if (status === 'refused') {
        await forget()
        deps.log.warn({ accountId }, 'the mail server refused a sign-in link')
      }
    }
  }
