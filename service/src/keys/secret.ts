import { createHash, timingSafeEqual } from 'node:crypto'

/** Makes a secret of 256 random bits that says by its prefix what it is. */
export const newSecret = (prefix: string, randomBytes: (length: number) => Uint8Array): string =>
  `${prefix}_${Buffer.from(randomBytes(32)).toString('base64url')}`

/** What is kept of a secret: its SHA-256, in hex. Enough to recognise it, useless to anyone who reads it. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Whether a secret is the one of which a hash was kept, in a time that does not depend on the answer. */
export const isSecret = (secret: string, hash: string): boolean => {
  const given = Buffer.from(hashSecret(secret), 'hex')
  const kept = Buffer.from(hash, 'hex')
  return given.length === kept.length && timingSafeEqual(given, kept)
}
