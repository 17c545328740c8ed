import { and, asc, eq } from 'drizzle-orm'
import type { Call } from '../call.js'
import { consoleAccounts, consolePasskeys } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import type { SessionActor } from './sessions.js'
import { startSession } from './sessions.js'
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
export const startRegistration = async (deps: PasskeyDeps, actor: SessionActor): Promise<object> => {
  const { accountId, accountName } = actor
  const { rpID } = partyOf(deps)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const known = await deps.db.select().from(consolePasskeys).where(eq(consolePasskeys.accountId, accountId))
  return generateRegistrationOptions({
    ...{ rpName: 'Kassa', rpID, userName: accountName, userID: Uint8Array.from(Buffer.from(accountId)) },
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
  deps: PasskeyDeps,
  { accountId }: SessionActor,
  response: RegistrationResponse,
): Promise<{ passkeyId: string }> => {
  const { rpID, origin } = partyOf(deps)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const isExpected = async (challenge: string): Promise<boolean> => {
    const token = await takeToken(deps, deps.db, { kind: 'registration', secret: challenge })
    return token?.accountId === accountId
  }
  const { registrationInfo } = await verifyRegistrationResponse({
    ...{ response, expectedChallenge: isExpected, expectedOrigin: origin, expectedRPID: rpID },
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new ServiceError('input-invalid', 'response: not the answer to a challenge of this account', {
      cause,
    })
  })
  if (!registrationInfo) throw new ServiceError('input-invalid', 'response: its signature is invalid')
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const [added] = await deps.db
    .insert(consolePasskeys)
    .values({ id, accountId, publicKey, counter, transports, createdAt: new Date(deps.now()) })
    .onConflictDoNothing()
    .returning({ id: consolePasskeys.id })
  if (!added) throw new ServiceError('conflict', 'response: this passkey is already registered')
  return { passkeyId: id }
}

/** Starts to sign in with any passkey that a browser has for the console. */
export const startPasskeySignIn = async (deps: PasskeyDeps): Promise<object> => {
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
  const { rpID, origin } = partyOf(deps)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const [known] = await deps.db
    .select({ passkey: consolePasskeys, account: consoleAccounts })
    .from(consolePasskeys)
    .innerJoin(consoleAccounts, eq(consoleAccounts.id, consolePasskeys.accountId))
    .where(eq(consolePasskeys.id, response.id))
  if (!known) throw refuse()
  const { passkey, account } = known
  const isExpected = async (challenge: string): Promise<boolean> =>
    (await takeToken(deps, deps.db, { kind: 'challenge', secret: challenge })) !== undefined
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...{ response, expectedChallenge: isExpected, expectedOrigin: origin, expectedRPID: rpID },
    credential: { ...passkey, publicKey: Uint8Array.from(passkey.publicKey) },
    requireUserVerification: true,
  }).catch(() => {
    throw refuse()
  })
  if (!verified) throw refuse()
  return deps.db.transaction(async (tx) => {
    await tx
      .update(consolePasskeys)
      .set({ counter: authenticationInfo.newCounter, usedAt: new Date(deps.now()) })
      .where(eq(consolePasskeys.id, passkey.id))
    return startSession(deps, tx, { ...browser, operation: 'signInByPasskey', account })
  })
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
