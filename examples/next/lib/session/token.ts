import { createHmac, timingSafeEqual } from 'node:crypto'
import { isRecord, readNumber, readText } from '../read'

/** What a token is for: one that was made for one thing opens no other. */
export type TokenPurpose = 'sign-in' | 'session'

/** What a token says: whose it is, until when it counts, and the id by which it is told from others. */
export type Claim = { id: string; email: string; expiresAtMs: number }

const sign = (secret: string, purpose: TokenPurpose, payload: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}.${payload}`).digest()

/** Writes a claim so that only this shop can have written it. It is signed, not hidden: a secret is never in one. */
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
 * @returns What it says; undefined when this shop did not write it for this purpose, or its time is over.
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
