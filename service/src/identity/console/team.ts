import { and, asc, eq, gt, ne } from 'drizzle-orm'
import type { ApiKey } from 'kassa/schema'
import type { Transaction } from '#base/db/database.js'
import { consoleAccounts, consoleTokens } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import type { Role } from '#base/scopes.js'
import { requireScope } from '../authorize.js'
import { viewKey } from '../keys/manageKeys.js'
import { hashSecret } from '../keys/secret.js'
import { alertOwners } from '../projects/alertOwners.js'
import { lockTeam } from '../projects/projects.js'
import {
  type Account,
  linkTo,
  listAccounts,
  nameKeys,
  nameOf,
  readEmail,
  readRole,
  withdrawInvitations,
} from './accounts.js'
import { recordAct } from './audit.js'
import { endRole, listMadeKeys } from './endRole.js'
import type { SessionActor } from './sessions.js'
import { createToken, ended } from './tokens.js'

type TeamDeps = Pick<Deps, 'db' | 'jobs' | 'now' | 'notices' | 'randomBytes' | 'config'>

/** A member of the team who changes it, and the request that does so. */
export type TeamCall = { actor: SessionActor; requestId: string; ipAddress?: string | undefined }

/** A member of the team as the owners see it. */
export type ListedMember = {
  accountId: string
  /** The e-mail address, or what else names the account. */
  name: string
  role: Role
  createdAt: string
  /** Whether it is the one that asks. */
  isCurrent: boolean
}

const view = (account: Account, { accountId }: SessionActor): ListedMember => ({
  accountId: account.id,
  name: nameOf(account),
  role: account.role,
  createdAt: account.createdAt.toISOString(),
  isCurrent: account.id === accountId,
})

const record = (
  deps: TeamDeps,
  tx: Transaction,
  { actor, requestId, ipAddress }: TeamCall,
  act: { operation: string; resource: string },
) =>
  recordAct(deps, tx, {
    projectId: actor.projectId,
    accountId: actor.accountId,
    actor: actor.accountName,
    ...act,
    outcome: 'succeeded',
    requestId,
    ...(ipAddress && { ipAddress }),
  })

/**
 * Lists the team of the caller's project, oldest first.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const listMembers = async ({ db }: TeamDeps, { actor }: TeamCall): Promise<ListedMember[]> => {
  requireScope(actor, 'console.members')
  return (await listAccounts(db, actor.projectId)).map((account) => view(account, actor))
}

/** Requires that the caller's role is still the one with which the request came. The caller has locked the team. */
const requireRole = async (tx: Transaction, { accountId, role }: SessionActor): Promise<void> => {
  const [account] = await tx.select().from(consoleAccounts).where(eq(consoleAccounts.id, accountId))
  if (account?.role !== role) throw new ServiceError('forbidden', 'Your role was taken away')
}

/**
 * Invites a person to the team. The invitation ends when the caller stops being an owner. An e-mail address that has an account is refused, because the link would open it. A
 * new invitation of an address replaces the last one.
 *
 * @returns The link, which is shown only this once, works once, and expires in a day.
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `conflict`.
 */
export const inviteMember = (
  deps: TeamDeps,
  call: TeamCall,
  input: { role: string; email?: string | undefined },
): Promise<string> => {
  requireScope(call.actor, 'console.members')
  const { projectId } = call.actor
  const role = readRole(input.role)
  const email = input.email === undefined ? null : readEmail(input.email)
  return deps.db.transaction(async (tx) => {
    await lockTeam(tx, projectId)
    await requireRole(tx, call.actor)
    if (email !== null) {
      const isSame = and(eq(consoleAccounts.projectId, projectId), eq(consoleAccounts.email, email))
      if (await tx.$count(consoleAccounts, isSame)) {
        throw new ServiceError('conflict', `email: ${email} is already in the team`)
      }
      await withdrawInvitations(tx, { projectId, email })
    }
    const inviterId = call.actor.accountId
    const secret = await createToken(deps, tx, { kind: 'invitation', projectId, role, email, inviterId })
    const subject = `${email ?? 'a person without an e-mail address'}, as ${role}`
    await alertOwners(deps, tx, { kind: 'invitation', projectId, actor: call.actor.accountName, subject })
    await record(deps, tx, call, {
      operation: 'inviteAccount',
      resource: `role=${role}${email ? ` email=${email}` : ''}`,
    })
    return linkTo(deps.config.publicUrl, secret)
  })
}

