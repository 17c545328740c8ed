import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Keeps custodial keys encrypted at rest. `context` says whose key it is: under another one it does not open. */
export type Vault = {
  encrypt(key: Uint8Array, context: string): string
  decrypt(encryptedKey: string, context: string): Uint8Array
}

const version = 'v1'
const nonceLength = 12
const tagLength = 16

const seal = (plain: Uint8Array, key: Uint8Array, nonce: Uint8Array, context: string): Uint8Array => {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const open = (sealed: Uint8Array, key: Uint8Array, context: string): Uint8Array => {
  const nonce = sealed.subarray(0, nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
  const body = sealed.subarray(nonceLength, sealed.length - tagLength)
  return Buffer.concat([decipher.update(body), decipher.final()])
}

/**
 * Makes the vault: AES-256-GCM, with one random data key per custodial key, itself encrypted under the master key.
 *
 * @param parts - `masterKey` is 32 bytes.
 */
export const createVault = (parts: {
  masterKey: Uint8Array
  randomBytes: (length: number) => Uint8Array
}): Vault => {
  const { masterKey, randomBytes } = parts
  if (masterKey.length !== 32) throw new RangeError('the master key must be 32 bytes')
  return {
    encrypt(key, context) {
      const dataKey = randomBytes(32)
      const wrapped = seal(dataKey, masterKey, randomBytes(nonceLength), `data-key:${context}`)
      const sealed = seal(key, dataKey, randomBytes(nonceLength), context)
      return [version, ...[wrapped, sealed].map((bytes) => Buffer.from(bytes).toString('base64'))].join('.')
    },
    decrypt(encryptedKey, context) {
      const [found, wrapped, sealed, ...rest] = encryptedKey.split('.')
      if (found !== version || !wrapped || !sealed || rest.length) throw new Error('not a key of this vault')
      const dataKey = open(Buffer.from(wrapped, 'base64'), masterKey, `data-key:${context}`)
      return open(Buffer.from(sealed, 'base64'), dataKey, context)
    },
  }
}
