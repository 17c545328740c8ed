import { and, asc, eq, gt, ne } from 'drizzle-orm'
import { requireScope } from '../authorize.js'
import type { Role } from '../call.js'
import type { Transaction } from '../db/database.js'
import { consoleAccounts, consoleTokens } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { hashSecret } from '../keys/secret.js'
import { isUuid } from '../lib/uuid.js'
import {
  type Account,
  linkTo,
  listAccounts,
  lockTeam,
  nameOf,
  readEmail,
  readRole,
  withdrawInvitations,
} from './accounts.js'
import { recordAct } from './audit.js'
import type { SessionActor } from './sessions.js'
import { createToken } from './tokens.js'

type TeamDeps = Pick<Deps, 'db' | 'now' | 'randomBytes' | 'config'>

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
  ...{ accountId: account.id, name: nameOf(account), role: account.role },
  ...{ createdAt: account.createdAt.toISOString(), isCurrent: account.id === accountId },
})

const record = (
  deps: TeamDeps,
  tx: Transaction,
  { actor, requestId, ipAddress }: TeamCall,
  act: { operation: string; resource: string },
) =>
  recordAct(deps, tx, {
    ...{ projectId: actor.projectId, accountId: actor.accountId, actor: actor.accountName },
    ...{ ...act, outcome: 'succeeded', requestId, ...(ipAddress && { ipAddress }) },
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

/**
 * Invites a person to the team. An e-mail address that has an account is refused, because the link would open it. A
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
    if (email !== null) {
      const isSame = and(eq(consoleAccounts.projectId, projectId), eq(consoleAccounts.email, email))
      if (await tx.$count(consoleAccounts, isSame)) {
        throw new ServiceError('conflict', `email: ${email} is already in the team`)
      }
      await withdrawInvitations(tx, { projectId, email })
    }
    const secret = await createToken(deps, tx, { kind: 'invitation', projectId, role, email })
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
    ...[eq(consoleTokens.kind, 'invitation'), eq(consoleTokens.projectId, projectId)],
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
            ...{ invitationId: idOf(row), email: row.email, role: row.role },
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
    await tx.delete(consoleTokens).where(eq(consoleTokens.hash, found.hash))
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
    ...[eq(consoleAccounts.projectId, projectId), eq(consoleAccounts.role, 'owner')],
    ne(consoleAccounts.id, accountId),
  )
  if (await tx.$count(consoleAccounts, isOtherOwner)) return account
  throw new ServiceError('conflict', 'A project needs an owner: make another person an owner first')
}

/**
 * Gives a member another role. It holds from the member's next request on.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`, `conflict` for the last owner.
 */
export const changeRole = (
  deps: TeamDeps,
  call: TeamCall,
  input: { accountId: string; role: string },
): Promise<ListedMember> => {
  const { actor } = call
  requireScope(actor, 'console.members')
  const role = readRole(input.role)
  return deps.db.transaction(async (tx) => {
    await lockTeam(tx, actor.projectId)
    const account = await findReplaceable(tx, actor, { accountId: input.accountId, role })
    await tx.update(consoleAccounts).set({ role }).where(eq(consoleAccounts.id, account.id))
    await record(deps, tx, call, { operation: 'changeRole', resource: `${nameOf(account)} role=${role}` })
    return view({ ...account, role }, actor)
  })
}

/**
 * Removes a member with its passkeys, links and sessions. Its next request is refused.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict` for the last owner.
 */
export const removeMember = async (
  deps: TeamDeps,
  call: TeamCall,
  { accountId }: { accountId: string },
): Promise<void> => {
  const { actor } = call
  requireScope(actor, 'console.members')
  await deps.db.transaction(async (tx) => {
    await lockTeam(tx, actor.projectId)
    const account = await findReplaceable(tx, actor, { accountId })
    await tx.delete(consoleAccounts).where(eq(consoleAccounts.id, account.id))
    await record(deps, tx, call, { operation: 'removeAccount', resource: nameOf(account) })
  })
}
