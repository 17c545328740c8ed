import { and, asc, eq } from 'drizzle-orm'
import { toAsciiEmail } from 'kassa/schema'
import type { Database, Transaction } from '#base/db/database.js'
import { consoleAccounts, consoleTokens } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid, isUuid } from '#base/lib/uuid.js'
import type { Role } from '#base/scopes.js'
import { roles } from '#base/scopes.js'
import type { StoredKey } from '../keys/apiKeys.js'
import { lockTeam } from '../projects/projects.js'
import { recordAct } from './audit.js'
import { endRole } from './endRole.js'
import { createToken, ended, type Token } from './tokens.js'

/** A person who works in a project's console. */
export type Account = typeof consoleAccounts.$inferSelect

/** Returns what names an account in lists and in the audit log. */
export const nameOf = ({ id, email }: Pick<Account, 'id' | 'email'>): string => email ?? `account ${id}`

const addressForm = /^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"\u0080-\uffff]{1,189}$/

/**
 * Reads an e-mail address, which identifies an account in lower case and with its domain in Punycode.
 *
 * @throws {@link ServiceError} `input-invalid`.
 */
export const readEmail = (text: string): string => {
  const email = toAsciiEmail(text.trim()).toLowerCase()
  if (addressForm.test(email)) return email
  throw new ServiceError('input-invalid', 'email: expected an e-mail address such as ada@example.com')
}

/**
 * Reads a role.
 *
 * @throws {@link ServiceError} `input-invalid`, naming the roles.
 */
export const readRole = (text: string): Role => {
  const role = roles.find((each) => each === text)
  if (role) return role
  throw new ServiceError('input-invalid', `role: expected one of ${roles.join(', ')}`)
}

/** Returns the page of a link. Browsers send no fragment, so no log and no other site sees the secret. */
export const linkTo = (publicUrl: string, secret: string): string => `${publicUrl}/console/link#${secret}`

type InviteDeps = Pick<Deps, 'randomBytes' | 'now'> & { db: Database; config: { publicUrl: string } }

/**
 * Invites a person to a project's console.
 *
 * @param input.email - Also lets the person sign in by e-mail. If the project has an account of this address, the link
 * opens it, and gives it the role.
 * @returns The link, which is shown only this once, works once, and expires in a day.
 */
export const invite = (
  deps: InviteDeps,
  { projectId, ...input }: { projectId: string; role: string; email?: string | undefined },
): Promise<string> => {
  const role = readRole(input.role)
  const email = input.email === undefined ? null : readEmail(input.email)
  return deps.db.transaction(async (tx) => {
    const secret = await createToken(deps, tx, { kind: 'invitation', projectId, role, email })
    await recordAct(deps, tx, {
      projectId,
      actor: 'command line',
      operation: 'inviteAccount',
      outcome: 'succeeded',
      resource: `role=${role}${email ? ` email=${email}` : ''}`,
    })
    return linkTo(deps.config.publicUrl, secret)
  })
}

/**
 * Takes the open invitations of an e-mail address back. Another one would open the account that exists by then to
 * whoever holds its link.
 */
export const withdrawInvitations = async (
  tx: Transaction,
  { projectId, email }: { projectId: string; email: string },
): Promise<void> => {
  const isOpen = and(
    eq(consoleTokens.kind, 'invitation'),
    eq(consoleTokens.projectId, projectId),
    eq(consoleTokens.email, email),
  )
  await tx.update(consoleTokens).set(ended).where(isOpen)
}

/**
 * Creates the account that an invitation is for, or gives the existing one its role, and takes the other invitations
 * of the same e-mail address back. The caller has locked the team.
 */
export const acceptInvitation = async (
  { randomBytes, ...deps }: Pick<Deps, 'randomBytes' | 'now' | 'notices'>,
  tx: Transaction,
  { projectId, role, email }: Token,
): Promise<Account | undefined> => {
  if (!projectId || !role) return undefined
  if (email !== null) await withdrawInvitations(tx, { projectId, email })
  const [account] = await tx
    .insert(consoleAccounts)
    .values({ id: createUuid(randomBytes), projectId, role, email, createdAt: new Date(deps.now()) })
    .onConflictDoUpdate({ target: [consoleAccounts.projectId, consoleAccounts.email], set: { role } })
    .returning()
  if (account) await endRole(deps, tx, { projectId, role, accountId: account.id })
  return account
}

/** Lists the accounts of a project, oldest first. */
export const listAccounts = (db: Database, projectId: string): Promise<Account[]> =>
  db
    .select()
    .from(consoleAccounts)
    .where(eq(consoleAccounts.projectId, projectId))
    .orderBy(asc(consoleAccounts.createdAt), asc(consoleAccounts.id))

/** Returns what the audit log says of the keys that lost scopes with their maker's role. */
export const nameKeys = (keys: readonly StoredKey[]): string =>
  keys.map(({ id, revokedAt }) => ` ${revokedAt ? 'revokedKey' : 'limitedKey'}=${id}`).join('')

/**
 * Removes an account with its passkeys, links, sessions, invitations and server keys. Its next request is refused.
 *
 * @param input.keepsKeys - Whether its keys stay, as the operator's.
 * @returns The keys that were revoked.
 * @throws {@link ServiceError} `not-found`.
 */
export const removeAccount = async (
  deps: InviteDeps & Pick<Deps, 'notices'>,
  { projectId, accountId, keepsKeys = false }: { projectId: string; accountId: string; keepsKeys?: boolean },
): Promise<StoredKey[]> => {
  const isOwn = and(eq(consoleAccounts.id, accountId), eq(consoleAccounts.projectId, projectId))
  return deps.db.transaction(async (tx) => {
    await lockTeam(tx, projectId)
    const [removed] = isUuid(accountId) ? await tx.delete(consoleAccounts).where(isOwn).returning() : []
    if (!removed) throw new ServiceError('not-found', `there is no account ${accountId}`)
    const keep = { isKept: () => keepsKeys, by: null }
    const keys = await endRole(deps, tx, { projectId, accountId, keep })
    await recordAct(deps, tx, {
      projectId,
      actor: 'command line',
      operation: 'removeAccount',
      outcome: 'succeeded',
      resource: `${nameOf(removed)}${nameKeys(keys)}`,
    })
    return keys
  })
}
