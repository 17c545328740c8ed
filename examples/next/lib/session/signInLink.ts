import { randomUUID } from 'node:crypto'
import { readSessionSecret } from './sessionSecret'
import { type Claim, readToken, writeToken } from './token'

const lifetimeMs = 15 * 60_000

declare global {
  /** The links that were used, and until when they would count. A shop on several servers keeps them in its database. */
  var shopUsedLinks: Map<string, number> | undefined
}

const used = (): Map<string, number> => {
  globalThis.shopUsedLinks ??= new Map()
  return globalThis.shopUsedLinks
}

/** Makes what opens a session for whoever reads the mails of an address, once, within a quarter of an hour. */
export const createSignInToken = (email: string): string =>
  writeToken(readSessionSecret(process.env), 'sign-in', {
    id: randomUUID(),
    email,
    expiresAtMs: Date.now() + lifetimeMs,
  })

/** What a link that still counts says; undefined for any other. Looking does not use it up. */
export const readSignInToken = (token: string): Claim | undefined => {
  const claim = readToken(readSessionSecret(process.env), 'sign-in', token, Date.now())
  return claim && !used().has(claim.id) ? claim : undefined
}

/** Takes a link for good: the second time, it says nothing. */
export const takeSignInToken = (token: string): Claim | undefined => {
  const claim = readSignInToken(token)
  if (!claim) return undefined
  const now = Date.now()
  for (const [id, expiresAtMs] of used()) if (expiresAtMs < now) used().delete(id)
  used().set(claim.id, claim.expiresAtMs)
  return claim
}
