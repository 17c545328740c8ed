import { seal, unseal } from '../seal.js'

/** Keeps custodial keys encrypted at rest. `context` says whose key it is: under another one it does not open. */
export type Vault = {
  encrypt(key: Uint8Array, context: string): Promise<string>
  decrypt(encryptedKey: string, context: string): Promise<Uint8Array>
}

const version = 'v1'

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
    async encrypt(key, context) {
      const dataKey = randomBytes(32)
      const wrapped = seal(dataKey, masterKey, `data-key:${context}`, randomBytes)
      const sealed = seal(key, dataKey, context, randomBytes)
      return [version, ...[wrapped, sealed].map((bytes) => Buffer.from(bytes).toString('base64'))].join('.')
    },
    async decrypt(encryptedKey, context) {
      const [found, wrapped, sealed, ...rest] = encryptedKey.split('.')
      if (found !== version || !wrapped || !sealed || rest.length) throw new Error('not a key of this vault')
      const dataKey = unseal(Buffer.from(wrapped, 'base64'), masterKey, `data-key:${context}`)
      return unseal(Buffer.from(sealed, 'base64'), dataKey, context)
    },
  }
}
