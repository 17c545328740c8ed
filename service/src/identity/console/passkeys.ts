import { and, asc, eq } from 'drizzle-orm'
import type { Call } from '#base/call.js'
import { consoleAccounts, consolePasskeys } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { alertOwners } from '../projects/alertOwners.js'
import type { SessionActor } from './sessions.js'
import { confirmSession, describe, recordRefusedSignIn, startSession } from './sessions.js'
import { createToken, type Token, takeToken } from './tokens.js'

// Loaded with the first use: a service whose console is not opened starts without it.
const loadWebAuthn = () => import('@simplewebauthn/server')

type WebAuthn = Awaited<ReturnType<typeof loadWebAuthn>>
type RegistrationResponse = Parameters<WebAuthn['verifyRegistrationResponse']>[0]['response']
type AuthenticationResponse = Parameters<WebAuthn['verifyAuthenticationResponse']>[0]['response']

type PasskeyDeps = Pick<Deps, 'db' | 'now' | 'randomBytes' | 'config'>

/** Passkeys are bound to the host and the origin of the console. */
const partyOf = ({ config }: PasskeyDeps) => {
  const { hostname, origin } = new URL(config.publicUrl)
  return { rpID: hostname, origin }
}

const refuse = () => new ServiceError('key-invalid', 'This passkey does not belong to an account here')

/** Stores the hash of a new challenge, so that it is accepted once. */
const newChallenge = async (
  deps: PasskeyDeps,
  token: Pick<Token, 'kind'> & { accountId?: string },
): Promise<Uint8Array<ArrayBuffer>> => {
  const challenge = Uint8Array.from(deps.randomBytes(32))
  const secret = Buffer.from(challenge).toString('base64url')
  await createToken(deps, deps.db, { ...token, secret })
  return challenge
}

/** Starts to register a passkey for the caller's account. */
export const startRegistration = async (
  deps: PasskeyDeps,
  actor: SessionActor,
): ReturnType<WebAuthn['generateRegistrationOptions']> => {
  const { accountId, accountName } = actor
  const { rpID } = partyOf(deps)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const known = await deps.db.select().from(consolePasskeys).where(eq(consolePasskeys.accountId, accountId))
  return generateRegistrationOptions({
    rpName: 'Kassa',
    rpID,
    userName: accountName,
    userID: Uint8Array.from(Buffer.from(accountId)),
    challenge: await newChallenge(deps, { kind: 'registration', accountId }),
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/**
 * Stores a passkey of the caller's account.
 *
 * @throws {@link ServiceError} `input-invalid` if it does not answer a challenge of this account, or did not verify
 * its user.
 */
export const addPasskey = async (
  deps: PasskeyDeps & Pick<Deps, 'jobs'>,
  { accountId, accountName, projectId }: SessionActor,
  response: RegistrationResponse,
): Promise<{ passkeyId: string }> => {
  const { rpID, origin } = partyOf(deps)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const isExpected = async (challenge: string): Promise<boolean> => {
    const token = await takeToken(deps, deps.db, { kind: 'registration', secret: challenge })
    return token?.accountId === accountId
  }
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: isExpected,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new ServiceError('input-invalid', 'response: not the answer to a challenge of this account', {
      cause,
    })
  })
  if (!registrationInfo) throw new ServiceError('input-invalid', 'response: its signature is invalid')
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  await deps.db.transaction(async (tx) => {
    const [added] = await tx
      .insert(consolePasskeys)
      .values({ id, accountId, publicKey, counter, transports, createdAt: new Date(deps.now()) })
      .onConflictDoNothing()
      .returning({ id: consolePasskeys.id })
    if (!added) throw new ServiceError('conflict', 'response: this passkey is already registered')
    const by = { actor: accountName, subject: accountName }
    await alertOwners(deps, tx, { kind: 'passkey', projectId, accountId, ...by })
  })
  return { passkeyId: id }
}

/** Starts to sign in with any passkey that a browser has for the console. */
export const startPasskeySignIn = async (
  deps: PasskeyDeps,
): ReturnType<WebAuthn['generateAuthenticationOptions']> => {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: partyOf(deps).rpID,
    challenge: await newChallenge(deps, { kind: 'challenge' }),
    userVerification: 'required',
  })
}

type PasskeySignIn = {
  response: AuthenticationResponse
  client: Call['client']
  oldToken?: string | undefined
}

