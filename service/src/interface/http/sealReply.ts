import { hkdfSync } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { seal, unseal } from '#base/lib/seal.js'

const context = 'kassa remembered reply, compressed'
/** What earlier releases remembered. None of it is left a day after the upgrade. */
const uncompressedContext = 'kassa remembered reply'

/**
 * Derives a key that requires both the credential and the idempotency key. The database has only hashes of
 * both.
 */
const keyFor = (credential: string, idempotencyKey: string, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', credential, idempotencyKey, info, 32))

/** Compresses and encrypts a reply for the caller who may ask for it again. The database cannot compress what is encrypted. */
export const sealReply = (
  body: string,
  credential: string,
  idempotencyKey: string,
  randomBytes: (length: number) => Uint8Array,
): Uint8Array =>
  Uint8Array.from(seal(gzipSync(body), keyFor(credential, idempotencyKey, context), context, randomBytes))

/** Decrypts a reply of {@link sealReply}, for the same caller and idempotency key. */
export const openReply = (sealed: Uint8Array, credential: string, idempotencyKey: string): string => {
  const unsealAs = (info: string) => unseal(sealed, keyFor(credential, idempotencyKey, info), info)
  try {
    return gunzipSync(unsealAs(context)).toString('utf8')
  } catch {
    return Buffer.from(unsealAs(uncompressedContext)).toString('utf8')
  }
}