/** An invitation whose link still works, as the owners see it. */
export type ListedInvitation = {
  invitationId: string
  email: string | null
  role: Role
  expiresAt: string
}

const openInvitations = ({ now }: TeamDeps, projectId: string) =>
  and(
    eq(consoleTokens.kind, 'invitation'),
    eq(consoleTokens.projectId, projectId),
    gt(consoleTokens.expiresAt, new Date(now())),
  )

/** Names an invitation by a hash of its stored hash, so that a list shows nothing of what the database looks up. */
const idOf = ({ hash }: { hash: string }): string => hashSecret(hash).slice(0, 32)

/**
 * Lists the invitations to the caller's project that still work, the first to end first.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const listInvitations = async (deps: TeamDeps, { actor }: TeamCall): Promise<ListedInvitation[]> => {
  requireScope(actor, 'console.members')
  const rows = await deps.db
    .select()
    .from(consoleTokens)
    .where(openInvitations(deps, actor.projectId))
    .orderBy(asc(consoleTokens.expiresAt), asc(consoleTokens.hash))
  return rows.flatMap((row) =>
    row.role
      ? [
          {
            invitationId: idOf(row),
            email: row.email,
            role: row.role,
            expiresAt: row.expiresAt.toISOString(),
          },
        ]
      : [],
  )
}

/**
 * Withdraws an invitation: its link stops working.
 *
 * @throws {@link ServiceError} `forbidden`; `not-found`, also if it was used meanwhile.
 */
export const withdrawInvitation = (
  deps: TeamDeps,
  call: TeamCall,
  { invitationId }: { invitationId: string },
): Promise<void> => {
  const { actor } = call
  requireScope(actor, 'console.members')
  return deps.db.transaction(async (tx) => {
    await lockTeam(tx, actor.projectId)
    const rows = await tx.select().from(consoleTokens).where(openInvitations(deps, actor.projectId))
    const found = rows.find((row) => idOf(row) === invitationId)
    if (!found) throw new ServiceError('not-found', 'Not found')
    await tx.update(consoleTokens).set(ended).where(eq(consoleTokens.hash, found.hash))
    await record(deps, tx, call, {
      operation: 'withdrawInvitation',
      resource: `role=${found.role}${found.email ? ` email=${found.email}` : ''}`,
    })
  })
}

/**
 * Finds a member whose role is about to be taken away. The last owner keeps it, or nobody could give one again.
 *
 * @throws {@link ServiceError} `not-found`, also for another project's; `conflict` for the last owner.
 */
const findReplaceable = async (
  tx: Transaction,
  { projectId }: SessionActor,
  { accountId, role }: { accountId: string; role?: Role },
): Promise<Account> => {
  const isOwn = and(eq(consoleAccounts.id, accountId), eq(consoleAccounts.projectId, projectId))
  const [account] = isUuid(accountId) ? await tx.select().from(consoleAccounts).where(isOwn) : []
  if (!account) throw new ServiceError('not-found', 'Not found')
  if (account.role !== 'owner' || role === 'owner') return account
  const isOtherOwner = and(
    eq(consoleAccounts.projectId, projectId),
    eq(consoleAccounts.role, 'owner'),
    ne(consoleAccounts.id, accountId),
  )
  if (await tx.$count(consoleAccounts, isOtherOwner)) return account
  throw new ServiceError('conflict', 'A project needs an owner: make another person an owner first')
}

