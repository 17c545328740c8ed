import { createHash } from 'node:crypto'
import type { Config } from '#base/config/config.js'
import { seal, unseal } from '#base/lib/seal.js'
import type { KeyWrapper } from '#base/ports/keyWrapper.js'
import type { Vault } from '#base/ports/vault.js'
import { createVault } from './vault.js'

/** Opens the vault of a deployment that holds its own master keys. */
export const openVault = (
  { masterKey, otherMasterKeys }: Pick<Config, 'masterKey' | 'otherMasterKeys'>,
  randomBytes: (length: number) => Uint8Array,
): Vault =>
  createVault({
    wrapper: createMasterKey(masterKey, randomBytes),
    others: otherMasterKeys.map((key) => createMasterKey(key, randomBytes)),
    randomBytes,
  })

const fingerprint = (key: Uint8Array): string =>
  createHash('sha256').update('kassa master key').update(key).digest('hex').slice(0, 16)

/**
 * Creates a key wrapper whose master key is in this process: AES-256-GCM.
 *
 * @param masterKey - 32 bytes.
 */
export const createMasterKey = (
  masterKey: Uint8Array,
  randomBytes: (length: number) => Uint8Array,
): KeyWrapper => {
  if (masterKey.length !== 32) throw new RangeError('the master key must be 32 bytes')
  return {
    keyId: fingerprint(masterKey),
    wrap: async (dataKey, context) => seal(dataKey, masterKey, context, randomBytes),
    unwrap: async (wrapped, context) => unseal(wrapped, masterKey, context),
  }
}
