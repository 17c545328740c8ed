import { createCipheriv, createDecipheriv } from 'node:crypto'

const nonceLength = 12
const tagLength = 16

/**
 * Encrypts under a 32-byte key with AES-256-GCM. `context` is not stored with it, and is needed again to
 * decrypt it.
 */
export const seal = (
  plain: Uint8Array,
  key: Uint8Array,
  context: string,
  randomBytes: (length: number) => Uint8Array,
): Uint8Array => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts data from {@link seal}. Throws under another key or context, and if the data was altered. */
export const unseal = (sealed: Uint8Array, key: Uint8Array, context: string): Uint8Array => {
  const nonce = sealed.subarray(0, nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
  const body = sealed.subarray(nonceLength, sealed.length - tagLength)
  return Buffer.concat([decipher.update(body), decipher.final()])
}