/**
 * Lists the server keys that a member made and that still work, oldest first.
 *
 * @throws {@link ServiceError} `forbidden`; `not-found`, also for another project's.
 */
export const listMemberKeys = async (
  deps: TeamDeps,
  { actor }: TeamCall,
  { accountId }: { accountId: string },
): Promise<ApiKey[]> => {
  requireScope(actor, 'console.members')
  const { projectId } = actor
  const members = await listAccounts(deps.db, projectId)
  if (!members.some(({ id }) => id === accountId)) throw new ServiceError('not-found', 'Not found')
  return (await listMadeKeys(deps, { projectId, accountId })).map((key) => viewKey(key, deps.now()))
}

/**
 * Reads which keys the caller takes over from a member.
 *
 * @throws {@link ServiceError} `input-invalid` for the caller's own keys.
 */
const readKept = (actor: SessionActor, accountId: string, keepKeys: readonly string[] = []) => {
  if (keepKeys.length && accountId === actor.accountId) {
    throw new ServiceError('input-invalid', 'keepKeys: only another owner can take your keys over')
  }
  return { isKept: (keyId: string) => keepKeys.includes(keyId), by: actor.accountId }
}

/**
 * Gives a member another role. It holds from the member's next request on. The member's invitations end if the role
 * may not invite, and the server keys that the member made lose the scopes that the role does not have.
 *
 * @param input.keepKeys - The ids of keys that the caller takes over as they are.
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`, `conflict` for the last owner.
 */
export const changeRole = (
  deps: TeamDeps,
  call: TeamCall,
  input: { accountId: string; role: string; keepKeys?: readonly string[] | undefined },
): Promise<ListedMember> => {
  const { actor } = call
  requireScope(actor, 'console.members')
  const role = readRole(input.role)
  const keep = readKept(actor, input.accountId, input.keepKeys)
  return deps.db.transaction(async (tx) => {
    await lockTeam(tx, actor.projectId)
    const account = await findReplaceable(tx, actor, { accountId: input.accountId, role })
    await tx.update(consoleAccounts).set({ role }).where(eq(consoleAccounts.id, account.id))
    const lost = { projectId: actor.projectId, accountId: account.id, role, keep }
    const keys = await endRole(deps, tx, lost)
    if (role === 'owner' && account.role !== 'owner') {
      const by = { actor: actor.accountName, subject: nameOf(account) }
      await alertOwners(deps, tx, { kind: 'role', projectId: actor.projectId, ...by })
    }
    await record(deps, tx, call, {
      operation: 'changeRole',
      resource: `${nameOf(account)} role=${role}${nameKeys(keys)}`,
    })
    return view({ ...account, role }, actor)
  })
}

/**
 * Removes a member with its passkeys, links, sessions and invitations, and revokes the server keys that it made. Its
 * next request is refused.
 *
 * @param input.keepKeys - The ids of keys that the caller takes over as they are.
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`, `conflict` for the last owner.
 */
export const removeMember = async (
  deps: TeamDeps,
  call: TeamCall,
  { accountId, keepKeys }: { accountId: string; keepKeys?: readonly string[] | undefined },
): Promise<void> => {
  const { actor } = call
  requireScope(actor, 'console.members')
  const keep = readKept(actor, accountId, keepKeys)
  await deps.db.transaction(async (tx) => {
    await lockTeam(tx, actor.projectId)
    const account = await findReplaceable(tx, actor, { accountId })
    await tx.delete(consoleAccounts).where(eq(consoleAccounts.id, account.id))
    const keys = await endRole(deps, tx, { projectId: actor.projectId, accountId: account.id, keep })
    const resource = `${nameOf(account)}${nameKeys(keys)}`
    await record(deps, tx, call, { operation: 'removeAccount', resource })
  })
}
