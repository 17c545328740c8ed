import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** A key that only who holds the credential and the idempotency key can derive: the database has hashes of both. */
const keyFor = (credential: string, idempotencyKey: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', credential, idempotencyKey, 'kassa remembered reply', 32))

/** Encrypts a reply for the caller who may ask for it again. */
export const sealReply = (
  body: string,
  credential: string,
  idempotencyKey: string,
  randomBytes: (length: number) => Uint8Array,
): Uint8Array => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(credential, idempotencyKey), iv)
  const sealed = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()])
  return Uint8Array.from(Buffer.concat([iv, cipher.getAuthTag(), sealed]))
}

/** Decrypts what {@link sealReply} made, for the same caller and idempotency key. */
export const openReply = (sealed: Uint8Array, credential: string, idempotencyKey: string): string => {
  const key = keyFor(credential, idempotencyKey)
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  )
}
