import { randomUUID } from 'node:crypto'
import { readSessionSecret } from './sessionSecret'
import { type Claim, readToken, writeToken } from './token'

const lifetimeMs = 15 * 60_000

declare global {
  /** The used links with their expiry. A shop on several servers keeps them in its database. */
  var shopUsedLinks: Map<string, number> | undefined
}

const used = (): Map<string, number> => {
  globalThis.shopUsedLinks ??= new Map()
  return globalThis.shopUsedLinks
}

/** Creates a token that signs in the reader of an address's e-mails, once, within 15 minutes. */
export const createSignInToken = (email: string): string =>
  writeToken(readSessionSecret(process.env), 'sign-in', {
    id: randomUUID(),
    email,
    expiresAtMs: Date.now() + lifetimeMs,
  })

/** Returns the claim of a valid link, or undefined. Reading does not consume it. */
export const readSignInToken = (token: string): Claim | undefined => {
  const claim = readToken(readSessionSecret(process.env), 'sign-in', token, Date.now())
  return claim && !used().has(claim.id) ? claim : undefined
}

/** Consumes a link. A second call returns undefined. */
export const takeSignInToken = (token: string): Claim | undefined => {
  const claim = readSignInToken(token)
  if (!claim) return undefined
  const now = Date.now()
  for (const [id, expiresAtMs] of used()) if (expiresAtMs < now) used().delete(id)
  used().set(claim.id, claim.expiresAtMs)
  return claim
}
