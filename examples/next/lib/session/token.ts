import { createHmac, timingSafeEqual } from 'node:crypto'
import { isRecord, readNumber, readText } from '../read'

/** The purpose of a token. A token made for one purpose is invalid for another. */
export type TokenPurpose = 'sign-in' | 'session'

/** A token's content: its owner, its expiry, and its id. */
export type Claim = { id: string; email: string; expiresAtMs: number }

const sign = (secret: string, purpose: TokenPurpose, payload: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}.${payload}`).digest()

/**
 * Signs a claim, so that only this shop can have written it. The content is readable, so it never holds a
 * secret.
 */
export const writeToken = (secret: string, purpose: TokenPurpose, claim: Claim): string => {
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url')
  return `${payload}.${sign(secret, purpose, payload).toString('base64url')}`
}

const parse = (payload: string): Claim | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    if (!isRecord(value)) return undefined
    const [id, email, expiresAtMs] = [
      readText(value.id),
      readText(value.email),
      readNumber(value.expiresAtMs),
    ]
    return id && email && expiresAtMs !== undefined ? { id, email, expiresAtMs } : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads a token.
 *
 * @returns Its claim; undefined when this shop did not sign it for this purpose, or it has expired.
 */
export const readToken = (
  secret: string,
  purpose: TokenPurpose,
  token: string,
  nowMs: number,
): Claim | undefined => {
  const [payload, signature, ...rest] = token.split('.')
  if (!payload || !signature || rest.length > 0) return undefined
  const [given, expected] = [Buffer.from(signature, 'base64url'), sign(secret, purpose, payload)]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const claim = parse(payload)
  return claim && claim.expiresAtMs > nowMs ? claim : undefined
}
