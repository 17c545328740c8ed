import { and, desc, eq, gt, lt, ne, or } from 'drizzle-orm'
import type { Actor, Call } from '#base/call.js'
import type { Config } from '#base/config/config.js'
import { explorerOf } from '#base/config/explorerOf.js'
import type { Transaction } from '#base/db/database.js'
import { consoleAccounts, consoleSessions, projects } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid, isUuid } from '#base/lib/uuid.js'
import type { Role } from '#base/scopes.js'
import { hashSecret, newSecret } from '../keys/secret.js'
import { type Account, nameOf } from './accounts.js'
import { type Act, recordAct } from './audit.js'
import { scopesOf } from './roles.js'

const hourMs = 60 * 60_000
/** A session that is not used ends after this time. */
const idleMs = 12 * hourMs
/** Every session ends after this time. */
export const sessionMs = 7 * 24 * hourMs
/** How exactly the last use is recorded, so that most requests write nothing. */
const seenMs = 60_000

/** The caller that a session stands for. */
export type SessionActor = Extract<Actor, { kind: 'session' }>

/** Finds the session of a cookie. */
export type SessionFinder = (token: string) => Promise<SessionActor>

const ended = () => new ServiceError('key-invalid', 'Your session has ended: sign in again')

/** Whether a session may still be used. */
const isAlive = (nowMs: number) =>
  and(gt(consoleSessions.expiresAt, new Date(nowMs)), gt(consoleSessions.seenAt, new Date(nowMs - idleMs)))

/**
 * Creates a finder of sessions. It reads the database for every request, so that a session that was ended, and a role
 * that was taken away, is refused at once by every process.
 */
export const createSessionFinder =
  ({ db, now }: Pick<Deps, 'db' | 'now'>): SessionFinder =>
  async (token) => {
    const nowMs = now()
    const [found] = await db
      .select({ session: consoleSessions, account: consoleAccounts })
      .from(consoleSessions)
      .innerJoin(consoleAccounts, eq(consoleAccounts.id, consoleSessions.accountId))
      .where(and(eq(consoleSessions.tokenHash, hashSecret(token)), isAlive(nowMs)))
    if (!found) throw ended()
    const { session, account } = found
    if (nowMs - session.seenAt.getTime() > seenMs) {
      await db
        .update(consoleSessions)
        .set({ seenAt: new Date(nowMs) })
        .where(eq(consoleSessions.id, session.id))
    }
    const { projectId, role } = account
    return {
      kind: 'session',
      sessionId: session.id,
      accountId: account.id,
      accountName: nameOf(account),
      role,
      projectId,
      scopes: scopesOf(role),
      ...(session.confirmedAt && { confirmedAtMs: session.confirmedAt.getTime() }),
    }
  }

type SignIn = {
  /** How the person signed in. */
  operation: 'acceptInvitation' | 'signInByEmail' | 'signInByPasskey'
  account: Account
  client: Call['client']
  /** The cookie that the browser sent, whose session ends. */
  oldToken?: string | undefined
}

/** Returns what the audit log says of an account. */
export const describe = (account: Account) => ({
  projectId: account.projectId,
  accountId: account.id,
  actor: nameOf(account),
})

type RefusedSignIn = Pick<SignIn, 'operation' | 'client'> &
  Pick<Act, 'projectId' | 'actor'> & { accountId?: string }

/** Writes an attempt to sign in to the audit log of the project that it was refused. */
export const recordRefusedSignIn = async (
  deps: Pick<Deps, 'db' | 'randomBytes' | 'now'>,
  { client: { ipAddress }, ...act }: RefusedSignIn,
): Promise<void> => {
  const outcome = 'refused' as const
  await recordAct(deps, deps.db, { ...act, outcome, resource: '', ...(ipAddress && { ipAddress }) })
}

/**
 * Starts a session under a new secret. It never takes over the secret that a browser brings, so an attacker who plants
 * one does not share the session.
 *
 * @returns The secret, for the cookie.
 */
export const startSession = async (
  deps: Pick<Deps, 'randomBytes' | 'now'>,
  tx: Transaction,
  { operation, account, client, oldToken }: SignIn,
): Promise<string> => {
  const { randomBytes, now } = deps
  if (oldToken) await tx.delete(consoleSessions).where(eq(consoleSessions.tokenHash, hashSecret(oldToken)))
  const token = newSecret('session', randomBytes)
  const at = new Date(now())
  const { ipAddress, userAgent } = client
  await tx.insert(consoleSessions).values({
    id: createUuid(randomBytes),
    tokenHash: hashSecret(token),
    accountId: account.id,
    createdAt: at,
    seenAt: at,
    expiresAt: new Date(now() + sessionMs),
    ipAddress,
    userAgent,
  })
  await recordAct(deps, tx, {
    ...describe(account),
    operation,
    resource: '',
    outcome: 'succeeded',
    ...(ipAddress && { ipAddress }),
  })
  return token
}

