import { seal, unseal } from '#base/lib/seal.js'
import type { KeyWrapper } from '#base/ports/keyWrapper.js'
import type { Vault } from '#base/ports/vault.js'

const version = 'v2'

const write = (keyId: string, wrapped: Uint8Array, sealed: Uint8Array): string =>
  [version, keyId, ...[wrapped, sealed].map((bytes) => Buffer.from(bytes).toString('base64'))].join('.')

const read = (encrypted: string) => {
  const [found, keyId, wrapped, sealed, ...rest] = encrypted.split('.')
  if (found !== version || !keyId || !wrapped || !sealed || rest.length) {
    throw new Error('not a secret of this vault')
  }
  return { keyId, wrapped: Buffer.from(wrapped, 'base64'), sealed: Buffer.from(sealed, 'base64') }
}

const dataKeyContext = (context: string): string => `data-key:${context}`

/**
 * Creates the vault: AES-256-GCM with one random data key per secret. The data key is encrypted under a
 * master key, whose id is stored with it: `v2.<key id>.<wrapped data key>.<sealed secret>`.
 *
 * @param parts - The vault encrypts under `wrapper`, and also decrypts what is under one of `others`.
 */
export const createVault = (parts: {
  wrapper: KeyWrapper
  others?: readonly KeyWrapper[]
  randomBytes: (length: number) => Uint8Array
}): Vault => {
  const { wrapper, others = [], randomBytes } = parts
  const wrappers = new Map([...others, wrapper].map((one) => [one.keyId, one]))
  for (const keyId of wrappers.keys()) {
    if (!/^[^.]+$/.test(keyId)) throw new RangeError('the id of a master key must not have a dot')
  }

  const unwrap = async (encrypted: string, context: string) => {
    const { keyId, wrapped, sealed } = read(encrypted)
    const found = wrappers.get(keyId)
    if (!found) throw new Error(`encrypted under the master key ${keyId}, which is not configured`)
    return { keyId, sealed, dataKey: await found.unwrap(wrapped, dataKeyContext(context)) }
  }

  return {
    keyId: wrapper.keyId,
    hasKey: (keyId) => wrappers.has(keyId),
    async encrypt(secret, context) {
      const dataKey = randomBytes(32)
      const sealed = seal(secret, dataKey, context, randomBytes)
      const wrapped = await wrapper.wrap(dataKey, dataKeyContext(context))
      dataKey.fill(0)
      return write(wrapper.keyId, wrapped, sealed)
    },
    async decrypt(encrypted, context) {
      const { dataKey, sealed } = await unwrap(encrypted, context)
      const secret = unseal(sealed, dataKey, context)
      dataKey.fill(0)
      return secret
    },
    async rewrap(encrypted, context) {
      const { keyId, dataKey, sealed } = await unwrap(encrypted, context)
      if (keyId === wrapper.keyId) return encrypted
      // Without this check, a wrong data key would be wrapped again, and the loss would appear only after its
      // master key is gone.
      unseal(sealed, dataKey, context).fill(0)
      const wrapped = await wrapper.wrap(dataKey, dataKeyContext(context))
      dataKey.fill(0)
      return write(wrapper.keyId, wrapped, sealed)
    },
  }
}
