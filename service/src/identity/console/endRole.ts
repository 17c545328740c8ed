import { and, asc, eq, gt, isNull, or } from 'drizzle-orm'
import { afterCommit } from '#base/db/commitTasks.js'
import type { Database, Transaction } from '#base/db/database.js'
import { apiKeys, consoleTokens } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { Role } from '#base/scopes.js'
import type { StoredKey } from '../keys/apiKeys.js'
import { scopesOf } from './roles.js'
import { ended } from './tokens.js'

/**
 * Lists the server keys that an account made and that still work, oldest first. A client key is public, so its maker
 * has no more of it than everyone else.
 */
export const listMadeKeys = (
  { db, now }: { db: Database } & Pick<Deps, 'now'>,
  { projectId, accountId }: { projectId: string; accountId: string },
): Promise<StoredKey[]> =>
  db
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.projectId, projectId),
        eq(apiKeys.makerId, accountId),
        eq(apiKeys.kind, 'server'),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, new Date(now()))),
      ),
    )
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))

type EndRoleInput = {
  projectId: string
  accountId: string
  /** The role that the account has from now on; without one, it is removed. */
  role?: Role
  /** The keys that another person takes over as they are. By default none. */
  keep?: { isKept(keyId: string): boolean; by: string | null }
}

/**
 * Ends what an account made with a role that it loses: its invitations, and the scopes of its keys that its role does
 * not have any more. The caller has locked the team.
 *
 * @returns The keys that lost scopes. Those that have none left are revoked.
 */
export const endRole = async (
  { now, notices }: Pick<Deps, 'now' | 'notices'>,
  tx: Transaction,
  { projectId, accountId, role, keep }: EndRoleInput,
): Promise<StoredKey[]> => {
  const left = role ? scopesOf(role) : []
  if (!left.includes('console.members')) {
    await tx.update(consoleTokens).set(ended).where(eq(consoleTokens.inviterId, accountId))
  }
  const changed: StoredKey[] = []
  for (const key of await listMadeKeys({ db: tx, now }, { projectId, accountId })) {
    const isIt = eq(apiKeys.id, key.id)
    const scopes = key.scopes.filter((scope) => left.includes(scope))
    if (scopes.length === key.scopes.length) continue
    if (keep?.isKept(key.id)) {
      await tx.update(apiKeys).set({ makerId: keep.by }).where(isIt)
      continue
    }
    const change = scopes.length ? { scopes } : { revokedAt: new Date(now()) }
    await tx.update(apiKeys).set(change).where(isIt)
    afterCommit(tx, () => notices.tell('keys', key.id))
    changed.push({ ...key, ...change })
  }
  return changed
}
