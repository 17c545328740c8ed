import { hkdfSync } from 'node:crypto'
import { seal, unseal } from '../seal.js'

const context = 'kassa remembered reply'

/** A key that only who holds the credential and the idempotency key can derive: the database has hashes of both. */
const keyFor = (credential: string, idempotencyKey: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', credential, idempotencyKey, context, 32))

/** Encrypts a reply for the caller who may ask for it again. */
export const sealReply = (
  body: string,
  credential: string,
  idempotencyKey: string,
  randomBytes: (length: number) => Uint8Array,
): Uint8Array =>
  Uint8Array.from(seal(Buffer.from(body), keyFor(credential, idempotencyKey), context, randomBytes))

/** Decrypts what {@link sealReply} made, for the same caller and idempotency key. */
export const openReply = (sealed: Uint8Array, credential: string, idempotencyKey: string): string =>
  Buffer.from(unseal(sealed, keyFor(credential, idempotencyKey), context)).toString('utf8')
