import { and, eq, gt, inArray, lt, not, or } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { consoleTokens } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { hashSecret, newSecret } from '../keys/secret.js'

const minuteMs = 60_000

/** How long each kind of secret works. */
const lifetimesMs = {
  invitation: 24 * 60 * minuteMs,
  'sign-in': 15 * minuteMs,
  challenge: 5 * minuteMs,
  registration: 5 * minuteMs,
  confirmation: 15 * minuteMs,
} as const

/** A secret that works once, as the database stores it: without the secret itself. */
export type Token = typeof consoleTokens.$inferSelect

type TokenInput = Pick<Token, 'kind'> &
  Partial<Pick<Token, 'projectId' | 'role' | 'email' | 'accountId' | 'inviterId' | 'networkHash'>> & {
    /** The secret. By default, a new one. */
    secret?: string
  }

/** Creates a secret that works once, and stores its hash. */
export const createToken = async (
  { randomBytes, now }: Pick<Deps, 'randomBytes' | 'now'>,
  tx: Database,
  { secret = newSecret('once', randomBytes), ...token }: TokenInput,
): Promise<string> => {
  const createdAt = new Date(now())
  const expiresAt = new Date(now() + lifetimesMs[token.kind])
  await tx.insert(consoleTokens).values({ ...token, hash: hashSecret(secret), createdAt, expiresAt })
  return secret
}

/**
 * What a secret that no longer works has. Its row stays until expired ones are deleted, so that a later attempt can be
 * written to the audit log.
 */
export const ended = { expiresAt: new Date(0) }

/**
 * Uses up a secret. Of two callers at the same moment, the second waits for the row of the first, and finds it expired.
 *
 * @returns `undefined` if it is unknown, used, or expired.
 */
export const takeToken = async (
  { now }: Pick<Deps, 'now'>,
  tx: Database,
  { kind, secret }: { kind: Token['kind']; secret: string },
): Promise<Token | undefined> => {
  const [token] = await tx
    .update(consoleTokens)
    .set(ended)
    .where(
      and(
        eq(consoleTokens.hash, hashSecret(secret)),
        eq(consoleTokens.kind, kind),
        gt(consoleTokens.expiresAt, new Date(now())),
      ),
    )
    .returning()
  return token
}

/** How long a link is known, so that an attempt with one that ended is written to the audit log. */
const knownMs = 48 * 60 * minuteMs

/** Deletes the secrets that have expired: challenges and codes at once, links two days after they were made. */
export const forgetTokens = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> => {
  const isLink = inArray(consoleTokens.kind, ['invitation', 'sign-in'])
  const isOld = lt(consoleTokens.createdAt, new Date(now() - knownMs))
  await db
    .delete(consoleTokens)
    .where(and(lt(consoleTokens.expiresAt, new Date(now())), or(not(isLink), isOld)))
}