/** Finds a passkey and its account. */
const findPasskey = async ({ db }: Pick<Deps, 'db'>, id: string) => {
  const [known] = await db
    .select({ passkey: consolePasskeys, account: consoleAccounts })
    .from(consolePasskeys)
    .innerJoin(consoleAccounts, eq(consoleAccounts.id, consolePasskeys.accountId))
    .where(eq(consolePasskeys.id, id))
  if (!known) throw refuse()
  return known
}

/** Verifies the answer of a passkey to a challenge to sign in, which is used up, and records its use. */
const verifyPasskey = async (
  deps: PasskeyDeps,
  response: AuthenticationResponse,
  passkey: typeof consolePasskeys.$inferSelect,
): Promise<void> => {
  const { rpID, origin } = partyOf(deps)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const isExpected = async (challenge: string): Promise<boolean> =>
    (await takeToken(deps, deps.db, { kind: 'challenge', secret: challenge })) !== undefined
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: isExpected,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { ...passkey, publicKey: Uint8Array.from(passkey.publicKey) },
    requireUserVerification: true,
  }).catch(() => {
    throw refuse()
  })
  if (!verified) throw refuse()
  await deps.db
    .update(consolePasskeys)
    .set({ counter: authenticationInfo.newCounter, usedAt: new Date(deps.now()) })
    .where(eq(consolePasskeys.id, passkey.id))
}

/**
 * Signs in with a passkey.
 *
 * @returns The secret of the session, for the cookie.
 * @throws {@link ServiceError} `key-invalid`, with one message for an unknown passkey and for a wrong answer.
 */
export const signInByPasskey = async (
  deps: PasskeyDeps,
  { response, ...browser }: PasskeySignIn,
): Promise<string> => {
  const { passkey, account } = await findPasskey(deps, response.id)
  const operation = 'signInByPasskey'
  await verifyPasskey(deps, response, passkey).catch(async (error: unknown) => {
    await recordRefusedSignIn(deps, { operation, ...describe(account), client: browser.client })
    throw error
  })
  return deps.db.transaction((tx) => startSession(deps, tx, { ...browser, operation, account }))
}

/** How long a passkey only signs in, so that the owners hear of a new one before it confirms anything. */
const newMs = 24 * 60 * 60_000

/**
 * Confirms with a passkey that the person of a session is there.
 *
 * @throws {@link ServiceError} `key-invalid`; `forbidden` for a passkey that was added less than a day ago.
 */
export const confirmByPasskey = async (
  deps: PasskeyDeps,
  actor: SessionActor,
  response: AuthenticationResponse,
): Promise<void> => {
  const { passkey } = await findPasskey(deps, response.id)
  if (passkey.accountId !== actor.accountId) throw refuse()
  await verifyPasskey(deps, response, passkey)
  if (deps.now() - passkey.createdAt.getTime() < newMs) {
    const message = 'This passkey was added less than a day ago: confirm with an older one, or by e-mail'
    throw new ServiceError('forbidden', message)
  }
  await confirmSession(deps, actor)
}

/** A passkey as its account sees it. */
export type ListedPasskey = { passkeyId: string; createdAt: string; usedAt?: string }

/** Lists the passkeys of the caller's account, oldest first. */
export const listPasskeys = async (
  { db }: Pick<Deps, 'db'>,
  { accountId }: SessionActor,
): Promise<ListedPasskey[]> => {
  const rows = await db
    .select()
    .from(consolePasskeys)
    .where(eq(consolePasskeys.accountId, accountId))
    .orderBy(asc(consolePasskeys.createdAt))
  return rows.map(({ id, createdAt, usedAt }) => ({
    passkeyId: id,
    createdAt: createdAt.toISOString(),
    ...(usedAt && { usedAt: usedAt.toISOString() }),
  }))
}

/**
 * Removes a passkey of the caller's account.
 *
 * @throws {@link ServiceError} `not-found`, also for another account's.
 */
export const removePasskey = async (
  { db }: Pick<Deps, 'db'>,
  { accountId }: SessionActor,
  passkeyId: string,
): Promise<void> => {
  const gone = await db
    .delete(consolePasskeys)
    .where(and(eq(consolePasskeys.id, passkeyId), eq(consolePasskeys.accountId, accountId)))
    .returning({ id: consolePasskeys.id })
  if (!gone.length) throw new ServiceError('not-found', 'Not found')
}
