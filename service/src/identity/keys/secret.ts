import { createHash, timingSafeEqual } from 'node:crypto'

/** Creates a secret of 256 random bits whose prefix shows its kind. */
export const newSecret = (prefix: string, randomBytes: (length: number) => Uint8Array): string =>
  `${prefix}_${Buffer.from(randomBytes(32)).toString('base64url')}`

/**
 * Returns the stored form of a secret: its SHA-256, in hex. It suffices to recognise the secret and is
 * useless to a reader of the database.
 */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Whether a secret matches a stored hash, in constant time. */
export const isSecret = (secret: string, hash: string): boolean => {
  const given = Buffer.from(hashSecret(secret), 'hex')
  const kept = Buffer.from(hash, 'hex')
  return given.length === kept.length && timingSafeEqual(given, kept)
}