/** Records that the person of a session has confirmed to be there. */
export const confirmSession = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { sessionId }: SessionActor,
): Promise<void> => {
  await db
    .update(consoleSessions)
    .set({ confirmedAt: new Date(now()) })
    .where(eq(consoleSessions.id, sessionId))
}

/** Returns the explorer of each chain that has one, for links to transactions. */
const listExplorers = ({ config, chains }: Pick<Deps, 'config' | 'chains'>): Record<string, string> =>
  Object.fromEntries(
    chains.enabled.flatMap((chain) => {
      const isLocal = config.chains[chain]?.rpcUrl === undefined
      const url = explorerOf(config, { chain, isLocal })
      return url === undefined ? [] : [[chain, url]]
    }),
  )

/** What the console's pages show of a session, and of the project that it is for. */
export type SessionView = {
  sessionId: string
  account: { accountId: string; name: string; role: Role }
  projectId: string
  scopes: readonly string[]
  projectName: string | undefined
  environment: Config['environment']
  /** The service's own name in collection locators. */
  namespace: string
  /** The enabled chains. */
  chains: readonly string[]
  /** The explorer of each chain. */
  explorers: Record<string, string>
}

/** Returns what the console's pages show of a session. */
export const viewSession = async (
  deps: Pick<Deps, 'db' | 'config' | 'chains'>,
  { sessionId, accountId, accountName, role, scopes, projectId }: SessionActor,
): Promise<SessionView> => {
  const [project] = await deps.db.select().from(projects).where(eq(projects.id, projectId))
  return {
    sessionId,
    account: { accountId, name: accountName, role },
    projectId,
    scopes,
    projectName: project?.displayName ?? project?.name,
    environment: deps.config.environment,
    namespace: deps.config.namespace,
    chains: deps.chains.enabled,
    explorers: listExplorers(deps),
  }
}

/** A session as its account sees it. */
export type ListedSession = {
  sessionId: string
  /** Whether it is the one that asks. */
  isCurrent: boolean
  createdAt: string
  seenAt: string
  ipAddress?: string
  userAgent?: string
}

/** Lists the sessions of the caller's account, the last used first. */
export const listSessions = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { accountId, sessionId }: SessionActor,
): Promise<ListedSession[]> => {
  const rows = await db
    .select()
    .from(consoleSessions)
    .where(and(eq(consoleSessions.accountId, accountId), isAlive(now())))
    .orderBy(desc(consoleSessions.seenAt))
  return rows.map(({ id, createdAt, seenAt, ipAddress, userAgent }) => ({
    sessionId: id,
    isCurrent: id === sessionId,
    createdAt: createdAt.toISOString(),
    seenAt: seenAt.toISOString(),
    ...(ipAddress !== null && { ipAddress }),
    ...(userAgent !== null && { userAgent }),
  }))
}

/**
 * Ends a session of the caller's account.
 *
 * @throws {@link ServiceError} `not-found`, also for another account's.
 */
export const endSession = async (
  { db }: Pick<Deps, 'db'>,
  { accountId }: SessionActor,
  sessionId: string,
): Promise<void> => {
  const isOwn = and(eq(consoleSessions.id, sessionId), eq(consoleSessions.accountId, accountId))
  const gone = isUuid(sessionId)
    ? await db.delete(consoleSessions).where(isOwn).returning({ id: consoleSessions.id })
    : []
  if (!gone.length) throw new ServiceError('not-found', 'Not found')
}

/** Ends all other sessions of the caller's account. */
export const endOtherSessions = async (
  { db }: Pick<Deps, 'db'>,
  { accountId, sessionId }: SessionActor,
): Promise<void> => {
  await db
    .delete(consoleSessions)
    .where(and(eq(consoleSessions.accountId, accountId), ne(consoleSessions.id, sessionId)))
}

/** Deletes the sessions that have ended. */
export const forgetSessions = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> => {
  await db
    .delete(consoleSessions)
    .where(
      or(
        lt(consoleSessions.expiresAt, new Date(now())),
        lt(consoleSessions.seenAt, new Date(now() - idleMs)),
      ),
    )
}
